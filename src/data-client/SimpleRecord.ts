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

/** `class Page extends SimpleRecord { results: Todo[] = []; static schema = { results: [Todo] }; }` */
export abstract class SimpleRecord {
  static schema: Readonly<Record<string, unknown>> = {};

  /** @internal */ static get [KIND](): RecordKind {
    const known = kinds.get(this);
    const kind = known ?? new RecordKind(this as unknown as RecordClass);
    kinds.set(this, kind);
    return kind;
  }

  /** An instance from some of its fields. */
  // any: of every class
  static fromJS<T extends abstract new (...args: any) => object>(
    this: T,
    fields: Partial<InstanceType<T>> = {},
  ): InstanceType<T> {
    const Class = this as unknown as new () => InstanceType<T>;
    return Object.assign(new Class(), fields);
  }
}
