/** Objects of a class without a primary key, as schemas: pages, envelopes. */
import { copyData } from '../schema/fieldOf.ts';
import { KIND } from '../schema/schema.ts';
import type { Fields, NormalizedNode, Source } from '../schema/schema.ts';
import { ObjectSchema } from '../schema/ArraySchema.ts';

type RecordClass = (new () => object) & { schema: Readonly<Record<string, unknown>> };

const kinds = new WeakMap<object, RecordKind>();

/** Reads as an instance: absent members have the defaults of the class. */
class RecordKind extends ObjectSchema<Readonly<Record<string, unknown>>> {
  readonly #Class: RecordClass;

  constructor(Class: RecordClass) {
    super(Class.schema);
    this.#Class = Class;
  }

  override denormalize(node: NormalizedNode, source: Source): unknown {
    const value = super.denormalize(node, source);
    const isObject = typeof value === 'object' && value !== null;
    return isObject ? Object.freeze(copyData(value as Fields, new this.#Class() as Fields)) : value;
  }
}

/** What `class Page extends SimpleRecord` inherits. */
export type SimpleRecordClass = (abstract new () => object) & {
  schema: Readonly<Record<string, unknown>>;
  /** An instance from some of the fields. */
  // any: of every class
  fromJS<T extends abstract new (...args: any) => object>(
    this: T,
    fields?: Partial<InstanceType<T>>,
  ): InstanceType<T>;
};

/** `class Page extends SimpleRecord { results: Todo[] = []; static schema = { results: [Todo] }; }` */
export const SimpleRecord: SimpleRecordClass = createSimpleRecord();

// in a function, so that bundlers may drop the class
function createSimpleRecord(): SimpleRecordClass {
  abstract class Base {
    static schema: Readonly<Record<string, unknown>> = {};

    static get [KIND](): RecordKind {
      const known = kinds.get(this);
      const kind = known ?? new RecordKind(this as unknown as RecordClass);
      kinds.set(this, kind);
      return kind;
    }

    static fromJS(fields: object = {}): object {
      const Class = this as unknown as new () => object;
      return Object.assign(new Class(), fields);
    }
  }
  return Base as unknown as SimpleRecordClass;
}
