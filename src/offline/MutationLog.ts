/** The waiting mutations on the disk, in queues that are sent from the head. */
import { DEV } from '../errors.ts';
import type { Args } from '../schema/schema.ts';
import { EntryStore, restoreLog } from './EntryStore.ts';
import type { EntryRecord } from './EntryStore.ts';
import { moveEntry, pauseOf, withServerKeys, ANSWER, answerKey } from './LogEntry.ts';
import * as results from './LogEntry.ts';
import type { LogEntry, MovedIds, NewLogEntry, QueueId, PersistedResult } from './LogEntry.ts';
import { UNDECODED } from './LogStore.ts';
import type { LogRecords, LogStore, LostRecords } from './LogStore.ts';
import type { MergeRules } from './createMergeRules.ts';

/*
 * Sending takes two changes of the log:
 *
 *   add      the mutation, counted as sent if sent at once
 *   settle   the end of the mutation; the mutations that are sent next count as sent
 *
 * A mutation counts as sent before the request begins, so that it is neither merged nor cancelled after a crash.
 *
 *   entry:id    a mutation that waits
 *   aside:id    a mutation that no build could send so far
 *   answer:id   the result of a mutation, for other pages
 *   lease:name  a lock, in browsers without Web Locks
 *
 * Each method is a transaction.
 */

// how many results are kept: other pages look as soon as allowed to send a queue
const MAX_RESULTS = 100;

/** The result of a mutation, or the queue in which it waits; undefined: the log does not know the mutation. */
type MutationStatus = PersistedResult | { readonly queue: QueueId } | undefined;

/** A record that cannot be sent, with the reason. */
export interface Unsent {
  /** Undefined if the record cannot be read. */
  readonly entry: LogEntry | undefined;
  readonly value: unknown;
  readonly reason: string;
}

interface Contents {
  /** The waiting mutations, in the order of issue. */
  readonly entries: readonly LogEntry[];
  readonly dropped: readonly Unsent[];
  readonly aside: readonly Unsent[];
  /** The reasons why records cannot be decoded. These records stay in the log. */
  readonly undecoded: readonly unknown[];
}

/** What may have happened to a mutation while being logged. */
interface DraftState {
  /** True after a log out, whose tab may have emptied the log while the mutation was being written. */
  readonly isOver: () => boolean;
  /** True if another page may have put the mutation into the log. */
  readonly mayBeLogged: () => boolean;
}

/** How a mutation has ended. */
interface Settlement extends PersistedResult {
  /** Of the response, on which the mutations behind are based; `''`: none; undefined: unchanged. */
  readonly etag?: string | undefined;
  /** True if no other page waits for the result, as far as this page knows, and no mutation needs its keys. */
  readonly isPrivate?: boolean;
  /** Queues of which this page sends the heads next. */
  readonly next?: readonly QueueId[];
  readonly now?: number;
}

/** Functions and options that describe mutations to the log. */
export interface MutationForms extends EntryForms {
  /** The queue of a mutation without temporary keys in its arguments. */
  readonly queueIdOf: (name: string, args: Args) => QueueId;
  /** Undefined: nothing is merged. */
  readonly rules: MergeRules | undefined;
}

export class MutationLog {
  readonly #store: LogStore;
  readonly #forms: MutationForms;
  /** Calls of `queues` share a transaction: `retry` may be called often. */
  #queues: Promise<ReadonlyMap<number, QueueId>> | undefined;

  /** The ids of mutations that have got another id, by their idempotency keys. */
  readonly #moved = new Map<string, number>();
  /** How often mutations count as sent that this page is about to send, by their idempotency keys. */
  readonly #claimed = new Map<string, number>();
  /** Mutations up to this id are of an ended session: the storage has refused to empty the log. */
  #endedUpTo = 0;
  /** Called when mutations have got new ids. */
  onMove: (ids: MovedIds) => void = () => {};

  constructor(store: LogStore, forms: MutationForms) {
    this.#store = store;
    this.#forms = forms;
  }

