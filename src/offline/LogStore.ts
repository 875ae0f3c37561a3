/** The records of a log: transactions on a copy in memory, which become changes of a storage that pages share. */
import type {
  PersistStorage,
  StorageWrite,
  StoredData,
  Transform,
} from '../sync/PersistStorage.ts';
import {
  appendedId,
  appendedLogHead,
  hasSameIds,
  intactLogHead,
  isEncodedId,
  isLost,
  isSameChange,
  logHeadIn,
  logHeadText,
  nextLogHead,
  recordId,
  repairedLogHead,
  replacementHead,
  revisionOf,
  stepsSince,
  validIds,
  markEnded,
  NO_MARKS,
} from './LogHead.ts';
import type { LogHead, LogMarks } from './LogHead.ts';
import { pack, seal, unpack, unseal } from './logData.ts';
import type { PackedRecord } from './logData.ts';

/*
 *   work on the copy ──► what changed is encoded ──► the log is as known: written
 *         ▲                                            │
 *         └──── read what other pages have written ◄───┴── another page has changed the log: undone
 *
 * A change writes records and the head; a change that only adds a single record appends this record alone. The log is
 * as known if the head is as known, and if no record was appended after the last known record.
 *
 * A transaction begins while earlier transactions are being written. If a transaction fails, all later transactions are
 * undone, too, and run again.
 *
 * A record is never overwritten: each change writes records under new ids. So a page reads only the records
 * that other pages have written since.
 *
 * If the storage has lost the log (the user or the browser has cleared the data of the site), the copy is put into the
 * new log, by a transaction before all others.
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
   * Puts lost records into the present log; the result is called once the records are written. `isSame`: ids mean the
   * same mutations in both logs.
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
  /** The id of the only record, if that record is appended. */
  readonly appended: string | undefined;
  /** Set when encoded. */
  records?: ReadonlyMap<string, StoredData>;
  /** Set if the transaction was not written: with an error of the storage or the transform, or another page's head. */
  failed?: { readonly error?: unknown };
}

/** The group of records that cannot be read, though no transform is missing: other programs write to disks, too. */
export const DAMAGED = 'damaged';

