/** The mutations that wait, on the disk: in queues, each sent from its head. */
import { DEV } from '../diagnostics.ts';
import type { Args } from '../schema/schema.ts';
import { adaptEntry } from './adaptEntry.ts';
import type { EntryForms } from './adaptEntry.ts';
import { cancelReason } from './cancelRequest.ts';
import type { MergeRules } from './createMergeRules.ts';
import { ask, within } from './Disk.ts';
import type { Disk } from './Disk.ts';
import { EntryStore } from './EntryStore.ts';
import { withServerKeys } from './LogEntry.ts';
import type { LogEntry, NewLogEntry, QueueId } from './LogEntry.ts';
import * as results from './MutationResult.ts';
import type { PersistedResult } from './MutationResult.ts';

/*
 *   ['entry', queue, id]   a mutation that waits
 *   ['aside', queue, id]   a mutation that no build could send so far
 *   ['answer', id]         the result of a mutation, for other pages
 *   'last'                 the last id
 *
 * Each method is one transaction.
 */

// how many results are kept: other pages look as soon as they may send a queue
const MOST = 100;

/** The result of a mutation, or the queue in which it waits; undefined: the log does not know the mutation. */
export type MutationStatus = PersistedResult | { readonly queue: QueueId } | undefined;

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
}

/** Functions and options that describe mutations to the log. */
export interface MutationForms extends EntryForms {
  /** The queue of a mutation without temporary keys in its arguments. */
  readonly queueIdOf: (name: string, args: Args) => QueueId;
  /** Undefined: nothing is merged. */
  readonly rules: MergeRules | undefined;
}

export class MutationLog {
  readonly #disk: Disk;
  readonly #forms: MutationForms;

  constructor(disk: Disk, forms: MutationForms) {
    this.#disk = disk;
    this.#forms = forms;
  }

