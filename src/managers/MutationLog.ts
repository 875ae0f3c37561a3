/** The mutations that wait, on the disk: in queues, each sent from its head. */
import { DEV } from '../diagnostics.ts';
import type { Args } from '../schema/schema.ts';
import { adaptEntry } from './adaptEntry.ts';
import type { EntryForms } from './adaptEntry.ts';
import { ask, within } from './Disk.ts';
import type { Disk } from './Disk.ts';
import { read, withServerKeys, write } from './LogEntry.ts';
import type { LogEntry, NewLogEntry, QueueId } from './LogEntry.ts';
import * as results from './MutationResult.ts';
import type { PersistedResult } from './MutationResult.ts';

/*
 *   ['entry', queue, id]   a mutation that waits
 *   ['aside', queue, id]   one that no build that has read the log could send
 *   ['answer', id]         the result of one, for other pages
 *   'last'                 the id that was given last
 *
 * Each method is one transaction.
 */
type Section = 'entry' | 'aside';
const keyOf = ({ queue, id }: LogEntry, section: Section = 'entry') => [section, queue, id];

// results that are kept: other pages look as soon as a queue is theirs
const MOST = 100;

/** What is known of a mutation whose page waits for it: its result, or where it is. */
export type MutationStatus = PersistedResult | { readonly queue: QueueId } | undefined;

/** A record that cannot be sent, with the reason. */
export interface Unsent {
  /** Undefined where the record cannot be read. */
  readonly entry: LogEntry | undefined;
  readonly value: unknown;
  readonly reason: string;
}

interface Contents {
  /** What waits, in the order of issue. */
  readonly entries: readonly LogEntry[];
  readonly dropped: readonly Unsent[];
  readonly aside: readonly Unsent[];
}

/** What the log needs to know about mutations. */
export interface MutationForms extends EntryForms {
  /** The queue of a mutation whose arguments hold no temporary keys. */
  readonly queueIdOf: (name: string, args: Args) => QueueId;
}

export class MutationLog {
  readonly #disk: Disk;
  readonly #forms: MutationForms;

  constructor(disk: Disk, forms: MutationForms) {
    this.#disk = disk;
    this.#forms = forms;
  }

