/** The records of one log: transactions on a copy in memory, which become changes of a storage that pages share. */
import {
  firstHead,
  isEncodedId,
  isSameRevision,
  logHeadIn,
  logHeadText,
  nextHead,
  recordId,
  stepsSince,
  validIds,
} from './LogHead.ts';
import type { LogHead } from './LogHead.ts';
import { seal, unpack, unseal } from './logData.ts';
import { LogRecords } from './LogRecords.ts';
import type { PersistStorage, StorageWrite, StoredData, Transform } from './PersistStorage.ts';

/*
 *   work on the copy ──► encode what changed ──► the head is as known: written
 *         ▲                                        │
 *         └── read what other pages have written ◄─┴── the head is another: undone
 *
 * A record is never overwritten: each change gives the records that it writes new ids. So a page reads only the records
 * that other pages have written since, and a transform never gets the same record twice.
 */

interface LogPlace {
  readonly storage: PersistStorage;
  readonly owner: string | undefined;
  readonly transform: Transform | undefined;
  readonly groupOf: (key: string, value: unknown) => string;
}

/** The group of records that cannot be read, though no transform is missing: other programs write to disks, too. */
export const DAMAGED = 'damaged';

export class LogStore {
  readonly #storage: PersistStorage;
  readonly #transform: Transform | undefined;
  readonly #prefix: string;
  readonly #headKey: string;
  readonly #records: LogRecords;
  /** The keys of the records, by their ids. */
  readonly #keys = new Map<string, string>();
  /** Why records cannot be decoded, by their ids. */
  readonly #undecoded = new Map<string, unknown>();
  /** The ids of records that do not belong to the log. The next change deletes them. */
  #garbage: readonly string[] = [];
  /** The head as of the copy; undefined: nothing was read. */
  #head: LogHead | undefined;
  #line: Promise<unknown> = Promise.resolve();

  constructor({ storage, owner, transform, groupOf }: LogPlace) {
    this.#storage = storage;
    this.#transform = transform;
    this.#prefix = owner === undefined ? 'log:' : `log of ${encodeURIComponent(owner)}:`;
    this.#headKey = `${this.#prefix}head`;
    this.#records = new LogRecords(groupOf);
  }

