/** From confirmed changes to the lines to write to a disk, and the lines that wait there. */
import { warn } from '../errors.ts';
import type {
  PersistedEntity,
  PersistedList,
  PersistedRead,
  PersistedRecord,
} from '../sync/PersistedRecord.ts';
import type { StoreSerializer } from './StoreSerializer.ts';
import type { LineChanges } from './ChunkIndex.ts';
import { encodeEntity, encodeRecord, keyOfLine, lineText } from './recordCodec.ts';
import type { DiskLine, LineText } from './recordCodec.ts';
import type { DirtyTracker } from '../sync/DirtyTracker.ts';

/** The lines of a run. */
export interface Packed {
  readonly changes: LineChanges;
  readonly order: number;
  readonly turn: number;
  /** True if only the freshness of lists and responses has changed. */
  readonly isFreshness: boolean;
}

export class LinePacker {
  readonly #serializer: StoreSerializer;
  readonly #dirty: DirtyTracker;
  /** The name of the disk, for messages. */
  readonly #name: string;
  /** The content of lists and responses on the disk, without their times. */
  readonly #bodies = new Map<string, string>();
  #lines = new Map<string, string | undefined>();
  #order = 0;
  #turn = 0;
  #isFreshness = true;

  constructor(serializer: StoreSerializer, dirty: DirtyTracker, name: string) {
    this.#serializer = serializer;
    this.#dirty = dirty;
    this.#name = name;
  }

  /** Remembers the line of a list or a response on the disk. */
  addKnown(line: DiskLine): void {
    this.#bodies.set(keyOfLine(line), JSON.stringify(line[3]));
  }

  clear(): void {
    this.#bodies.clear();
    this.#lines = new Map();
  }

  /** Packs in slices. Changes confirmed between slices are packed, too, so all lines are of one moment, the last. */
  *pack(now: () => number): Generator<void, Packed> {
    while (!this.#dirty.isEmpty)
      for (const part of this.#serializer.collectChanges(this.#dirty.take(), now())) {
        yield* this.#addAll(part);
        yield;
      }
    const packed = {
      changes: this.#lines,
      order: this.#order,
      turn: this.#turn,
      isFreshness: this.#isFreshness,
    };
    this.#lines = new Map();
    this.#isFreshness = true;
    return packed;
  }

  *#addAll(part: Iterable<readonly [string, PersistedRecord | undefined]>): Generator<void> {
    for (const [key, persisted] of part)
      if (persisted?.kind === 'entity') this.#addEntity(key, persisted);
      else yield* this.#add(key, persisted);
  }

  #addEntity(key: string, persisted: PersistedEntity): void {
    this.#isFreshness = false;
    try {
      this.#lines.set(key, lineText(encodeEntity(persisted)));
    } catch (error) {
      return this.#refuse(key, error);
    }
    this.#order = Math.max(this.#order, persisted.at[0]);
    this.#turn = Math.max(this.#turn, persisted.turn);
  }

  /** Undefined: the record is deleted. */
  *#add(key: string, persisted: PersistedList | PersistedRead | undefined): Generator<void> {
    if (persisted === undefined) {
      this.#delete(key);
      return;
    }
    let lines: ReadonlyMap<string, LineText>;
    try {
      lines = yield* encodeRecord(key, persisted);
    } catch (error) {
      this.#refuse(key, error);
      return;
    }
    for (const [name, line] of lines) this.#lines.set(name, lineText(line));
    this.#order = Math.max(this.#order, persisted.at[0]);
    if (persisted.kind === 'result')
      this.#order = Math.max(this.#order, persisted.expiredOrder, persisted.invalidOrder);
    const { rest } = lines.get(key) as LineText;
    if (this.#bodies.get(key) !== rest) this.#isFreshness = false;
    this.#bodies.set(key, rest);
  }

  #delete(key: string): void {
    this.#lines.set(key, undefined);
    this.#bodies.delete(key);
    this.#isFreshness = false;
  }

  /** No disk can store a value of the record: a former line is deleted. */
  #refuse(key: string, error: unknown): void {
    warn('P2', this.#name + key, { record: key, reason: (error as Error).message });
    this.#serializer.drop(key);
    this.#delete(key);
  }
}

const NO_COUNTERS = { order: 0, turn: 0 };

/** Lines that are being written to the disk, were refused there, or wait for the next write. */
export class PendingLines {
  /** A new map whenever the lines change. */
  changes: LineChanges = new Map();
  counters: Pick<Packed, 'order' | 'turn'> = NO_COUNTERS;
  /** True if only the freshness of lists and responses has changed. */
  isFreshness = true;

  add({ changes, order, turn, isFreshness }: Packed): void {
    this.changes = this.changes.size === 0 ? changes : new Map([...this.changes, ...changes]);
    this.counters = {
      order: Math.max(order, this.counters.order),
      turn: Math.max(turn, this.counters.turn),
    };
    this.isFreshness &&= isFreshness;
  }

  delete(keys: Iterable<string>): void {
    const changes = new Map(this.changes);
    for (const key of keys) {
      changes.set(key, undefined);
      this.isFreshness = false;
    }
    this.changes = changes;
  }

  /** These lines have been written. True if there are no others. */
  settle(changes: LineChanges): boolean {
    if (this.changes !== changes) return false;
    this.clear();
    return true;
  }

  clear(): void {
    this.changes = new Map();
    this.counters = NO_COUNTERS;
    this.isFreshness = true;
  }
}
