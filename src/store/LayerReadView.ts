/** The store as one layer sees it: confirmed data, and the optimistic writes issued before. */
import { INVALID } from '../schema/schema.ts';
import type { Ref, StoredKind } from '../schema/schema.ts';
import type { Builder, StoreRecord } from './StoreRecord.ts';

// below this depth, values are taken as readers see them
const MAX_DEPTH = 200;

/** Builds values from copies of the records, so that the values of readers stay untouched. */
export class LayerReadView implements Builder {
  readonly hasImmutableValues = false;
  readonly #builder: Builder;
  readonly #issuedBefore: number;
  /** Every record that was read, with the copy that was read in its place. */
  readonly dependencies: Map<StoreRecord, StoreRecord> = new Map();
  #depth = 0;

  /** `before`: logical time; writes issued then or later are not visible. */
  constructor(now: Builder, before: number) {
    this.#builder = now;
    this.#issuedBefore = before;
  }

  /** Adds the result of a request as a dependency, whatever the result was. */
  addDependency(result: StoreRecord): void {
    this.dependencies.set(result, result);
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

  value(ref: Ref): unknown {
    const record = ref as StoreRecord;
    let copy = this.dependencies.get(record);
    if (copy === undefined) {
      if (this.#depth >= MAX_DEPTH) return this.#builder.read(record);
      copy = record.copyAsOf(this.#issuedBefore);
      this.dependencies.set(record, copy);
    }
    // a leaf, or a value derived by an engine of its own
    if (copy === record) return this.#builder.read(record);
    this.#depth++;
    const value = copy.current(this);
    this.#depth--;
    return value ?? INVALID;
  }
}
