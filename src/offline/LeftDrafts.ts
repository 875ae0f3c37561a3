/** Mutations issued while the page is being left, on the disk until the next page puts them into the log. */
import { pageFreezing } from '../sync/Locks.ts';
import type { Locks } from '../sync/Locks.ts';
import type { StorageWrite, StoredData } from '../sync/PersistStorage.ts';
import { decodeEntry, encodeEntry } from './LogEntry.ts';
import type { LogEntry, NewLogEntry } from './LogEntry.ts';
import type { LogPlace } from './LogStore.ts';
import { pack, seal, unpack, unseal } from './logData.ts';

type DraftPlace = Pick<LogPlace, 'storage' | 'owner' | 'transform'> & {
  readonly locks: Locks;
  /** The name of the log, with which the names of the locks begin. */
  readonly name: string;
};

// of records that went through a transform
const ENCODED = 'encoded ';

/*
 * A page that is being left gets no response of the disk: the log cannot be read, so a write of the log would never
 * begin. A record of its own needs no reading. The browser completes a transaction that was begun before.
 *
 *   add to the log ──────────────── logged ─► the record, if any, is removed
 *         └─ the page is left ─► a record of its own ──────── the next page: add to the log ─► removed
 */
export class LeftDrafts {
  readonly #place: DraftPlace;
  readonly #prefix: string;
  /** The mutations that are being logged. */
  readonly #unlogged = new Set<NewLogEntry>();
  readonly #written = new Map<NewLogEntry, Promise<void>>();
  /** Orders the mutations that were issued in the same millisecond. */
  #last = 0;
  readonly #freezing = pageFreezing(() => {
    for (const draft of this.#unlogged) this.#write(draft);
  });

  constructor(place: DraftPlace) {
    this.#place = place;
    this.#prefix =
      place.owner === undefined ? 'left:' : `left of ${encodeURIComponent(place.owner)}:`;
  }

  /** The mutation is being logged. */
  add(draft: NewLogEntry): void {
    this.#unlogged.add(draft);
    if (this.#freezing.isFrozen) this.#write(draft);
  }

  /** True if another page may have put the mutation into the log. */
  mayBeLogged(draft: NewLogEntry): boolean {
    return this.#written.has(draft);
  }

  /** The mutation is in the log, or was refused by the log. */
  delete(draft: NewLogEntry): void {
    this.#unlogged.delete(draft);
    const written = this.#written.get(draft);
    this.#written.delete(draft);
    void written?.then(() => this.#remove(this.#keyOf(draft))).catch(() => {});
  }

  #keyOf({ idempotencyKey }: NewLogEntry): string {
    return this.#prefix + (this.#place.transform ? ENCODED : '') + idempotencyKey;
  }

  #write(draft: NewLogEntry): void {
    if (!this.#written.has(draft))
      this.#written.set(
        draft,
        this.#put(draft).catch(() => {}),
      );
  }

  async #put(draft: NewLogEntry): Promise<void> {
    const packed = pack('', encodeEntry({ ...draft, id: ++this.#last, queue: '' }));
    const data = await seal(packed, this.#place.transform);
    await this.#replace({ put: new Map([[this.#keyOf(draft), data]]) });
  }

  #replace(write: StorageWrite): Promise<void> {
    return this.#place.storage.replace(write, this.#prefix, () => false);
  }

  #remove(key: string): Promise<void> {
    return this.#replace({ put: new Map(), remove: [key] });
  }

  /** Moves the mutations of pages that were left into the log, by `log`, in the order of issue, and after this promise. */
  async adopt(log: (entry: LogEntry) => Promise<void>, after?: Promise<unknown>): Promise<void> {
    const { storage, locks, name } = this.#place;
    const { size } = await storage.read(this.#prefix);
    await after;
    if (size === 0) return;
    await locks.request(`${name} left`, async () => {
      const records = await storage.read(this.#prefix);
      const found = await Promise.all(Array.from(records, (record) => this.#decode(...record)));
      for (const [key, entry] of found
        .flat()
        .sort(([, a], [, b]) => a.since - b.since || a.id - b.id)) {
        await log(entry);
        await this.#remove(key);
      }
    });
  }

  /** Empty for a record that cannot be decoded, which stays. */
  async #decode(
    key: string,
    data: StoredData,
  ): Promise<readonly (readonly [key: string, entry: LogEntry])[]> {
    const isEncoded = key.startsWith(this.#prefix + ENCODED);
    try {
      const packed = await unseal(data, isEncoded ? this.#place.transform : undefined);
      const entry = decodeEntry(unpack(packed)[1]);
      return entry === undefined ? [] : [[key, entry]];
    } catch {
      return [];
    }
  }

  /** Removes all mutations of the owner. */
  clear(): Promise<void> {
    return this.#replace({ put: new Map(), removeAll: this.#prefix });
  }

  stop(): void {
    this.#freezing.stop();
  }
}
