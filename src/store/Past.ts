/** What is stored, as a layer sees it: what is confirmed, and the layers that were issued before. */
import { INVALID } from '../schema/schema.ts';
import type { Ref, StoredKind } from '../schema/schema.ts';
import { EntityRecord } from './EntityRecord.ts';
import { layeredOf } from './Layered.ts';
import { NONE } from './more.ts';
import type { Builder, Record } from './Record.ts';

// deeper than this, things are taken as readers see them
const DEEPEST = 200;

/** Values are built anew from records set aside, so that no reader's value is touched. */
export class Past implements Builder {
  readonly stable = false;
  readonly #now: Builder;
  readonly #before: number;
  #images: Map<Record, Record> | undefined;
  #depth = 0;

  /** `before`: logical time; layers issued then and later are not seen. */
  constructor(now: Builder, before: number) {
    this.#now = now;
    this.#before = before;
  }

  /** Everything that was looked at. */
  get seen(): readonly Record[] {
    return this.#images === undefined ? NONE : [...this.#images.keys()];
  }

  /** That a request was looked at, whatever it showed. */
  note(result: Record): void {
    (this.#images ??= new Map()).set(result, result);
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
    let image = this.#images?.get(record);
    if (image === undefined) {
      if (this.#depth >= DEEPEST) return this.#now.read(record);
      image = layeredOf(record)?.before(this.#before) ?? asideOf(record);
      (this.#images ??= new Map()).set(record, image);
    }
    // a leaf, or derived by an engine of its own
    if (image === record) return this.#now.read(record);
    this.#depth++;
    const value = image.current(this);
    this.#depth--;
    return value ?? INVALID;
  }
}

/** An entity without layers that has nothing nested is the same for all; others are built anew. */
function asideOf(record: Record): Record {
  const isLeaf = record instanceof EntityRecord && record.nodes.length === 0;
  return isLeaf ? record : record.aside();
}