  /** Puts the records of a deleted log into the present log. See `LogStore`. */
  restore(records: LogRecords, lost: LostRecords['records'], hasSameIds: boolean): () => void {
    const ids = restoreLog(records, lost, hasSameIds);
    if (ids.size === 0) return () => {};
    for (const { entry } of new EntryStore(records).allRecords())
      if (entry !== undefined) this.#moved.set(entry.idempotencyKey, entry.id);
    return () => this.onMove(ids);
  }

  /** The entry under the present id: the caller may have read the entry before the log was replaced. */
  #moveEntry(entry: LogEntry): LogEntry {
    const id = this.#moved.get(entry.idempotencyKey);
    return id === undefined
      ? entry
      : moveEntry(entry, (oldId) => (oldId === entry.id ? id : oldId));
  }

  /**
   * `etag`: of the version that the user sees; `''`: unknown; undefined: not needed. Resolves with undefined if the
   * entity to change was never created. Rejects if the mutation cannot be stored: no disk, no space, arguments that
   * cannot be cloned, a transform that fails. `isNext`: the mutation counts as sent if at the head of the queue.
   */
  add(
    draft: NewLogEntry,
    etag: string | undefined,
    isNext: boolean,
    { isOver, mayBeLogged }: DraftState,
  ): Promise<LogEntry | undefined> {
    let emptied: number | undefined;
    return this.#change((records) => {
      emptied ??= records.marks.emptied;
      if (records.marks.emptied !== emptied && isOver()) return undefined;
      const entries = new EntryStore(records);
      const adopted = mayBeLogged() ? entries.withKey(draft.idempotencyKey) : undefined;
      if (adopted !== undefined) return adopted;
      const id = ++records.last;
      const placed = this.#place(records, { ...draft, id, queue: '' });
      if (placed === undefined) return undefined;
      const isClaimed =
        isNext && typeof placed.queue === 'string' && entries.head(placed.queue) === undefined;
      const entry = isClaimed ? { ...placed, attempts: 1 } : placed;
      this.#claimed.set(entry.idempotencyKey, entry.attempts);
      // the user sees the earlier mutations, which are based on this ETag
      const known = etag === '' ? (entries.all(entry.queue).at(-1)?.etag ?? '') : entry.etag;
      entries.put({ ...entry, etag: known });
      // the copy of the log: the caller may change the arguments later
      return entries.get(id);
    });
  }

  /** A mutation that was not logged yet. */
  draft(
    mutation: Pick<NewLogEntry, 'name' | 'args' | 'idempotencyKey' | 'since' | 'tempIds'>,
    etag = '',
  ): NewLogEntry {
    const { version } = this.#forms;
    return { ...mutation, version, etag, attempts: 0, pause: [0, 0], revision: 0, merged: [] };
  }

  /**
   * Logs the mutation of a page that was left, unless that page has logged the mutation after all. Undefined if there is
   * nothing to send: the next `read` migrates mutations of another version.
   */
  adopt(entry: LogEntry): Promise<LogEntry | undefined> {
    return this.#change((records) => {
      const entries = new EntryStore(records);
      if (entries.withKey(entry.idempotencyKey) !== undefined) return undefined;
      const placed = this.#place(records, { ...entry, id: ++records.last });
      const logged = placed && entries.put(placed);
      return entry.version === this.#forms.version ? logged : undefined;
    });
  }

  /** The entry in its queue, with the keys known by now; undefined if a key will never be known. */
  #place(records: LogRecords, entry: LogEntry): LogEntry | undefined {
    const creation = entry.tempIds[0]?.[1];
    if (creation === undefined)
      return inQueue(entry, this.#forms.queueIdOf(entry.name, entry.args));
    const stored = results.decodeResult(records.get(answerKey(creation)));
    if (stored === undefined) return inQueue(entry, creation);
    const next = withServerKeys(entry, creation, stored.keys);
    return next && this.#place(records, next);
  }

  /** Reads all entries, and puts each in its queue. Entries that this build cannot send are set aside. */
  read(): Promise<Contents> {
    return this.#change((records) => {
      const all = new EntryStore(records);
      // a creation comes before the changes of the created entity
      const found = [...all.allRecords()].sort((a, b) => (a.entry?.id ?? 0) - (b.entry?.id ?? 0));
      const { last, marks } = records;
      if (found.some(({ entry }) => entry !== undefined && entry.id > marks.seen))
        records.marks = { ...marks, seen: last };
      const undecoded = Array.from(records.group(UNDECODED).values(), ({ value }) => value);
      return { ...this.#classify(records, found), undecoded };
    });
  }

  #classify(records: LogRecords, found: readonly EntryRecord[]): Omit<Contents, 'undecoded'> {
    const all = new EntryStore(records);
    const ids = new Set(found.map(({ entry }) => entry?.id));
    const entries: LogEntry[] = [];
    const dropped: Unsent[] = [];
    const aside: Unsent[] = [];
    for (const { key, entry: old, value } of found) {
      const drop = (reason: string) => {
        dropped.push({ entry: old, value, reason });
        ids.delete(old?.id);
        records.delete(key);
      };
      if (old === undefined) {
        drop(DEV ? 'the record is damaged' : 'damaged');
        continue;
      }
      const adapted = adaptEntry(old, this.#forms);
      const placed = this.#place(records, adapted.entry);
      const isLost =
        placed === undefined || (typeof placed.queue === 'number' && !ids.has(placed.queue));
      if (adapted.drop !== undefined) drop(adapted.drop);
      else if (isLost) drop(DEV ? 'the creation of its entity is not in the log' : 'creation');
      else if (adapted.aside === undefined) entries.push(all.replace(key, old, placed, 'entry'));
      else {
        const entry = all.replace(key, old, placed, 'aside');
        aside.push({ entry, value, reason: adapted.aside });
      }
    }
    return { entries, dropped, aside };
  }

  /** The queues of all waiting mutations, by the id of the mutation. */
  queues(): Promise<ReadonlyMap<number, QueueId>> {
    const end = () => (this.#queues = undefined);
    this.#queues ??= this.#change((records) => {
      this.#takeBack(records);
      return new EntryStore(records).queues();
    }).finally(end);
    return this.#queues;
  }

  /** A page of another build sets aside mutations of this build, which return to their queues. */
  #takeBack(records: LogRecords): void {
    const entries = new EntryStore(records);
    for (const entry of entries.aside()) {
      const placed = this.#isOwn(entry) ? this.#place(records, entry) : undefined;
      if (placed === undefined) continue;
      entries.delete(entry);
      entries.put(placed);
    }
  }

  /** True for a mutation that this build can send. */
  #isOwn({ version, name }: LogEntry): boolean {
    return version === this.#forms.version && this.#forms.has(name);
  }

  /**
   * The head of a queue, counted as sent once more if `isDue`, which is called again if another page has changed the log
   * meanwhile.
   */
  async claimHead(
    queue: QueueId,
    isDue: (entry: LogEntry) => boolean,
  ): Promise<LogEntry | undefined> {
    const claimed = await this.#change((records) => this.#claimIn(records, queue, isDue));
    if (claimed?.isDue) this.#claimed.delete(claimed.entry.idempotencyKey);
    return claimed?.entry;
  }

  #claimIn(
    records: LogRecords,
    queue: QueueId,
    isDue: (entry: LogEntry) => boolean,
  ): { readonly entry: LogEntry; readonly isDue: boolean } | undefined {
    const entries = new EntryStore(records);
    this.#takeBack(records);
    let head = entries.head(queue);
    while (head !== undefined && this.#cancel(records, head)) head = entries.head(queue);
    // an entry of another build, which runs in another page
    if (head?.version !== this.#forms.version) return undefined;
    if (!isDue(head)) return { entry: head, isDue: false };
    // counted as sent when added, or when the previous mutation ended
    if (head.attempts > 0 && this.#claimed.get(head.idempotencyKey) === head.attempts)
      return { entry: head, isDue: true };
    const merged = this.#merge(entries, head);
    const entry = { ...merged, attempts: merged.attempts + 1 };
    if (merged === head) entries.markSent(entry.id, entry.attempts);
    else entries.put(entry);
    return { entry, isDue: true };
  }

  /** True if a creation and all changes of the created entity cancel out: all are removed. */
  #cancel(records: LogRecords, head: LogEntry): boolean {
    const { rules, version } = this.#forms;
    if (rules === undefined || head.attempts > 0 || head.version !== version) return false;
    const later = new EntryStore(records).all(head.id);
    if (!rules.cancels(head, later)) return false;
    const result = { result: { error: cancelReason() }, keys: [] };
    for (const entry of [head, ...later]) this.#removeSettled(records, entry, result);
    return true;
  }

  /** The head, merged with the following entries as far as possible. */
  #merge(entries: EntryStore, head: LogEntry): LogEntry {
    const { rules, version } = this.#forms;
    if (rules === undefined || head.attempts > 0) return head;
    let entry = head;
    for (const later of entries.all(head.queue).slice(1)) {
      const args = later.version === version ? rules.merge(entry, later) : undefined;
      if (args === undefined) break;
      entries.delete(entry);
      const { id, name, merged, etag } = entry;
      entry = { ...later, args, etag, merged: [...merged, [id, name]] };
    }
    return entry;
  }

  /** Replaces an entry that is still there. */
  update(known: LogEntry): Promise<void> {
    return this.#change((records) => {
      const entry = this.#moveEntry(known);
      const entries = new EntryStore(records);
      const stored = entries.get(entry.id);
      // another page may have moved or migrated the entry
      if (stored?.queue === entry.queue && stored.version === entry.version) entries.put(entry);
    });
  }

  /**
   * Removes the entry, records the result, and moves the entries that wait for the keys of the created entities to
   * other queues, which are returned. Without these keys the entries are removed as well.
   */
  settle(known: LogEntry, settlement: Settlement): Promise<readonly QueueId[]> {
    const { etag = known.etag, next = [], now = 0 } = settlement;
    const claims: string[] = [];
    return this.#change((records) => {
      // claims of a run that was undone, because another page has changed the log
      for (const key of claims.splice(0)) this.#claimed.delete(key);
      const entry = this.#moveEntry(known);
      this.#claimed.delete(entry.idempotencyKey);
      const answered = records.keysOf(ANSWER).map((key) => Number(key.slice(ANSWER.length + 1)));
      for (const id of answered.sort((a, b) => a - b).slice(0, -MAX_RESULTS))
        records.delete(answerKey(id));
      const freed = this.#removeSettled(records, entry, settlement);
      const entries = new EntryStore(records);
      if (etag !== entry.etag)
        for (const later of entries.all(entry.queue)) entries.put({ ...later, etag });
      for (const queue of next) {
        const claim = this.#claimIn(records, queue, (head) => pauseOf(head, now) === 0);
        if (claim?.isDue !== true) continue;
        const { idempotencyKey, attempts } = claim.entry;
        this.#claimed.set(idempotencyKey, attempts);
        claims.push(idempotencyKey);
      }
      return [...new Set(freed.map(({ queue }) => queue))];
    });
  }

  #removeSettled(records: LogRecords, entry: LogEntry, settlement: Settlement): LogEntry[] {
    const entries = new EntryStore(records);
    entries.delete(entry);
    this.#recordResults(records, entry, settlement);
    const { result, keys } = settlement;
    const freed: LogEntry[] = [];
    for (const dependent of entries.all(entry.id)) {
      entries.delete(dependent);
      const placed = this.#place(records, dependent);
      // the queues of another build are unknown here
      const section = this.#isOwn(dependent) ? 'entry' : 'aside';
      if (placed !== undefined) freed.push(entries.put(placed, section));
      else {
        const failed = results.failedDependency(dependent, { result, keys });
        freed.push(...this.#removeSettled(records, dependent, failed));
      }
    }
    return freed;
  }

  #recordResults(records: LogRecords, entry: LogEntry, { isPrivate, ...found }: Settlement): void {
    const { result, keys } = found;
    const ids = [entry.id, ...entry.merged.map(([id]) => id)];
    const canBeAwaited = ids.some((id) => id <= records.marks.seen);
    if (isPrivate === true && !canBeAwaited) return new EntryStore(records).markEnded(ids);
    records.put(answerKey(entry.id), results.encodeResult({ result, keys }));
    for (const [id, name] of entry.merged) {
      const mergedResult = results.resultOfMerged(name, entry, result);
      records.put(answerKey(id), results.encodeResult({ keys, result: mergedResult }));
    }
  }

  /** The status of a mutation that is no longer in the expected place. */
  status(entry: LogEntry): Promise<MutationStatus> {
    return this.#change((records) => {
      const { id, queue: known } = this.#moveEntry(entry);
      const stored = results.decodeResult(records.get(answerKey(id)));
      if (stored !== undefined) return stored;
      const entries = new EntryStore(records);
      const queue = entries.queueOf(id);
      if (queue !== undefined) return { queue };
      const isMerged = entries
        .all(known)
        .some(({ merged }) => merged.some(([mergedId]) => mergedId === id));
      return isMerged ? { queue: known } : undefined;
    });
  }

  /** Removes an entry that was set aside. */
  removeAside(id: number): Promise<void> {
    return this.#change((records) => new EntryStore(records).removeAside(id));
  }

  /** Removes everything. If the storage refuses, the next change removes all that is known now. */
  clear(): Promise<void> {
    return this.#change(() => {}, Infinity);
  }

  /** This log replaces another of the same records: mutations that the other has to remove are removed here. */
  replace(former: MutationLog): void {
    this.#endedUpTo = former.#endedUpTo;
  }

  /** `endedUpTo`: mutations up to this id are removed before. */
  async #change<T>(work: (records: LogRecords) => T, endedUpTo = 0): Promise<T> {
    const { last } = this.#store;
    let upTo = endedUpTo;
    try {
      return await this.#store.change((records) => {
        // `work` may run again
        upTo = Math.max(upTo, this.#endedUpTo);
        this.#endedUpTo = 0;
        if (upTo > 0) removeUpTo(records, upTo);
        return work(records);
      });
    } catch (error) {
      // another page may have logged the mutations of a new session since
      this.#endedUpTo = Math.max(this.#endedUpTo, Math.min(upTo, last));
      throw error;
    }
  }
}

