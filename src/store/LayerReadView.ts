/** What is stored, as an unconfirmed write sees it: what is confirmed, and the writes that were issued before. */
import { INVALID } from '../schema/schema.ts';
import type { Ref, StoredKind } from '../schema/schema.ts';
import { EMPTY } from './append.ts';
import type { Builder, StoreRecord } from './StoreRecord.ts';

// deeper than this, things are taken as readers see them
const DEEPEST = 200;
const NOTHING_SEEN: ReadonlyMap<StoreRecord, StoreRecord> = new Map(EMPTY);

/** Values are built anew from copies of the records, so that no reader's value is touched. */
export class LayerReadView implements Builder {
  readonly stable = false;
  readonly #now: Builder;
  readonly #before: number;
  #copies: Map<StoreRecord, StoreRecord> | undefined;
  #depth = 0;

  /** `before`: logical time; writes issued then and later are not seen. */
  constructor(now: Builder, before: number) {
    this.#now = now;
    this.#before = before;
  }

  /** Everything that was looked at, each with the record that stood for it. */
  get dependencies(): ReadonlyMap<StoreRecord, StoreRecord> {
    return this.#copies ?? NOTHING_SEEN;
  }

  /** That a request was looked at, whatever it showed. */
  addDependency(result: StoreRecord): void {
    (this.#copies ??= new Map()).set(result, result);
  }

  ref(kind: StoredKind, pk: string): Ref {
    return this.#now.ref(kind, pk);
  }

  find(kind: StoredKind, field: string, value: string): Ref {
    return this.#now.find(kind, field, value);
  }

  read(record: StoreRecord): unknown {
    return this.value(record);
  }

  value(ref: Ref): unknown {
    const record = ref as StoreRecord;
    let copy = this.#copies?.get(record);
    if (copy === undefined) {
      if (this.#depth >= DEEPEST) return this.#now.read(record);
      copy = record.copyBefore(this.#before);
      (this.#copies ??= new Map()).set(record, copy);
    }
    // a leaf, or derived by an engine of its own
    if (copy === record) return this.#now.read(record);
    this.#depth++;
    const value = copy.current(this);
    this.#depth--;
    return value ?? INVALID;
  }
}