  #put(store: IDBObjectStore, entry: LogEntry, section?: Section): LogEntry {
    store.put(write(entry), keyOf(entry, section));
    return entry;
  }

  /**
   * `etag`: of what the user sees; `''`: none is known; undefined: none is asked for.
   * Resolves with undefined where the entity that it changes was never created. Rejects where it cannot be stored: no
   * disk, no space, arguments that cannot be cloned.
   */
  add(
    draft: Pick<NewLogEntry, 'name' | 'args' | 'idempotencyKey' | 'since' | 'tempIds'>,
    etag?: string,
  ): Promise<LogEntry | undefined> {
    const { version } = this.#forms;
    return this.#disk.change(async (store) => {
      const id = (((await ask(store.get('last'))) as number | undefined) ?? 0) + 1;
      store.put(id, 'last');
      const none = { attempts: 0, pause: [0, 0], revision: 0, queue: '' } as const;
      const entry = await this.#place(store, { ...draft, ...none, version, id, etag: etag ?? '' });
      if (entry === undefined) return undefined;
      // the user sees the mutations before it, which are based on this ETag
      const known = etag === '' ? ((await last(store, entry.queue))?.etag ?? '') : entry.etag;
      return this.#put(store, { ...entry, etag: known });
    });
  }

  /** The entry in its queue, with the keys that are known by now; undefined where it never gets them. */
  async #place(store: IDBObjectStore, entry: LogEntry): Promise<LogEntry | undefined> {
    const creation = entry.tempIds[0]?.[1];
    if (creation === undefined)
      return { ...entry, queue: this.#forms.queueIdOf(entry.name, entry.args) };
    const stored: unknown = await ask(store.get(['answer', creation]));
    if (stored === undefined) return { ...entry, queue: creation };
    const next = withServerKeys(entry, creation, results.read(stored).keys);
    return next && this.#place(store, next);
  }

  /** Reads everything, and puts each entry where it belongs: what this build cannot send is set aside. */
  read(): Promise<Contents> {
    return this.#disk.change(async (store) => {
      const found = [...(await takeAll(store, 'entry')), ...(await takeAll(store, 'aside'))];
      // a creation comes before what changes the created entity
      found.sort((a, b) => (a.entry?.id ?? 0) - (b.entry?.id ?? 0));
      const ids = new Set(found.map(({ entry }) => entry?.id));
      const entries: LogEntry[] = [];
      const dropped: Unsent[] = [];
      const aside: Unsent[] = [];
      for (const { entry: old, value } of found) {
        const drop = (reason: string) => {
          dropped.push({ entry: old, value, reason });
          ids.delete(old?.id);
        };
        if (old === undefined) {
          drop(DEV ? 'it is damaged' : 'damaged');
          continue;
        }
        const adapted = adaptEntry(old, this.#forms);
        const placed = await this.#place(store, adapted.entry);
        const isLost =
          placed === undefined || (typeof placed.queue === 'number' && !ids.has(placed.queue));
        if (adapted.drop !== undefined) drop(adapted.drop);
        else if (isLost) drop(DEV ? 'the creation of what it changes is not there' : 'creation');
        else if (adapted.aside === undefined) entries.push(this.#put(store, placed));
        else {
          const entry = this.#put(store, placed, 'aside');
          aside.push({ entry, value, reason: adapted.aside });
        }
      }
      return { entries, dropped, aside };
    });
  }

  /** The queue of each mutation that waits, by its id. */
  async queues(): Promise<ReadonlyMap<number, QueueId>> {
    const keys = await this.#disk.look((store) => ask(store.getAllKeys(within('entry'))));
    return new Map((keys as [Section, QueueId, number][]).map(([, queue, id]) => [id, queue]));
  }

  /** The head of a queue, counted as sent once more where it `isDue`. */
  claimHead(queue: QueueId, isDue: (entry: LogEntry) => boolean): Promise<LogEntry | undefined> {
    return this.#disk.change(async (store) => {
      const [key] = await ask(store.getAllKeys(within('entry', queue), 1));
      if (key === undefined) return undefined;
      const entry = read(await ask(store.get(key)), key);
      // of another build, which runs in another page
      if (entry?.version !== this.#forms.version) return undefined;
      return isDue(entry) ? this.#put(store, { ...entry, attempts: entry.attempts + 1 }) : entry;
    });
  }

  /** Replaces an entry that is still there. */
  update(entry: LogEntry): Promise<void> {
    return this.#disk.change(async (store) => {
      const present = await ask(store.getKey(keyOf(entry)));
      if (present !== undefined) this.#put(store, entry);
    });
  }

  /**
   * Removes the entry, records its result, and moves the entries that wait for the keys of what it created to their own
   * queues, which are the result. Without those keys these are removed as well. `etag`: of the response, `''` where it
   * has none: the entries behind are based on it.
   */
  settle(
    entry: LogEntry,
    result: PersistedResult,
    etag: string = entry.etag,
  ): Promise<readonly QueueId[]> {
    return this.#disk.change(async (store) => {
      store.delete(IDBKeyRange.bound(['answer'], ['answer', entry.id - MOST]));
      const freed = await this.#end(store, entry, result);
      if (etag !== entry.etag) await this.#rebase(store, entry.queue, etag);
      return [...new Set(freed.map(({ queue }) => queue))];
    });
  }

  /** The entity has another ETag. */
  async #rebase(store: IDBObjectStore, queue: QueueId, etag: string): Promise<void> {
    for (const key of await ask(store.getAllKeys(within('entry', queue)))) {
      const entry = read(await ask(store.get(key)), key);
      if (entry !== undefined) this.#put(store, { ...entry, etag });
    }
  }

  async #end(store: IDBObjectStore, entry: LogEntry, result: PersistedResult): Promise<LogEntry[]> {
    const { id } = entry;
    store.delete(keyOf(entry));
    store.put(results.write(result), ['answer', id]);
    const freed: LogEntry[] = [];
    for (const key of await ask(store.getAllKeys(within('entry', id)))) {
      const dependent = read(await ask(store.get(key)), key);
      store.delete(key);
      if (dependent === undefined) continue;
      const placed = await this.#place(store, dependent);
      if (placed !== undefined) freed.push(this.#put(store, placed));
      else {
        const failed = results.failedDependency(dependent, result);
        freed.push(...(await this.#end(store, dependent, failed)));
      }
    }
    return freed;
  }

  /** What is known of a mutation that is not where it was. */
  status({ id }: LogEntry): Promise<MutationStatus> {
    return this.#disk.look(async (store) => {
      const stored: unknown = await ask(store.get(['answer', id]));
      if (stored !== undefined) return results.read(stored);
      const key = await keyOfId(store, id);
      return key && { queue: key[1] };
    });
  }

  /** Removes an entry that was set aside. */
  removeAside(id: number): Promise<void> {
    return this.#disk.change(async (store) => {
      const key = await keyOfId(store, id);
      if (key?.[0] === 'aside') store.delete(key);
    });
  }

  /** Removes everything. Ids go on: requests under way elsewhere do not meet later entries. */
  clear(): Promise<void> {
    return this.#disk.change((store) => {
      for (const part of ['entry', 'aside', 'answer']) store.delete(within(part));
    });
  }
}

type Key = [Section, QueueId, number];

async function keyOfId(store: IDBObjectStore, id: number): Promise<Key | undefined> {
  const entries = await ask(store.getAllKeys(within('entry')));
  const aside = await ask(store.getAllKeys(within('aside')));
  return ([...entries, ...aside] as Key[]).find((key) => key[2] === id);
}

/** The last entry of a queue. */
async function last(store: IDBObjectStore, queue: QueueId): Promise<LogEntry | undefined> {
  const cursor = await ask(store.openCursor(within('entry', queue), 'prev'));
  return cursor === null ? undefined : read(cursor.value, cursor.key);
}

/** Removes and gives all records of a section. */
async function takeAll(
  store: IDBObjectStore,
  section: Section,
): Promise<readonly Pick<Unsent, 'entry' | 'value'>[]> {
  const all = within(section);
  const values: unknown[] = await ask(store.getAll(all));
  const keys = await ask(store.getAllKeys(all));
  store.delete(all);
  return keys.map((key, at) => ({ entry: read(values[at], key), value: values[at] }));
}