  /** Why records cannot be decoded: another transform, or another key. They stay in the storage. */
  get undecoded(): readonly unknown[] {
    return [...this.#undecoded.values()];
  }

  /**
   * Runs one transaction: when the promise resolves, all of it is done; if the promise rejects, nothing is.
   * Transactions run in the order of their creation. `work` is synchronous, and runs again if another page has changed
   * the log meanwhile.
   */
  change<T>(work: (records: LogRecords) => T): Promise<T> {
    const done = this.#line.then(() => this.#run(work));
    this.#line = done.catch(() => {});
    return done;
  }

  /** A transaction that also removes the records that cannot be decoded. */
  clear(work: (records: LogRecords) => void): Promise<void> {
    return this.change((records) => {
      this.#garbage = [...this.#garbage, ...this.#undecoded.keys()];
      work(records);
    });
  }

  async #run<T>(work: (records: LogRecords) => T): Promise<T> {
    this.#head ??= await this.#readAll();
    for (;;) {
      const head = this.#head;
      this.#records.last = head.last;
      let isDone = false;
      try {
        const value = work(this.#records);
        isDone = await this.#commit(head);
        if (isDone) return value;
      } finally {
        if (!isDone) this.#records.rollBack();
      }
      this.#head = await this.#refresh(head);
    }
  }

  /** False if another page has changed the log: nothing is written. */
  async #commit(head: LogHead): Promise<boolean> {
    const { changes, last } = this.#records;
    const ids = new Map<string, string>();
    const put = new Map<string, StoredData>();
    const removed = [...this.#garbage];
    for (const { key, before, packed } of changes) {
      if (before?.id !== undefined) removed.push(before.id);
      if (packed === undefined) continue;
      const id = recordId(head, ids.size, this.#transform !== undefined);
      ids.set(key, id);
      put.set(this.#prefix + id, await seal(packed, this.#transform));
    }
    const isChange = put.size > 0 || removed.length > 0 || last !== head.last;
    const next = nextHead(head, last, [[...ids.values()], removed]);
    put.set(this.#headKey, logHeadText(next));
    const remove = removed.map((id) => this.#prefix + id);
    if (!(await this.#writeIfSame(head, isChange ? { put, remove } : undefined))) return false;
    this.#records.settle(ids);
    if (!isChange) return true;
    this.#head = next;
    this.#garbage = [];
    for (const id of removed) this.#forget(id);
    for (const [key, id] of ids) this.#keys.set(id, key);
    return true;
  }

  async #writeIfSame(head: LogHead, write: StorageWrite | undefined): Promise<boolean> {
    let isSame = false;
    await this.#storage.change([this.#headKey], ([data]) => {
      isSame = isSameRevision(logHeadIn(data), head);
      return isSame ? write : undefined;
    });
    return isSame;
  }

  #forget(id: string): void {
    this.#keys.delete(id);
    this.#undecoded.delete(id);
  }

  /** Reads the records that other pages have written since `known`. Returns the head after their changes. */
  async #refresh(known: LogHead): Promise<LogHead> {
    const [data] = await this.#get([this.#headKey]);
    const head = logHeadIn(data);
    const steps = head && stepsSince(head, known);
    if (head === undefined || steps === undefined) return this.#readAll();
    const [added, removed] = steps;
    const found = await this.#get(added.map((id) => this.#prefix + id));
    for (const id of removed) this.#drop(id);
    // a later change has removed what is not found
    await this.#load(added.flatMap((id, at) => (found[at] === undefined ? [] : [[id, found[at]]])));
    return head;
  }

  async #get(keys: readonly string[]): Promise<readonly (StoredData | undefined)[]> {
    let all: readonly (StoredData | undefined)[] = [];
    if (keys.length > 0) await this.#storage.change(keys, (found) => void (all = found));
    return all;
  }

  async #readAll(): Promise<LogHead> {
    const found = await this.#storage.read(this.#prefix);
    const head = logHeadIn(found.get(this.#headKey)) ?? firstHead();
    const ids = Array.from(found.keys(), (key) => key.slice(this.#prefix.length));
    const valid = new Set(validIds(head, ids));
    valid.delete('head');
    for (const id of [...this.#keys.keys(), ...this.#undecoded.keys()])
      if (!valid.has(id)) this.#drop(id);
    this.#garbage = ids.filter((id) => id !== 'head' && !valid.has(id));
    const unknown = [...valid].filter((id) => !this.#keys.has(id));
    await this.#load(unknown.map((id) => [id, found.get(this.#prefix + id) as StoredData]));
    return head;
  }

  #drop(id: string): void {
    const key = this.#keys.get(id);
    if (key !== undefined) this.#records.unload(key, id);
    this.#forget(id);
  }

  async #load(found: readonly (readonly [id: string, data: StoredData])[]): Promise<void> {
    await Promise.all(
      found.map(async ([id, data]) => {
        try {
          const record = await this.#decode(id, data);
          this.#keep(id, ...record);
        } catch (reason) {
          if (isEncodedId(id)) this.#undecoded.set(id, reason);
          else this.#keep(id, `${DAMAGED}:${id}`, data);
        }
      }),
    );
  }

  #keep(id: string, key: string, value: unknown): void {
    this.#undecoded.delete(id);
    this.#keys.set(id, key);
    this.#records.load(key, value, id);
  }

  async #decode(id: string, data: StoredData): Promise<readonly [key: string, value: unknown]> {
    const isEncoded = isEncodedId(id);
    if (isEncoded && this.#transform === undefined) throw new TypeError('no transform is given');
    return unpack(await unseal(data, isEncoded ? this.#transform : undefined));
  }
}
