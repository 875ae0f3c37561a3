/** Mutations issued while the page is being left, on the disk until the next page puts them into the log. */
import { pageFreezing } from '../sync/Locks.ts';
import type { Locks } from '../sync/Locks.ts';
import type { PersistStorage, StorageWrite, StoredData } from '../sync/PersistStorage.ts';
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
 * begin. A record of its own needs no reading, and goes to `localStorage`: Chromium discards many transactions of
 * IndexedDB that a page has begun and committed while being left, and all that follow a read without a response.
 *
 *   add to the log ──────────────── logged ─► the record, if any, is removed
 *         └─ the page is left ─► a record of its own ──────── the next page: add to the log ─► removed
 */
export class LeftDrafts {
  readonly #place: DraftPlace;
  readonly #records: LeftRecords;
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
    this.#records = new LeftRecords(place);
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
    void written?.then(() => this.#records.remove(this.#keyOf(draft))).catch(() => {});
  }

  #keyOf({ idempotencyKey }: NewLogEntry): string {
    return (this.#place.transform ? ENCODED : '') + idempotencyKey;
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
    await this.#records.put(this.#keyOf(draft), data);
  }

  /** Moves the mutations of pages that were left into the log, by `log`, in the order of issue, and after this promise. */
  async adopt(log: (entry: LogEntry) => Promise<void>, after?: Promise<unknown>): Promise<void> {
    const { locks, name } = this.#place;
    const { size } = await this.#records.read();
    await after;
    if (size === 0) return;
    await locks.request(`${name} left`, async () => {
      const records = await this.#records.read();
      const found = await Promise.all(Array.from(records, (record) => this.#decode(...record)));
      for (const [key, entry] of found
        .flat()
        .sort(([, a], [, b]) => a.since - b.since || a.id - b.id)) {
        await log(entry);
        await this.#records.remove(key);
      }
    });
  }

  /** Empty for a record that cannot be decoded, which stays. */
  async #decode(
    key: string,
    data: StoredData,
  ): Promise<readonly (readonly [key: string, entry: LogEntry])[]> {
    const isEncoded = key.startsWith(ENCODED);
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
    return this.#records.clear();
  }

  stop(): void {
    this.#freezing.stop();
  }
}

/** The records of an owner, by key: in the synchronous storage if there is one with room, else on the disk. */
class LeftRecords {
  readonly #storage: PersistStorage;
  readonly #prefix: string;
  readonly #localPrefix: string;

  constructor({ storage, owner, name }: DraftPlace) {
    this.#storage = storage;
    this.#prefix = owner === undefined ? 'left:' : `left of ${encodeURIComponent(owner)}:`;
    this.#localPrefix = `${name} left:`;
  }

  async read(): Promise<ReadonlyMap<string, StoredData>> {
    const found = await this.#storage.read(this.#prefix);
    const all = new Map(Array.from(found, ([key, data]) => [key.slice(this.#prefix.length), data]));
    const { synchronous } = this.#storage;
    for (const key of this.#localKeys())
      all.set(key.slice(this.#localPrefix.length), fromText(synchronous?.getItem(key) ?? ''));
    return all;
  }

  async put(key: string, data: StoredData): Promise<void> {
    const { synchronous } = this.#storage;
    try {
      if (synchronous !== undefined)
        return synchronous.setItem(this.#localPrefix + key, toText(data));
    } catch {
      // no room is left
    }
    return this.#replace({ put: new Map([[this.#prefix + key, data]]) });
  }

  remove(key: string): Promise<void> {
    this.#storage.synchronous?.removeItem(this.#localPrefix + key);
    return this.#replace({ put: new Map(), remove: [this.#prefix + key] });
  }

  clear(): Promise<void> {
    for (const key of this.#localKeys()) this.#storage.synchronous?.removeItem(key);
    return this.#replace({ put: new Map(), removeAll: this.#prefix });
  }

  #replace(write: StorageWrite): Promise<void> {
    return this.#storage.replace(write, this.#prefix, () => false);
  }

  #localKeys(): readonly string[] {
    const { synchronous } = this.#storage;
    const keys = Array.from({ length: synchronous?.length ?? 0 }, (_, at) => synchronous?.key(at));
    return keys.filter((key) => key?.startsWith(this.#localPrefix)) as string[];
  }
}

// the first character of a text that stands for bytes, one a character
const BYTES = '\0';

function toText(data: StoredData): string {
  return typeof data === 'string'
    ? data
    : BYTES + Array.from(data, (byte) => String.fromCharCode(byte)).join('');
}

function fromText(text: string): StoredData {
  return text.startsWith(BYTES)
    ? Uint8Array.from(text.slice(1), (character) => character.charCodeAt(0))
    : text;
}
