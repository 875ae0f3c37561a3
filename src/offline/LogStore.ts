/** The records of one log: transactions on a copy in memory, which become changes of a storage that pages share. */
import type {
  PersistStorage,
  StorageWrite,
  StoredData,
  Transform,
} from '../sync/PersistStorage.ts';
import {
  hasSameIds,
  isEncodedId,
  isLost,
  isSameChange,
  logHeadIn,
  logHeadText,
  nextLogHead,
  recordId,
  repairLogHead,
  replacementHead,
  revisionOf,
  stepsSince,
  validIds,
} from './LogHead.ts';
import type { LogHead } from './LogHead.ts';
import { pack, seal, unpack, unseal } from './logData.ts';
import type { PackedRecord } from './logData.ts';

/*
 *   work on the copy ──► what changed is encoded ──► the head is as known: written
 *         ▲                                            │
 *         └──── read what other pages have written ◄───┴── the head is another: undone
 *
 * A transaction begins while those before it are being written. If one of them fails, all later ones are undone, too, and
 * run again.
 *
 * A record is never overwritten: each change gives the records that it writes new ids. So a page reads only the records
 * that other pages have written since.
 *
 * If the storage has lost the log (the user or the browser has cleared the data of the site), the copy is put into the
 * log that replaces it, by a transaction before all others.
 */

/** Records of a log that the storage has lost. */
export interface LostRecords {
  readonly log: string;
  readonly records: readonly (readonly [key: string, value: unknown])[];
}

export interface LogPlace {
  readonly storage: PersistStorage;
  readonly owner: string | undefined;
  readonly transform: Transform | undefined;
  readonly groupOf: (key: string, value: unknown) => string;
  /**
   * Puts lost records into the present log; the result is called once they are written. `isSame`: ids mean the same
   * mutations in both logs.
   */
  readonly restore: (
    records: LogRecords,
    lost: LostRecords['records'],
    isSame: boolean,
  ) => () => void;
}

interface Transaction {
  readonly work: (records: LogRecords) => unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** A transaction that has run on the copy, and is being written. */
interface PendingWrite {
  readonly transaction: Transaction;
  readonly value: unknown;
  readonly changes: ReadonlyMap<string, LogRecordChange>;
  /** The ids of the written records, by key. */
  readonly ids: ReadonlyMap<string, string>;
  readonly removed: readonly string[];
  /** The heads before and after. */
  readonly head: LogHead;
  readonly next: LogHead;
  /** Set if the transaction was not written: with an error of the storage or the transform, or another page's head. */
  failed?: { readonly error?: unknown };
}

/** The group of records that cannot be read, though no transform is missing: other programs write to disks, too. */
export const DAMAGED = 'damaged';

/** The group of records that cannot be decoded. The value is the error. */
export const UNDECODED = 'undecoded';

export class LogStore {
  readonly #storage: PersistStorage;
  readonly #transform: Transform | undefined;
  readonly #prefix: string;
  readonly #headKey: string;
  readonly #records: LogRecords;
  readonly #restore: LogPlace['restore'];
  /** The log in the copy; undefined: nothing was read. */
  #log: string | undefined;
  /** Set until these records are written again. */
  #lost: LostRecords | undefined;
  /** The keys of the written records, by their ids. */
  readonly #keys = new Map<string, string>();
  /** The ids of records that do not belong to the log. The next change deletes them. */
  #garbage: string[] = [];
  /** The greatest id of a mutation that was read, also if the head does not know it. */
  #last = 0;
  /** The head as of the copy; undefined: nothing was read. */
  #head: LogHead | undefined;
  #waiting: Transaction[] = [];
  /** In the order in which they have run. */
  #running: PendingWrite[] = [];
  /** True while a transaction runs, the copy is read, or a failed transaction waits for the later ones to fail. */
  #isBusy = false;
  /** Resolves when the changes of the last transaction are encoded. */
  #encoded: Promise<unknown> = Promise.resolve();