  /**
   * `etag`: of the entity as the user sees it; `''`: unknown; undefined: not needed. Resolves with undefined if the
   * entity to change was never created. Rejects if the mutation cannot be stored: no disk, no space, arguments that
   * cannot be cloned.
   */
  add(
    draft: Pick<NewLogEntry, 'name' | 'args' | 'idempotencyKey' | 'since' | 'tempIds'>,
    etag?: string,
  ): Promise<LogEntry | undefined> {
    const { version } = this.#forms;
    return this.#disk.change(async (store) => {
      const id = (((await ask(store.get('last'))) as number | undefined) ?? 0) + 1;
      store.put(id, 'last');
      const none = { attempts: 0, pause: [0, 0], revision: 0, merged: [], queue: '' } as const;
      const entry = await this.#place(store, { ...draft, ...none, version, id, etag: etag ?? '' });
      if (entry === undefined) return undefined;
      const entries = new EntryStore(store);
      // the user sees the mutations before it, which are based on this ETag
      const known = etag === '' ? ((await entries.last(entry.queue))?.etag ?? '') : entry.etag;
      return entries.put({ ...entry, etag: known });
    });
  }

  /** The entry in its queue, with the keys known by now; undefined if it will never get them. */
  async #place(store: IDBObjectStore, entry: LogEntry): Promise<LogEntry | undefined> {
    const creation = entry.tempIds[0]?.[1];
    if (creation === undefined)
      return { ...entry, queue: this.#forms.queueIdOf(entry.name, entry.args) };
    const stored: unknown = await ask(store.get(['answer', creation]));
    if (stored === undefined) return { ...entry, queue: creation };
    const next = withServerKeys(entry, creation, results.decodeResult(stored).keys);
    return next && this.#place(store, next);
  }

  /** Reads all entries, and puts each in its queue. Entries that this build cannot send are set aside. */
  read(): Promise<Contents> {
    return this.#disk.change(async (store) => {
      const all = new EntryStore(store);
      const found = [...(await all.takeAll('entry')), ...(await all.takeAll('aside'))];
      // a creation comes before the changes of the created entity
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
        else if (adapted.aside === undefined) entries.push(all.put(placed));
        else aside.push({ entry: all.put(placed, 'aside'), value, reason: adapted.aside });
      }
      return { entries, dropped, aside };
    });
  }

  /** The queue of each mutation that waits, by its id. */
  queues(): Promise<ReadonlyMap<number, QueueId>> {
    return this.#disk.look((store) => new EntryStore(store).queues());
  }

  /** The head of a queue, counted as sent once more if `isDue`. */
  claimHead(queue: QueueId, isDue: (entry: LogEntry) => boolean): Promise<LogEntry | undefined> {
    return this.#disk.change(async (store) => {
      const entries = new EntryStore(store);
      let head = await entries.head(queue);
      while (head !== undefined && (await this.#cancel(store, head)))
        head = await entries.head(queue);
      // an entry of another build, which runs in another page
      if (head?.version !== this.#forms.version) return undefined;
      if (!isDue(head)) return head;
      const entry = await this.#merge(entries, head);
      return entries.put({ ...entry, attempts: entry.attempts + 1 });
    });
  }

  /** True if a creation and all changes of its entity cancel out: they are removed. */
  async #cancel(store: IDBObjectStore, head: LogEntry): Promise<boolean> {
    const { rules, version } = this.#forms;
    if (rules === undefined || head.attempts > 0 || head.version !== version) return false;
    const later = await new EntryStore(store).all(head.id);
    if (!rules.cancels(head, later)) return false;
    const result = { result: { error: cancelReason() }, keys: [] };
    for (const entry of [head, ...later]) await this.#end(store, entry, result);
    return true;
  }

  /** The head merged with the entries behind it, as far as possible. */
  async #merge(entries: EntryStore, head: LogEntry): Promise<LogEntry> {
    const { rules, version } = this.#forms;
    if (rules === undefined || head.attempts > 0) return head;
    let entry = head;
    for (const later of (await entries.all(head.queue)).slice(1)) {
      const args = later.version === version ? rules.merge(entry, later) : undefined;
      if (args === undefined) break;
      entries.delete(entry);
      const { id, name, merged, etag } = entry;
      entry = { ...later, args, etag, merged: [...merged, [id, name]] };
    }
    return entry;
  }

  /** Replaces an entry that is still there. */
  update(entry: LogEntry): Promise<void> {
    return this.#disk.change(async (store) => {
      const entries = new EntryStore(store);
      if (await entries.has(entry)) entries.put(entry);
    });
  }

  /**
   * Removes the entry, records its result, and moves the entries that wait for the keys of the created entities to
   * their own queues, which are returned. Without these keys the entries are removed as well. `etag`: of the response,
   * on which the entries behind are based; `''`: none.
   */
  settle(
    entry: LogEntry,
    result: PersistedResult,
    etag: string = entry.etag,
  ): Promise<readonly QueueId[]> {
    return this.#disk.change(async (store) => {
      store.delete(IDBKeyRange.bound(['answer'], ['answer', entry.id - MOST]));
      const freed = await this.#end(store, entry, result);
      const entries = new EntryStore(store);
      if (etag !== entry.etag)
        for (const later of await entries.all(entry.queue)) entries.put({ ...later, etag });
      return [...new Set(freed.map(({ queue }) => queue))];
    });
  }

  async #end(store: IDBObjectStore, entry: LogEntry, result: PersistedResult): Promise<LogEntry[]> {
    const entries = new EntryStore(store);
    entries.delete(entry);
    store.put(results.encodeResult(result), ['answer', entry.id]);
    for (const [id, name] of entry.merged) {
      const its = results.resultOfMerged(name, entry, result.result);
      store.put(results.encodeResult({ ...result, result: its }), ['answer', id]);
    }
    const freed: LogEntry[] = [];
    for (const dependent of await entries.all(entry.id)) {
      entries.delete(dependent);
      const placed = await this.#place(store, dependent);
      if (placed !== undefined) freed.push(entries.put(placed));
      else {
        const failed = results.failedDependency(dependent, result);
        freed.push(...(await this.#end(store, dependent, failed)));
      }
    }
    return freed;
  }

  /** The status of a mutation that is no longer in its place. */
  status({ id, queue: known }: LogEntry): Promise<MutationStatus> {
    return this.#disk.look(async (store) => {
      const stored: unknown = await ask(store.get(['answer', id]));
      if (stored !== undefined) return results.decodeResult(stored);
      const entries = new EntryStore(store);
      const queue = await entries.queueOf(id);
      if (queue !== undefined) return { queue };
      const all = await entries.all(known);
      const isMerged = all.some(({ merged }) => merged.some(([of]) => of === id));
      return isMerged ? { queue: known } : undefined;
    });
  }

  /** Removes an entry that was set aside. */
  removeAside(id: number): Promise<void> {
    return this.#disk.change((store) => new EntryStore(store).removeAside(id));
  }

  /** Removes everything. Ids go on: requests under way elsewhere do not meet later entries. */
  clear(): Promise<void> {
    return this.#disk.change((store) => {
      for (const part of ['entry', 'aside', 'answer']) store.delete(within(part));
    });
  }
}