// how many appended records of other pages are read at once
const AT_ONCE = 16;

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
  /** The greatest id of a mutation that was read or written, even if unknown to the head. */
  #last = 0;
  /** The last known marks, for a log that replaces a deleted log. */
  #marks: LogMarks = NO_MARKS;
  /** The head as of the copy; undefined: nothing was read. */
  #head: LogHead | undefined;
  #waiting: Transaction[] = [];
  /** In the order of execution. */
  #running: PendingWrite[] = [];
  /** True while a transaction runs, the copy is read, or a failed transaction waits for the later ones to fail. */
  #isBusy = false;
  #isWriting = false;
  /** True after several transactions have failed together, until each was written alone. */
  #isSingle = false;
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

  /** The last known id of a mutation. */
  get last(): number {
    return this.#records.last;
  }

  /**
   * Runs a transaction, which is done completely when the promise resolves, and not at all if the promise rejects.
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

  /** Runs a transaction on the copy, begins the write, and returns the resulting head. */
  #run(transaction: Transaction, head: LogHead): LogHead {
    const records = this.#records;
    const changes = records.begin();
    records.last = head.last;
    records.marks = head.marks;
    let value: unknown;
    try {
      value = transaction.work(records);
    } catch (error) {
      records.rollBack(changes);
      transaction.reject(error);
      return head;
    }
    const running = this.#toWrite({ transaction, value, changes, head });
    this.#running.push(running);
    void this.#write(running);
    return running.next;
  }

  #toWrite(run: Pick<PendingWrite, 'transaction' | 'value' | 'changes' | 'head'>): PendingWrite {
    const { head, changes } = run;
    const records = this.#records;
    const isEncoded = this.#transform !== undefined;
    const puts = [...changes].filter(([, { packed }]) => packed !== undefined);
    const removed = [...this.#garbage];
    this.#garbage = [];
    for (const { before } of changes.values())
      if (before?.id !== undefined) removed.push(before.id);
    const { last, marks } = records;
    const isAppended =
      head.isAppendable &&
      head.isEncoded === isEncoded &&
      puts.length === 1 &&
      removed.length === 0 &&
      marks === head.marks;
    const appended = isAppended ? appendedId(head) : undefined;
    const ids = new Map(
      puts.map(([key], at) => [key, appended ?? recordId(head, at, isEncoded)] as const),
    );
    for (const [key, id] of ids) records.setId(key, id);
    const isSame = ids.size + removed.length === 0 && last === head.last && marks === head.marks;
    const step = [[...ids.values()], removed] as const;
    let next = head;
    if (appended !== undefined) next = appendedLogHead(head, appended, last);
    else if (!isSame) next = nextLogHead(head, step, { last, marks, isEncoded });
    return { ...run, ids, removed, next, appended };
  }

  /** Encodes the changes of a transaction. The write includes the other transactions that are waiting by then. */
  async #write(running: PendingWrite): Promise<void> {
    const encoded = this.#encoded.then(() => this.#encode(running));
    this.#encoded = encoded.catch(() => {});
    try {
      running.records = await encoded;
    } catch (error) {
      running.failed = { error };
    }
    if (!this.#isWriting) await this.#writeAll();
  }

  /** Writes the encoded transactions, in a single change of the storage at a time. */
  async #writeAll(): Promise<void> {
    this.#isWriting = true;
    for (;;) {
      const some = this.#nextWrites();
      if (some.length === 0) break;
      const failed = await this.#writeTogether(some);
      // the error of any of several transactions: each is written alone
      const isUnclear = failed !== undefined && 'error' in failed && some.length > 1;
      if (isUnclear) this.#isSingle = true;
      for (const running of some)
        if (failed === undefined) this.#settle(running);
        else running.failed = isUnclear ? {} : failed;
    }
    this.#isWriting = false;
    // everything encoded is written, unless a transaction has failed, together with all later transactions
    const isFailed = this.#running.some(({ failed }) => failed);
    if (isFailed) this.#isBusy = true;
    const isOver = isFailed && this.#running.every(({ records, failed }) => records ?? failed);
    if (isOver) void this.#recover();
  }

  /** The first transactions, as far as encoded. */
  #nextWrites(): readonly PendingWrite[] {
    const end = this.#running.findIndex(({ records, failed }) => !records || failed);
    const some = end < 0 ? this.#running : this.#running.slice(0, end);
    if (!this.#isSingle) return [...some];
    this.#isSingle = some.length > 1;
    return some.slice(0, 1);
  }

  /** Resolves with undefined if all is written. */
  async #writeTogether(some: readonly PendingWrite[]): Promise<PendingWrite['failed']> {
    const { head } = some[0] as PendingWrite;
    const write = joinWrites(some, this.#prefix, this.#headKey);
    const last = (some.at(-1) as PendingWrite).next;
    const nextKey = this.#prefix + appendedId(head);
    let isSame = false;
    try {
      await this.#storage.change([this.#headKey, nextKey], ([data, found]) => {
        const present = logHeadIn(data);
        const isDue = found === undefined && isSameChange(present, head);
        // the storage may call this again although the change was made: the connection was lost before the response
        const isDone =
          last.tag === head.tag
            ? found !== undefined && isSameData(found, write?.put.get(nextKey))
            : isSameChange(present, last);
        isSame = isDue || isDone;
        return isDue ? write : undefined;
      });
      return isSame ? undefined : {};
    } catch (error) {
      return { error };
    }
  }

  /** The records to put, by their ids. */
  async #encode({ ids, changes }: PendingWrite): Promise<ReadonlyMap<string, StoredData>> {
    const put = new Map<string, StoredData>();
    for (const [key, id] of ids) {
      const packed = changes.get(key)?.packed as PackedRecord;
      put.set(id, await seal(packed, this.#transform));
    }
    return put;
  }

  #settle(running: PendingWrite): void {
    const { ids, removed, value, transaction, next } = running;
    this.#last = Math.max(this.#last, next.last);
    this.#running = this.#running.filter((other) => other !== running);
    for (const id of removed) this.#keys.delete(id);
    for (const [key, id] of ids) this.#keys.set(id, key);
    transaction.resolve(value);
  }

  /** Undoes the failed transactions, reads the writes of other pages, and runs the transactions again. */
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
    if (known !== undefined) this.#marks = known.marks;
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
    const isSame = hasSameIds(log, present);
    const { ended } = this.#marks;
    return {
      work: (records) => {
        const restored = this.#restore(records, lost, isSame);
        // any of the mutations may have been sent, or rendered by other pages
        const marks = { ...records.marks, seen: records.last, suspect: records.last };
        records.marks = isSame ? markEnded(marks, ended) : marks;
        return restored;
      },
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
    if (head === undefined) return this.#readAll();
    if (isSameChange(head, known)) return this.#readAppended(known);
    const steps = stepsSince(head, known);
    if (steps === undefined) return this.#readAll();
    const [added, removed] = steps;
    const found = await this.#get(added.map((id) => this.#prefix + id));
    for (const id of removed) this.#drop(id);
    // a later change has removed what is not found
    await this.#load(added.flatMap((id, at) => (found[at] === undefined ? [] : [[id, found[at]]])));
    return this.#readAppended(head);
  }

  /** Reads the records that were appended after `known`. Returns the resulting head. */
  async #readAppended(known: LogHead): Promise<LogHead> {
    let head = known;
    for (let isComplete = false; !isComplete;) {
      const ids = Array.from({ length: AT_ONCE }, (_, at) => appendedId(head, at));
      const found = await this.#get(ids.map((id) => this.#prefix + id));
      const loaded = ids.flatMap((id, at): [string, StoredData][] =>
        found[at] === undefined ? [] : [[id, found[at]]],
      );
      await this.#load(loaded);
      for (const [id] of loaded) head = appendedLogHead(head, id, Math.max(head.last, this.#last));
      isComplete = loaded.length < AT_ONCE;
    }
    return head;
  }

  async #get(keys: readonly string[]): Promise<readonly (StoredData | undefined)[]> {
    let all: readonly (StoredData | undefined)[] = [];
    if (keys.length > 0) await this.#storage.change(keys, (found) => void (all = found));
    return all;
  }

  async #readAll(): Promise<LogHead> {
    const found = await this.#storage.read(this.#prefix);
    const stored = logHeadIn(found.get(this.#headKey));
    const keys = [...found.keys()].filter((key) => key !== this.#headKey);
    const ids = keys.map((key) => key.slice(this.#prefix.length));
    const intact = intactLogHead(stored, ids);
    let head = intact ?? repairedLogHead(stored, ids);
    if (this.#log !== undefined && isLost(this.#log, head.log)) this.#noteLost(this.#log);
    if (this.#lost !== undefined && head.revision === 0)
      head = replacementHead(this.#lost.log, this.#records.last, this.#marks);
    const valid = new Set(intact === undefined ? ids : validIds(intact, ids));
    // a repaired log is read anew: of records with the same key the last is valid
    for (const id of this.#keys.keys()) if (intact === undefined || !valid.has(id)) this.#drop(id);
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

/** A single change for several transactions; undefined: nothing is to be written. */
function joinWrites(
  some: readonly PendingWrite[],
  prefix: string,
  headKey: string,
): StorageWrite | undefined {
  const put = new Map<string, StoredData>();
  const remove = new Set<string>();
  let head: LogHead | undefined;
  for (const { records = [], removed, next, ...before } of some) {
    for (const id of removed) if (!put.delete(prefix + id)) remove.add(prefix + id);
    for (const [id, data] of records) put.set(prefix + id, data);
    if (next.tag !== before.head.tag) head = next;
  }
  if (head !== undefined) put.set(headKey, logHeadText(head));
  return put.size + remove.size === 0 ? undefined : { put, remove };
}

function isSameData(data: StoredData, other: StoredData | undefined): boolean {
  if (typeof data === 'string' || typeof other === 'string') return data === other;
  return data.length === other?.length && data.every((byte, at) => byte === other[at]);
}

/** A record in memory. */
interface LogRecord {
  readonly value: unknown;
  readonly group: string;
  /** The id in the storage; undefined until written. */
  id: string | undefined;
}

/** A change of a transaction. */
interface LogRecordChange {
  /** The record before; undefined if there was none. */
  readonly before: LogRecord | undefined;
  /** What is to be written; undefined: nothing. */
  readonly packed: PackedRecord | undefined;
}

/** The records of a log in memory, and the changes of transactions until these are written. */
export class LogRecords {
  readonly #groupOf: (key: string, value: unknown) => string;
  readonly #all = new Map<string, LogRecord>();
  readonly #groups = new Map<string, Map<string, LogRecord>>();
  /** The changes of the present transaction, by key. */
  #changes = new Map<string, LogRecordChange>();
  /** The last id of a mutation. */
  last = 0;
  marks: LogMarks = NO_MARKS;

  /** `groupOf`: records of a group are found together. */
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

  /** Begins a transaction. Returns the changes, which grow until the next transaction begins. */
  begin(): ReadonlyMap<string, LogRecordChange> {
    return (this.#changes = new Map());
  }

  /** Sets the id in the storage for a record that the present transaction has put. */
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
