/** The mutations that wait, on the disk: in lines, each sent from its head. */
import { createStore, promisifyRequest } from 'idb-keyval';
import type { UseStore } from 'idb-keyval';
import type { Args } from '../schema/schema.ts';
import { read, write } from './Entry.ts';
import type { Draft, Entry, Line } from './Entry.ts';
import * as outcome from './Outcome.ts';
import type { Answer } from './Outcome.ts';
import { swapKeys } from './swapKeys.ts';

/*
 *   ['entry', line, id]   a mutation that waits
 *   ['aside', line, id]   one whose endpoint has no name in the build that looked last
 *   ['answer', id]        what became of one, for other pages
 *   ['lease', name]       who sends a line until when, where there are no locks
 *   'last'                the id that was given last
 *
 * Each method is one transaction; transactions run in the order in which they are made.
 */
type Kept = 'entry' | 'aside';
const keyOf = ({ line, id }: Entry, kept: Kept = 'entry') => [kept, line, id];
/** All keys that begin with these parts: arrays come after numbers and texts. */
const within = (...parts: (string | number)[]) => IDBKeyRange.bound(parts, [...parts, []]);
const ask = <T>(request: IDBRequest<T>): Promise<T> => promisifyRequest(request);

// answers that are remembered: other pages look as soon as a line is theirs
const MOST = 100;

/** What is known of a mutation whose page waits for it: what became of it, or where it stands. */
export type Trace = Answer | { readonly line: Line } | undefined;

/** What a page finds. */
interface Contents {
  /** What waits, in the order of issue. */
  readonly entries: readonly Entry[];
  /** Why others were dropped: of another version, or damaged. */
  readonly dropped: readonly string[];
  /** The names of those that nothing here knows. */
  readonly aside: readonly string[];
}

/** What the log asks about endpoints. */
export interface Names {
  /** False where no mutation has this name. */
  knows(name: string): boolean;
  /** Where a mutation belongs whose arguments hold no temporary keys. */
  lineOf(name: string, args: Args): Line;
}

export class MutationLog {
  readonly #use: UseStore;
  readonly #version: string;
  readonly #names: Names;

  constructor(name: string, version: string, names: Names) {
    this.#use = createStore(name, 'mutations');
    this.#version = version;
    this.#names = names;
  }

