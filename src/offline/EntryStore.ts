/** The entries of the log within a transaction. */
import { moveEntry, decodeEntry, encodeEntry, answerKey } from './LogEntry.ts';
import type { LogEntry, MovedIds, QueueId } from './LogEntry.ts';
import { attemptsOf, hasEnded, markEnded, markSent, unmarkSent } from './LogHead.ts';
import { DAMAGED } from './LogStore.ts';
import type { LogRecords, LostRecords } from './LogStore.ts';

/** `entry`: mutations that wait; `aside`: mutations that no build could send so far. */
type Section = 'entry' | 'aside';

const entryKey = (id: number, section: Section) => `${section}:${id}`;

const idOfKey = (key: string) => Number(key.slice(key.indexOf(':') + 1));

/** A record with the decoded entry; undefined if the record cannot be read. */
export interface EntryRecord {
  readonly key: string;
  readonly entry: LogEntry | undefined;
  readonly value: unknown;
}

/** The entry of a record; undefined if the record is damaged. */
function decodeRecord(key: string, value: unknown): LogEntry | undefined {
  const entry = decodeEntry(value);
  return entry !== undefined && key.endsWith(`:${entry.id}`) ? entry : undefined;
}

const QUEUE = 'queue ';

const groupName = (queue: QueueId) => QUEUE + JSON.stringify(queue);

/** The group of a record of the log: entries of a queue are found together. */
export function groupOfRecord(key: string, value: unknown): string {
  const section = key.slice(0, key.indexOf(':'));
  const entry = section === 'entry' ? decodeRecord(key, value) : undefined;
  if (entry !== undefined) return groupName(entry.queue);
  return section === 'entry' || section.startsWith(QUEUE) ? DAMAGED : section;
}

export class EntryStore {
  readonly #records: LogRecords;

  constructor(records: LogRecords) {
    this.#records = records;
  }

  put(entry: LogEntry, section: Section = 'entry'): LogEntry {
    const records = this.#records;
    records.put(entryKey(entry.id, section), encodeEntry(entry));
    records.marks = unmarkSent(records.marks, entry.id);
    return entry;
  }

  /** Puts the entry of the record `key` into a section; `old`: the entry in the record. */
  replace(key: string, old: LogEntry, entry: LogEntry, section: Section): LogEntry {
    if (entry === old && key === entryKey(old.id, section)) return entry;
    this.#records.delete(key);
    return this.put(entry, section);
  }

  /** The entry counts as sent so often. Writes only the head of the log. */
  markSent(id: number, attempts: number): void {
    const records = this.#records;
    records.marks = markSent(unmarkSent(records.marks, id), id, attempts);
  }

  /** The mutations have ended, and nothing needs their results. */
  markEnded(ids: readonly number[]): void {
    const ranges = ids.map((id) => [id, id] as const);
    this.#records.marks = markEnded(this.#records.marks, ranges);
  }

  /** Another build may have set the entry aside meanwhile. */
  delete({ id }: LogEntry): void {
    this.#records.delete(entryKey(id, 'entry'));
    this.removeAside(id);
    this.#records.marks = unmarkSent(this.#records.marks, id);
  }

  /** The waiting entry, in any queue. */
  get(id: number): LogEntry | undefined {
    return this.#withMarks(decodeEntry(this.#records.get(entryKey(id, 'entry'))));
  }

  #withMarks(entry: LogEntry | undefined): LogEntry | undefined {
    if (entry === undefined) return undefined;
    const attempts = attemptsOf(this.#records.marks, entry.id, entry.attempts);
    return attempts === entry.attempts ? entry : { ...entry, attempts };
  }

  /** The waiting entry with this idempotency key. */
  withKey(idempotencyKey: string): LogEntry | undefined {
    const all = this.allRecords().map(({ entry }) => entry);
    return all.find((entry) => entry?.idempotencyKey === idempotencyKey);
  }

