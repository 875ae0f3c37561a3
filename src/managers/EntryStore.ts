/** The entries of the log in one transaction. */
import { ask, within } from './Disk.ts';
import { read, write } from './LogEntry.ts';
import type { LogEntry, QueueId } from './LogEntry.ts';

/** `entry`: mutations that wait; `aside`: mutations that no build could send so far. */
export type Section = 'entry' | 'aside';

type Key = [section: Section, queue: QueueId, id: number];

const keyOf = ({ queue, id }: LogEntry, section: Section): Key => [section, queue, id];

/** A record with its entry; undefined if the record cannot be read. */
interface Found {
  readonly entry: LogEntry | undefined;
  readonly value: unknown;
}

export class EntryStore {
  readonly #store: IDBObjectStore;

  constructor(store: IDBObjectStore) {
    this.#store = store;
  }

  put(entry: LogEntry, section: Section = 'entry'): LogEntry {
    this.#store.put(write(entry), keyOf(entry, section));
    return entry;
  }

  delete(entry: LogEntry): void {
    this.#store.delete(keyOf(entry, 'entry'));
  }

  async has(entry: LogEntry): Promise<boolean> {
    return (await ask(this.#store.getKey(keyOf(entry, 'entry')))) !== undefined;
  }

  /** The first entry of a queue. */
  async head(queue: QueueId): Promise<LogEntry | undefined> {
    const [key] = await ask(this.#store.getAllKeys(within('entry', queue), 1));
    return key === undefined ? undefined : read(await ask(this.#store.get(key)), key);
  }

  /** The last entry of a queue. */
  async last(queue: QueueId): Promise<LogEntry | undefined> {
    const cursor = await ask(this.#store.openCursor(within('entry', queue), 'prev'));
    return cursor === null ? undefined : read(cursor.value, cursor.key);
  }

  /** The entries of a queue, in the order of issue. */
  async all(queue: QueueId): Promise<readonly LogEntry[]> {
    const found = await this.#find(within('entry', queue));
    return found.flatMap(({ entry }) => entry ?? []);
  }

  /** Removes and gives all records of a section. */
  async takeAll(section: Section): Promise<readonly Found[]> {
    const found = await this.#find(within(section));
    this.#store.delete(within(section));
    return found;
  }

  async #find(range: IDBKeyRange): Promise<readonly Found[]> {
    const values: unknown[] = await ask(this.#store.getAll(range));
    const keys = await ask(this.#store.getAllKeys(range));
    return keys.map((key, at) => ({ entry: read(values[at], key), value: values[at] }));
  }

  /** The queue of each mutation that waits, by its id. */
  async queues(): Promise<ReadonlyMap<number, QueueId>> {
    const keys = (await ask(this.#store.getAllKeys(within('entry')))) as Key[];
    return new Map(keys.map(([, queue, id]) => [id, queue]));
  }

  /** The queue of an entry that waits or was set aside. */
  async queueOf(id: number): Promise<QueueId | undefined> {
    return (await this.#keyOf(id))?.[1];
  }

  /** Removes an entry that was set aside. */
  async removeAside(id: number): Promise<void> {
    const key = await this.#keyOf(id);
    if (key?.[0] === 'aside') this.#store.delete(key);
  }

  async #keyOf(id: number): Promise<Key | undefined> {
    const entries = await ask(this.#store.getAllKeys(within('entry')));
    const aside = await ask(this.#store.getAllKeys(within('aside')));
    return ([...entries, ...aside] as Key[]).find((key) => key[2] === id);
  }
}