  /** One transaction; it is done when the promise resolves. */
  async #within<T>(
    work: (store: IDBObjectStore) => T | Promise<T>,
    mode: IDBTransactionMode = 'readwrite',
  ): Promise<T> {
    return this.#use(mode, async (store) => {
      const done = promisifyRequest(store.transaction);
      try {
        const value = await work(store);
        await done;
        return value;
      } catch (error) {
        done.catch(() => {});
        undo(store.transaction);
        throw error;
      }
    });
  }

  #put(store: IDBObjectStore, entry: Entry, kept?: Kept): Entry {
    store.put(write(entry, this.#version), keyOf(entry, kept));
    return entry;
  }

  /** Rejects where it cannot be stored: no disk, no space, arguments that cannot be cloned. */
  add(draft: Draft): Promise<Entry> {
    return this.#within(async (store) => {
      const id = (((await ask(store.get('last'))) as number | undefined) ?? 0) + 1;
      store.put(id, 'last');
      return this.#put(store, await this.#placed(store, { ...draft, id, line: '' }));
    });
  }

  /** With the keys that are known by now, in the line where it belongs. */
  async #placed(store: IDBObjectStore, entry: Entry): Promise<Entry> {
    const creation = entry.unnamed[0]?.[1];
    if (creation === undefined)
      return { ...entry, line: this.#names.lineOf(entry.name, entry.args) };
    const told: unknown = await ask(store.get(['answer', creation]));
    if (told === undefined) return { ...entry, line: creation };
    return this.#placed(store, named(entry, creation, outcome.read(told).keys));
  }

  /** Everything, looked through: each where it belongs. */
  read(): Promise<Contents> {
    return this.#within(async (store) => {
      const dropped: string[] = [];
      const aside: string[] = [];
      const all: (readonly [kept: Kept, key: IDBValidKey, entry: Entry])[] = [];
      for (const kept of ['entry', 'aside'] as const) {
        const values: unknown[] = await ask(store.getAll(within(kept)));
        for (const [at, key] of (await ask(store.getAllKeys(within(kept)))).entries()) {
          const entry = read(values[at], key, this.#version);
          if (typeof entry !== 'string') all.push([kept, key, entry]);
          else store.delete(key);
          if (typeof entry === 'string') dropped.push(entry);
        }
      }
      const ids = new Set(all.map(([, , { id }]) => id));
      const entries: Entry[] = [];
      for (const [kept, key, entry] of all) {
        const placed = await this.#placed(store, entry);
        const lost = typeof placed.line === 'number' && !ids.has(placed.line);
        const place = this.#names.knows(entry.name) ? 'entry' : 'aside';
        if (lost || place !== kept || placed.line !== entry.line) store.delete(key);
        if (lost) dropped.push('the creation of what it changes is not there');
        else if (place !== kept || placed.line !== entry.line) this.#put(store, placed, place);
        if (lost) continue;
        if (place === 'entry') entries.push(placed);
        else aside.push(entry.name);
      }
      return { entries: entries.sort((a, b) => a.id - b.id), dropped, aside };
    });
  }

  /** The lines that have something to send. */
  async lines(): Promise<readonly Line[]> {
    const keys = await this.#within((store) => ask(store.getAllKeys(within('entry'))), 'readonly');
    return [...new Set(keys.map((key) => (key as [Kept, Line])[1]))];
  }

  /** The head of a line, counted as sent once more; where it is not `due`, as it is. */
  head(line: Line, due: (entry: Entry) => boolean): Promise<Entry | undefined> {
    return this.#within(async (store) => {
      const [key] = await ask(store.getAllKeys(within('entry', line), 1));
      if (key === undefined) return undefined;
      const entry = read(await ask(store.get(key)), key, this.#version);
      // another build runs in another page: it is not ours to judge
      if (typeof entry === 'string') return undefined;
      if (!due(entry)) return entry;
      return this.#put(store, { ...entry, attempts: entry.attempts + 1 });
    });
  }

  /** It is not sent again before a time. */
  postpone(entry: Entry, after: number): Promise<void> {
    return this.#within(async (store) => {
      const present = await ask(store.getKey(keyOf(entry)));
      if (present !== undefined) this.#put(store, { ...entry, after });
    });
  }

  /**
   * Takes it out, records what became of it, and lets those go on that wait for the keys of what it created: gives the
   * lines where they are now. Without those keys they go as well.
   */
  settle(entry: Entry, answer: Answer): Promise<readonly Line[]> {
    return this.#within(async (store) => {
      store.delete(IDBKeyRange.bound(['answer'], ['answer', entry.id - MOST]));
      const lines = new Set<Line>();
      for (const next of await this.#end(store, entry, answer)) lines.add(next.line);
      return [...lines];
    });
  }

  async #end(store: IDBObjectStore, entry: Entry, answer: Answer): Promise<Entry[]> {
    const { id } = entry;
    const { keys } = answer;
    store.delete(keyOf(entry));
    store.put(outcome.write(answer), ['answer', id]);
    const freed: Entry[] = [];
    for (const key of await ask(store.getAllKeys(within('entry', id)))) {
      const waiting = read(await ask(store.get(key)), key, this.#version);
      store.delete(key);
      if (typeof waiting === 'string') continue;
      if (keys.length > 0)
        freed.push(this.#put(store, await this.#placed(store, named(waiting, id, keys))));
      else freed.push(...(await this.#end(store, waiting, outcome.unnamed(waiting, answer))));
    }
    return freed;
  }

  /** What is known of a mutation that was in `entry.line`. */
  trace({ id }: Entry): Promise<Trace> {
    return this.#within(async (store) => {
      const told: unknown = await ask(store.get(['answer', id]));
      if (told !== undefined) return outcome.read(told);
      for (const kept of ['entry', 'aside'] as const) {
        const keys = (await ask(store.getAllKeys(within(kept)))) as [Kept, Line, number][];
        const key = keys.find((one) => one[2] === id);
        if (key !== undefined) return { line: key[1] };
      }
      return undefined;
    }, 'readonly');
  }

  /** Takes everything out. Ids go on: what is on its way elsewhere does not meet what comes later. */
  clear(): Promise<void> {
    return this.#within((store) => {
      for (const kept of ['entry', 'aside', 'answer']) store.delete(within(kept));
    });
  }

  /** True when `owner` has the lease of a name until then; false where somebody else has it. */
  lease(name: string, owner: string, { now, until }: Term): Promise<boolean> {
    return this.#within(async (store) => {
      const key = ['lease', name];
      const [other, end] = ((await ask(store.get(key))) ?? ['', 0]) as [string, number];
      if (other !== owner && end > now) return false;
      store.put([owner, until], key);
      return true;
    });
  }

  release(name: string): Promise<void> {
    return this.#within((store) => void store.delete(['lease', name]));
  }
}

/** Wall time, ms since 1970. */
interface Term {
  readonly now: number;
  readonly until: number;
}

/** With the keys that a creation got from the server. */
function named(entry: Entry, creation: number, keys: readonly unknown[]): Entry {
  const ours = new Map(
    entry.unnamed.flatMap(([key, of, at]) => (of === creation ? [[key, keys[at]]] : [])),
  );
  const unnamed = entry.unnamed.filter(([, of]) => of !== creation);
  return { ...entry, unnamed, args: swapKeys(entry.args, (key) => ours.get(key)) };
}

function undo(transaction: IDBTransaction): void {
  try {
    transaction.abort();
  } catch {
    // it is over already
  }
}