  /** The first entry of a queue. Reads no other: a queue may be long. */
  head(queue: QueueId): LogEntry | undefined {
    let first = Infinity;
    for (const key of this.#records.group(groupName(queue)).keys())
      first = Math.min(first, idOfKey(key));
    return first < Infinity ? this.get(first) : undefined;
  }

  /** The entries of a queue, in the order of issue. */
  all(queue: QueueId): readonly LogEntry[] {
    return this.#entriesIn(groupName(queue));
  }

  #entriesIn(group: string): readonly LogEntry[] {
    return this.#find(group)
      .flatMap(({ entry }) => entry ?? [])
      .sort((a, b) => a.id - b.id);
  }

  /** All records that are or were entries. */
  allRecords(): readonly EntryRecord[] {
    const groups = this.#records.groups.filter((name) => name.startsWith(QUEUE));
    return [...groups, 'aside', DAMAGED].flatMap((group) => this.#find(group));
  }

  /** The entries that were set aside, in the order of issue. */
  aside(): readonly LogEntry[] {
    return this.#entriesIn('aside');
  }

  #find(group: string): readonly EntryRecord[] {
    const all = [...this.#records.group(group)];
    return all.map(([key, { value }]) => {
      const entry = this.#withMarks(decodeRecord(key, value));
      return { key, value, entry };
    });
  }

  /** The queues of all waiting mutations, by the id of the mutation. */
  queues(): ReadonlyMap<number, QueueId> {
    const all = new Map<number, QueueId>();
    for (const name of this.#records.groups) {
      if (!name.startsWith(QUEUE)) continue;
      const queue = JSON.parse(name.slice(QUEUE.length)) as QueueId;
      for (const key of this.#records.group(name).keys()) all.set(idOfKey(key), queue);
    }
    return all;
  }

  /** The queue of an entry that waits or was set aside. */
  queueOf(id: number): QueueId | undefined {
    return (this.get(id) ?? decodeEntry(this.#records.get(entryKey(id, 'aside'))))?.queue;
  }

  /** Removes an entry that was set aside. */
  removeAside(id: number): void {
    this.#records.delete(entryKey(id, 'aside'));
  }
}

/** An entry of a log that the platform has deleted. */
interface LostEntry {
  readonly section: Section;
  readonly entry: LogEntry;
}

/**
 * `hasSameIds`: another page has restored the log before. Otherwise the present log was begun by a page that did not
 * know the lost log, and all mutations get new ids, which are returned.
 */
export function restoreLog(
  records: LogRecords,
  lost: LostRecords['records'],
  hasSameIds: boolean,
): MovedIds {
  const entries = lostEntries(lost);
  const all = new EntryStore(records);
  const present = all.allRecords().flatMap(({ entry }) => entry ?? []);
  if (hasSameIds) {
    const ended = new Set(
      present.flatMap(({ id, merged }) => [id, ...merged.map(([mergedId]) => mergedId)]),
    );
    for (const { section, entry } of entries)
      if (
        !ended.has(entry.id) &&
        !hasEnded(records.marks, entry.id) &&
        records.get(answerKey(entry.id)) === undefined
      )
        all.put(entry, section);
    for (const [key, value] of lost)
      if (/^(answer|lease):/.test(key) && records.get(key) === undefined) records.put(key, value);
    return new Map();
  }
  const known = new Map(present.map((entry) => [entry.idempotencyKey, entry]));
  const ids = new Map<number, number>();
  const newId = (id: number) => ids.get(id) ?? id;
  for (const { entry } of entries) {
    const presentEntry = known.get(entry.idempotencyKey);
    for (const [at, [id]] of entry.merged.entries())
      ids.set(id, presentEntry?.merged[at]?.[0] ?? ++records.last);
    ids.set(entry.id, presentEntry?.id ?? ++records.last);
  }
  for (const { section, entry } of entries)
    if (!known.has(entry.idempotencyKey)) all.put(moveEntry(entry, newId), section);
  return ids;
}

function lostEntries(lost: LostRecords['records']): readonly LostEntry[] {
  const all = lost.flatMap(([key, value]): LostEntry[] => {
    const entry = decodeEntry(value);
    const section = (['entry', 'aside'] as const).find(
      (name) => key === entryKey(entry?.id ?? 0, name),
    );
    return entry === undefined || section === undefined ? [] : [{ section, entry }];
  });
  return all.sort((a, b) => a.entry.id - b.entry.id);
}