  constructor({ storage, owner, transform, groupOf, restore }: LogPlace) {
    this.#storage = storage;
    this.#transform = transform;
    this.#prefix = owner === undefined ? 'log:' : `log of ${encodeURIComponent(owner)}:`;
    this.#headKey = `${this.#prefix}head`;
    this.#records = new LogRecords(groupOf);
    this.#restore = restore;
  }

  /**
   * Runs one transaction: when the promise resolves, all of it is done; if the promise rejects, nothing is.
   * Transactions run in the order of their creation. `work` is synchronous, and runs again if another page has changed
   * the log meanwhile.
   */
  change<T>(work: (records: LogRecords) => T): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ work, resolve: resolve as (value: unknown) => void, reject });
      this.#runAll();
    });
  }

  #runAll(): void {
    if (this.#isBusy || this.#waiting.length === 0) return;
    if (this.#head === undefined) return void this.#read();
    // `work` may begin other transactions
    this.#isBusy = true;
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift())
      this.#head = this.#run(next, this.#head);
    this.#isBusy = false;
  }

  /** Runs a transaction on the copy, and begins to write it. Returns the head after it. */
  #run(transaction: Transaction, head: LogHead): LogHead {
    const records = this.#records;
    const changes = records.begin();
    records.last = head.last;
    let value: unknown;
    try {
      value = transaction.work(records);
    } catch (error) {
      records.rollBack(changes);
      transaction.reject(error);
      return head;
    }
    const ids = new Map<string, string>();
    const removed = [...this.#garbage];
    this.#garbage = [];
    for (const [key, { before, packed }] of changes) {
      if (before?.id !== undefined) removed.push(before.id);
      if (packed === undefined) continue;
      const id = recordId(head, ids.size, this.#transform !== undefined);
      records.setId(key, id);
      ids.set(key, id);
    }
    const isSame = ids.size + removed.length === 0 && records.last === head.last;
    const next = isSame ? head : nextLogHead(head, records.last, [[...ids.values()], removed]);
    const running: PendingWrite = { transaction, value, changes, ids, removed, head, next };
    this.#running.push(running);
    void this.#write(running);
    return next;
  }

  async #write(running: PendingWrite): Promise<void> {
    const encoded = this.#encoded.then(() => this.#encode(running));
    this.#encoded = encoded.catch(() => {});
    let isSame = false;
    try {
      const write = await encoded;
      await this.#storage.change([this.#headKey], ([data]) => {
        const present = logHeadIn(data);
        const isDue = isSameChange(present, running.head);
        // the storage may call this again although the change was made: the connection was lost before the response
        isSame = isDue || isSameChange(present, running.next);
        return isDue ? write : undefined;
      });
      if (!isSame) running.failed = {};
    } catch (error) {
      running.failed = { error };
    }
    if (running.failed === undefined) this.#settle(running);
    else this.#isBusy = true;
    const isOver = this.#running.length > 0 && this.#running.every(({ failed }) => failed);
    if (isOver) void this.#recover();
  }

  /** Undefined: nothing is to be written. */
  async #encode({
    head,
    next,
    ids,
    changes,
    removed,
  }: PendingWrite): Promise<StorageWrite | undefined> {
    if (next === head) return undefined;
    const put = new Map<string, StoredData>();
    for (const [key, id] of ids) {
      const packed = changes.get(key)?.packed as PackedRecord;
      put.set(this.#prefix + id, await seal(packed, this.#transform));
    }
    put.set(this.#headKey, logHeadText(next));
    return { put, remove: removed.map((id) => this.#prefix + id) };
  }

  #settle(running: PendingWrite): void {
    const { ids, removed, value, transaction } = running;
    this.#running = this.#running.filter((other) => other !== running);
    for (const id of removed) this.#keys.delete(id);
    for (const [key, id] of ids) this.#keys.set(id, key);
    transaction.resolve(value);
  }

  /** Undoes the failed transactions, reads what other pages have written, and runs them again. */
  async #recover(): Promise<void> {
    const all = this.#running.splice(0);
    for (const { changes } of [...all].reverse()) this.#records.rollBack(changes);
    this.#head = all[0]?.head;
    const again: Transaction[] = [];
    for (const { transaction, failed = {} } of all)
      if ('error' in failed) transaction.reject(failed.error);
      else again.push(transaction);
    this.#waiting.unshift(...again);
    await this.#read();
  }

  async #read(): Promise<void> {
    this.#isBusy = true;
    const known = this.#head;
    try {
      // after a failure the copy may be incomplete
      this.#head = undefined;
      this.#head = await (known === undefined ? this.#readAll() : this.#refresh(known));
      this.#log = this.#head.log;
      if (this.#lost !== undefined) this.#waiting.unshift(this.#restoration(this.#lost, this.#log));
    } catch (error) {
      for (const { reject } of this.#waiting.splice(0)) reject(error);
    }
    this.#isBusy = false;
    this.#runAll();
  }

  #restoration({ log, records: lost }: LostRecords, present: string): Transaction {
    return {
      work: (records) => this.#restore(records, lost, hasSameIds(log, present)),
      resolve: (restored) => {
        this.#lost = undefined;
        (restored as () => void)();
      },
      reject: () => {},
    };
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
    const known = logHeadIn(found.get(this.#headKey));
    const keys = [...found.keys()].filter((key) => key !== this.#headKey);
    const ids = keys.map((key) => key.slice(this.#prefix.length));
    let head = repairLogHead(known, ids);
    if (this.#log !== undefined && isLost(this.#log, head.log)) this.#noteLost(this.#log);
    if (this.#lost !== undefined && head.revision === 0)
      head = replacementHead(this.#lost.log, this.#records.last);
    const valid = new Set(head === known ? validIds(head, ids) : ids);
    // a repaired log is read anew: of records with one key the last is valid
    for (const id of this.#keys.keys()) if (head !== known || !valid.has(id)) this.#drop(id);
    this.#garbage = ids.filter((id) => !valid.has(id));
    const unknown = [...valid].filter((id) => !this.#keys.has(id));
    await this.#load(unknown.map((id) => [id, found.get(this.#prefix + id) as StoredData]));
    return { ...head, last: Math.max(head.last, this.#last) };
  }

  #noteLost(log: string): void {
    const all = [...this.#keys.values()];
    if (all.length === 0) return;
    const records = all.map((key) => [key, this.#records.get(key)] as const);
    this.#lost ??= { log, records: [] };
    this.#lost = { ...this.#lost, records: [...this.#lost.records, ...records] };
  }

  #drop(id: string): void {
    const key = this.#keys.get(id);
    this.#keys.delete(id);
    if (key !== undefined) this.#records.unload(key, id);
  }

  async #load(found: readonly (readonly [id: string, data: StoredData])[]): Promise<void> {
    const inOrder = [...found].sort(([a], [b]) => revisionOf(a) - revisionOf(b));
    const all = await Promise.all(
      inOrder.map(async ([id, data]) => [id, ...(await this.#decode(id, data))] as const),
    );
    const loaded = new Map<string, string>();
    for (const [id, key, value] of all) {
      const older = loaded.get(key);
      if (older !== undefined) this.#garbage.push(older);
      loaded.set(key, id);
      this.#keys.set(id, key);
      this.#records.load(key, value, id);
      const number = Number(key.slice(key.indexOf(':') + 1));
      if (Number.isSafeInteger(number)) this.#last = Math.max(this.#last, number);
    }
  }

  async #decode(id: string, data: StoredData): Promise<readonly [key: string, value: unknown]> {
    const isEncoded = isEncodedId(id);
    try {
      if (isEncoded && this.#transform === undefined) throw new TypeError('transform is missing');
      return unpack(await unseal(data, isEncoded ? this.#transform : undefined));
    } catch (error) {
      return isEncoded ? [`${UNDECODED}:${id}`, error] : [`${DAMAGED}:${id}`, data];
    }
  }
}

/** A record in memory. */
interface LogRecord {
  readonly value: unknown;
  readonly group: string;
  /** Its id in the storage; undefined until it is written. */
  id: string | undefined;
}

/** A change of a transaction. */
interface LogRecordChange {
  /** The record before; undefined if there was none. */
  readonly before: LogRecord | undefined;
  /** What is to be written; undefined: nothing. */
  readonly packed: PackedRecord | undefined;
}

/** The records of one log in memory, and the changes of transactions until these are written. */
export class LogRecords {
  readonly #groupOf: (key: string, value: unknown) => string;
  readonly #all = new Map<string, LogRecord>();
  readonly #groups = new Map<string, Map<string, LogRecord>>();
  /** The changes of the present transaction, by key. */
  #changes = new Map<string, LogRecordChange>();
  /** The last id of a mutation. */
  last = 0;

  /** `groupOf`: records of one group are found together. */
  constructor(groupOf: (key: string, value: unknown) => string) {
    this.#groupOf = groupOf;
  }

  get(key: string): unknown {
    return this.#all.get(key)?.value;
  }

  /** The records of a group, by key. */
  group(name: string): ReadonlyMap<string, LogRecord> {
    return this.#groups.get(name) ?? new Map<string, LogRecord>();
  }

  /** The keys of a group, which may be deleted meanwhile. */
  keysOf(group: string): readonly string[] {
    return [...this.group(group).keys()];
  }

  get groups(): readonly string[] {
    return [...this.#groups.keys()];
  }

  /** Puts a copy of the value. Throws a TypeError for a value that cannot be stored. */
  put(key: string, value: unknown): void {
    const packed = pack(key, value);
    this.#addChange(key, packed);
    this.load(key, unpack(packed)[1], undefined);
  }

  delete(key: string): void {
    if (!this.#all.has(key)) return;
    this.#addChange(key, undefined);
    this.#remove(key);
  }

  #addChange(key: string, packed: PackedRecord | undefined): void {
    const first = this.#changes.get(key);
    const before = first === undefined ? this.#all.get(key) : first.before;
    this.#changes.set(key, { before, packed });
  }

  /** A record of the storage, outside of any transaction. */
  load(key: string, value: unknown, id: string | undefined): void {
    this.#set(key, { value, id, group: this.#groupOf(key, value) });
  }

  /** The storage no longer has the record with this id. */
  unload(key: string, id: string): void {
    if (this.#all.get(key)?.id === id) this.#remove(key);
  }

  #set(key: string, record: LogRecord): void {
    this.#remove(key);
    this.#all.set(key, record);
    const group = this.#groups.get(record.group);
    if (group === undefined) this.#groups.set(record.group, new Map([[key, record]]));
    else group.set(key, record);
  }

  #remove(key: string): void {
    const { group = '' } = this.#all.get(key) ?? {};
    this.#all.delete(key);
    const members = this.#groups.get(group);
    members?.delete(key);
    if (members?.size === 0) this.#groups.delete(group);
  }

  /** Begins a transaction. Returns its changes, which grow until the next one begins. */
  begin(): ReadonlyMap<string, LogRecordChange> {
    return (this.#changes = new Map());
  }

  /** Gives a record that the present transaction has put its id in the storage. */
  setId(key: string, id: string): void {
    (this.#all.get(key) as LogRecord).id = id;
  }

  /** Undoes the changes of a transaction; later transactions must be undone before. */
  rollBack(changes: ReadonlyMap<string, LogRecordChange>): void {
    for (const [key, { before }] of changes) {
      this.#remove(key);
      if (before !== undefined) this.#set(key, before);
    }
  }
}
