/** The store as one layer sees it: confirmed data, and the optimistic writes issued before. */
import { INVALID } from '../schema/schema.ts';
import type { Fields, Ref, StoredKind } from '../schema/schema.ts';
import type { EntityRecord } from '../store/entities/EntityRecord.ts';
import type { Builder, StoreRecord } from '../store/records/StoreRecord.ts';
import { copyAsOf, EntityCopy } from './copies.ts';

/** Records that were read, each with the copy that was read in its place. */
export type Dependencies = Map<StoreRecord, StoreRecord>;

// below this depth, values are taken as readers see them
const MAX_DEPTH = 200;

/** Builds values from copies of the records, so that the values of readers stay untouched. */
export class LayerReadView implements Builder {
  readonly hasImmutableValues = false;
  readonly #builder: Builder;
  readonly #issuedBefore: number;
  /** Every record that was read, once there is one. */
  dependencies: Dependencies | undefined = undefined;
  #depth = 0;

  /** `before`: logical time; writes issued then or later are not visible. */
  constructor(now: Builder, before: number) {
    this.#builder = now;
    this.#issuedBefore = before;
  }

  /** Adds a dependency. The result of a request is one whatever the result was. */
  addDependency(record: StoreRecord, copy: StoreRecord = record): void {
    (this.dependencies ??= new Map()).set(record, copy);
  }

  ref(kind: StoredKind, pk: string): Ref {
    return this.#builder.ref(kind, pk);
  }

  /** The lookup in the present store, whatever the layer sees; `value` adds the dependency. */
  findByField(kind: StoredKind, field: string, value: string): Ref {
    return this.#builder.findByField(kind, field, value);
  }

  read(record: StoreRecord): unknown {
    return this.value(record);
  }

  /** Some fields of an entity, or undefined if the entity is missing. Changes of its other fields do not count. */
  fieldsOf(record: EntityRecord, names: readonly string[]): Fields | undefined {
    const known = this.dependencies?.get(record);
    const copy = known ?? copyAsOf(record, this.#issuedBefore);
    if (known === undefined) {
      this.addDependency(record, copy);
      if (copy instanceof EntityCopy) copy.readFields = names;
    }
    return (copy as EntityRecord).instance;
  }

  value(ref: Ref): unknown {
    const record = ref as StoreRecord;
    let copy = this.dependencies?.get(record);
    if (copy === undefined || readFieldsOf(copy) !== undefined) {
      if (this.#depth >= MAX_DEPTH) return this.#builder.read(record);
      copy = copyAsOf(record, this.#issuedBefore);
      this.addDependency(record, copy);
    }
    // a leaf, or a value derived by an engine of its own
    if (copy === record) return this.#builder.read(record);
    this.#depth++;
    const value = copy.current(this);
    this.#depth--;
    return value ?? INVALID;
  }
}

/** Of a copy that a layer has read: the fields that count; undefined: all. */
export function readFieldsOf(copy: StoreRecord): readonly string[] | undefined {
  return copy instanceof EntityCopy ? copy.readFields : undefined;
}