/** Removes the mutations up to this id. Ids go on: requests under way elsewhere do not meet later entries. */
function removeUpTo(records: LogRecords, last: number): void {
  const keys = new EntryStore(records).allRecords().map(({ key }) => key);
  // a damaged record has no number
  for (const key of [...keys, ...records.keysOf(ANSWER), ...records.keysOf(UNDECODED)])
    if (!(Number(key.slice(key.indexOf(':') + 1)) > last)) records.delete(key);
  records.marks = { ...records.marks, emptied: records.marks.emptied + 1 };
}

function inQueue(entry: LogEntry, queue: QueueId): LogEntry {
  return entry.queue === queue ? entry : { ...entry, queue };
}

interface EntryForms {
  /** The version of the present build. */
  readonly version: string;
  /** True if a mutation of this build has the name. */
  readonly has: (name: string) => boolean;
  /** Converts an entry of another version; undefined: no conversion is known; null: the entry is dropped. */
  readonly migrate: (entry: LogEntry) => LogEntry | undefined | null;
}

/** The result for an entry: `aside` and `drop` tell why the entry is not sent. */
interface Adapted {
  readonly entry: LogEntry;
  readonly aside?: string;
  readonly drop?: string;
}

/** The entry in the form of the present build. */
function adaptEntry(old: LogEntry, { version, has, migrate }: EntryForms): Adapted {
  let entry: LogEntry | undefined | null = old;
  if (old.version !== version) {
    try {
      entry = migrate(old);
    } catch (error) {
      return { entry: old, aside: `migrate: ${String(error)}` };
    }
  }
  if (entry === null) return { entry: old, drop: DEV ? "migrate() returned 'drop'" : 'migrate' };
  if (entry === undefined) return { entry: old, aside: `version ${old.version}` };
  return has(entry.name) ? { entry } : { entry: old, aside: `name ${entry.name}` };
}

/** The error for callers: a creation that was deleted unsent has no entity to return. */
export function cancelReason(): Error {
  const error = new Error('it was merged with a later mutation of the entity');
  return Object.assign(error, { name: 'AbortError' });
}
