/** What is stored, as an unconfirmed write sees it: what is confirmed, and the writes that were issued before. */
import { INVALID } from '../schema/schema.ts';
import type { Ref, StoredKind } from '../schema/schema.ts';
import { NONE } from './more.ts';
import type { Builder, Record } from './Record.ts';

// deeper than this, things are taken as readers see them
const DEEPEST = 200;
const NOTHING_SEEN: ReadonlyMap<Record, Record> = new Map(NONE);

/** Values are built anew from copies of the records, so that no reader's value is touched. */
export class Past implements Builder {
  readonly stable = false;
  readonly #now: Builder;
  readonly #before: number;
  #copies: Map<Record, Record> | undefined;
  #depth = 0;

  /** `before`: logical time; writes issued then and later are not seen. */
  constructor(now: Builder, before: number) {
    this.#now = now;
    this.#before = before;
  }

  /** Everything that was looked at, each with the record that stood for it. */
  get seen(): ReadonlyMap<Record, Record> {
    return this.#copies ?? NOTHING_SEEN;
  }

  /** That a request was looked at, whatever it showed. */
  note(result: Record): void {
    (this.#copies ??= new Map()).set(result, result);
  }

  ref(kind: StoredKind, pk: string): Ref {
    return this.#now.ref(kind, pk);
  }

  find(kind: StoredKind, field: string, value: string): Ref {
    return this.#now.find(kind, field, value);
  }

  read(record: Record): unknown {
    return this.value(record);
  }

  value(ref: Ref): unknown {
    const record = ref as Record;
    let copy = this.#copies?.get(record);
    if (copy === undefined) {
      if (this.#depth >= DEEPEST) return this.#now.read(record);
      copy = record.before(this.#before);
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
