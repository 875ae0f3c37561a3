/** The entries of the log in one transaction. */
import { readEntry, writeEntry } from './LogEntry.ts';
import type { LogEntry, QueueId } from './LogEntry.ts';
import type { LogRecords } from './LogRecords.ts';
import { DAMAGED } from './LogStore.ts';

/** `entry`: mutations that wait; `aside`: mutations that no build could send so far. */
export type Section = 'entry' | 'aside';

export const entryKey = (id: number, section: Section) => `${section}:${id}`;

const idIn = (key: string) => Number(key.slice(key.indexOf(':') + 1));

/** A record with its entry; undefined if the record cannot be read. */
export interface Found {
  readonly key: string;
  readonly entry: LogEntry | undefined;
  readonly value: unknown;
}

/** The entry of a record; undefined if the record is damaged. */
function entryIn(key: string, value: unknown): LogEntry | undefined {
  const entry = readEntry(value);
  return entry !== undefined && key.endsWith(`:${entry.id}`) ? entry : undefined;
}

const QUEUE = 'queue ';

const groupName = (queue: QueueId) => QUEUE + JSON.stringify(queue);

/** The group of a record of the log: entries of one queue are found together. */
export function groupOfRecord(key: string, value: unknown): string {
  const section = key.slice(0, key.indexOf(':'));
  const entry = section === 'entry' ? entryIn(key, value) : undefined;
  if (entry !== undefined) return groupName(entry.queue);
  return section === 'entry' || section.startsWith(QUEUE) ? DAMAGED : section;
}

export class EntryStore {
  readonly #records: LogRecords;

  constructor(records: LogRecords) {
    this.#records = records;
  }

  put(entry: LogEntry, section: Section = 'entry'): LogEntry {
    this.#records.put(entryKey(entry.id, section), writeEntry(entry));
    return entry;
  }

  /** Puts the entry of the record `key` into a section; `old`: the entry as it is in the record. */
  replace(key: string, old: LogEntry, entry: LogEntry, section: Section): LogEntry {
    if (entry === old && key === entryKey(old.id, section)) return entry;
    this.#records.delete(key);
    return this.put(entry, section);
  }

  delete({ id }: LogEntry): void {
    this.#records.delete(entryKey(id, 'entry'));
  }

  /** The entry, wherever it waits. */
  get(id: number): LogEntry | undefined {
    return readEntry(this.#records.get(entryKey(id, 'entry')));
  }

  /** The first entry of a queue. Reads no other: a queue may be long. */
  head(queue: QueueId): LogEntry | undefined {
    let first = Infinity;
    for (const key of this.#records.group(groupName(queue)).keys())
      first = Math.min(first, idIn(key));
    return first < Infinity ? this.get(first) : undefined;
  }

  /** The entries of a queue, in the order of issue. */
  all(queue: QueueId): readonly LogEntry[] {
    return this.#find(groupName(queue))
      .flatMap(({ entry }) => entry ?? [])
      .sort((a, b) => a.id - b.id);
  }

  /** All records that are or were entries. */
  everything(): readonly Found[] {
    const groups = this.#records.groups.filter((name) => name.startsWith(QUEUE));
    return [...groups, 'aside', DAMAGED].flatMap((group) => this.#find(group));
  }

  #find(group: string): readonly Found[] {
    const all = [...this.#records.group(group)];
    return all.map(([key, { value }]) => ({ key, value, entry: entryIn(key, value) }));
  }

  /** The queue of each mutation that waits, by its id. */
  queues(): ReadonlyMap<number, QueueId> {
    const all = new Map<number, QueueId>();
    for (const name of this.#records.groups) {
      if (!name.startsWith(QUEUE)) continue;
      const queue = JSON.parse(name.slice(QUEUE.length)) as QueueId;
      for (const key of this.#records.group(name).keys()) all.set(idIn(key), queue);
    }
    return all;
  }

  /** The queue of an entry that waits or was set aside. */
  queueOf(id: number): QueueId | undefined {
    return (this.get(id) ?? readEntry(this.#records.get(entryKey(id, 'aside'))))?.queue;
  }

  /** Removes an entry that was set aside. */
  removeAside(id: number): void {
    this.#records.delete(entryKey(id, 'aside'));
  }
}
