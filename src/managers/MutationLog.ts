/** The mutations that wait, on the disk: in lines, each sent from its head. */
import type { Args } from '../schema/schema.ts';
import { ask, within } from './Disk.ts';
import type { Disk } from './Disk.ts';
import { read, write } from './Entry.ts';
import type { Draft, Entry, Line } from './Entry.ts';
import * as outcome from './Outcome.ts';
import type { Answer } from './Outcome.ts';
import { swapKeys } from '../schema/swapKeys.ts';

/*
 *   ['entry', line, id]   a mutation that waits
 *   ['aside', line, id]   one whose endpoint has no name in the build that looked last
 *   ['answer', id]        what became of one, for other pages
 *   'last'                the id that was given last
 *
 * Each method is one transaction.
 */
type Kept = 'entry' | 'aside';
const keyOf = ({ line, id }: Entry, kept: Kept = 'entry') => [kept, line, id];

// answers that are remembered: other pages look as soon as a line is theirs
const MOST = 100;

/** What is known of a mutation whose page waits for it: what became of it, or where it stands. */
export type Trace = Answer | { readonly line: Line } | undefined;

/** What a page finds. */
interface Contents {
  /** What waits, in the order of issue. */
  readonly entries: readonly Entry[];
  /** Why others were dropped. */
  readonly dropped: readonly string[];
  /** The names of those that nothing here knows. */
  readonly aside: readonly string[];
}

/** What the log asks about endpoints. */
export interface Names {
  /** False where no mutation has this name. */
  knows(name: string): boolean;
  /** Where a mutation belongs whose arguments hold no temporary keys. */
  queueOf(name: string, args: Args): Line;
}

export class MutationLog {
  readonly #disk: Disk;
  readonly #version: string;
  readonly #names: Names;

  constructor(disk: Disk, version: string, names: Names) {
    this.#disk = disk;
    this.#version = version;
    this.#names = names;
  }

  #put(store: IDBObjectStore, entry: Entry, kept?: Kept): Entry {
    store.put(write(entry, this.#version), keyOf(entry, kept));
    return entry;
  }

  /**
   * Gives undefined where what it changes was never created. Rejects where it cannot be stored: no disk, no space,
   * arguments that cannot be cloned.
   */
  add(draft: Draft): Promise<Entry | undefined> {
    return this.#disk.change(async (store) => {
      const id = (((await ask(store.get('last'))) as number | undefined) ?? 0) + 1;
      store.put(id, 'last');
      const entry = await this.#placed(store, { ...draft, id, line: '' });
      return entry && this.#put(store, entry);
    });
  }

  /** With the keys that are known by now, in the line where it belongs; undefined where it never gets them. */
  async #placed(store: IDBObjectStore, entry: Entry): Promise<Entry | undefined> {
    const creation = entry.unnamed[0]?.[1];
    if (creation === undefined)
      return { ...entry, line: this.#names.queueOf(entry.name, entry.args) };
    const told: unknown = await ask(store.get(['answer', creation]));
    if (told === undefined) return { ...entry, line: creation };
    const next = named(entry, creation, outcome.read(told).keys);
    return next && this.#placed(store, next);
  }

  /** Everything, looked through: each where it belongs, what is of no use dropped. */
  read(): Promise<Contents> {
    return this.#disk.change(async (store) => {
      const dropped: string[] = [];
      const found = [
        ...(await this.#look(store, 'entry', dropped)),
        ...(await this.#look(store, 'aside', dropped)),
      ];
      const ids = new Set(found.map(({ id }) => id));
      const entries: Entry[] = [];
      const aside: string[] = [];
      for (const entry of found) {
        const placed = await this.#placed(store, entry);
        if (placed === undefined || (typeof placed.line === 'number' && !ids.has(placed.line))) {
          dropped.push('the creation of what it changes is not there');
          continue;
        }
        const knows = this.#names.knows(entry.name);
        this.#put(store, placed, knows ? 'entry' : 'aside');
        if (knows) entries.push(placed);
        else aside.push(entry.name);
      }
      return { entries: entries.sort((a, b) => a.id - b.id), dropped, aside };
    });
  }

  /** Takes all of a sort out; says why what cannot be read was dropped. */
  async #look(store: IDBObjectStore, kept: Kept, dropped: string[]): Promise<readonly Entry[]> {
    const all = within(kept);
    const values: unknown[] = await ask(store.getAll(all));
    const keys = await ask(store.getAllKeys(all));
    store.delete(all);
    return keys.flatMap((key, at) => {
      const entry = read(values[at], key, this.#version);
      if (typeof entry !== 'string') return entry;
      dropped.push(entry);
      return [];
    });
  }

  /** The line of each that waits, by its id. */
  async places(): Promise<ReadonlyMap<number, Line>> {
    const keys = await this.#disk.look((store) => ask(store.getAllKeys(within('entry'))));
    return new Map((keys as [Kept, Line, number][]).map(([, line, id]) => [id, line]));
  }

  /** The head of a line, counted as sent once more; where it is not `due`, as it is. */
  head(line: Line, due: (entry: Entry) => boolean): Promise<Entry | undefined> {
    return this.#disk.change(async (store) => {
      const [key] = await ask(store.getAllKeys(within('entry', line), 1));
      if (key === undefined) return undefined;
      const entry = read(await ask(store.get(key)), key, this.#version);
      // of another build, which runs in another page
      if (typeof entry === 'string') return undefined;
      return due(entry) ? this.#put(store, { ...entry, attempts: entry.attempts + 1 }) : entry;
    });
  }

  /** It is not sent again for a while. */
  postpone(entry: Entry, now: number, ms: number): Promise<void> {
    return this.#disk.change(async (store) => {
      const present = await ask(store.getKey(keyOf(entry)));
      if (present !== undefined) this.#put(store, { ...entry, pause: [now, now + ms] });
    });
  }

  /**
   * Takes it out, records what became of it, and lets those go on that wait for the keys of what it created: gives the
   * lines where they are now. Without those keys they go as well.
   */
  settle(entry: Entry, answer: Answer): Promise<readonly Line[]> {
    return this.#disk.change(async (store) => {
      store.delete(IDBKeyRange.bound(['answer'], ['answer', entry.id - MOST]));
      const freed = await this.#end(store, entry, answer);
      return [...new Set(freed.map(({ line }) => line))];
    });
  }

  async #end(store: IDBObjectStore, entry: Entry, answer: Answer): Promise<Entry[]> {
    const { id } = entry;
    store.delete(keyOf(entry));
    store.put(outcome.write(answer), ['answer', id]);
    const freed: Entry[] = [];
    for (const key of await ask(store.getAllKeys(within('entry', id)))) {
      const waiting = read(await ask(store.get(key)), key, this.#version);
      store.delete(key);
      if (typeof waiting === 'string') continue;
      const placed = await this.#placed(store, waiting);
      if (placed !== undefined) freed.push(this.#put(store, placed));
      else freed.push(...(await this.#end(store, waiting, outcome.unnamed(waiting, answer))));
    }
    return freed;
  }

  /** What is known of a mutation that is not where it was. */
  trace({ id }: Entry): Promise<Trace> {
    return this.#disk.look(async (store) => {
      const told: unknown = await ask(store.get(['answer', id]));
      if (told !== undefined) return outcome.read(told);
      const entries = await ask(store.getAllKeys(within('entry')));
      const aside = await ask(store.getAllKeys(within('aside')));
      const keys = [...entries, ...aside] as [Kept, Line, number][];
      const key = keys.find((one) => one[2] === id);
      return key && { line: key[1] };
    });
  }

  /** Takes everything out. Ids go on: what is on its way elsewhere does not meet what comes later. */
  clear(): Promise<void> {
    return this.#disk.change((store) => {
      for (const part of ['entry', 'aside', 'answer']) store.delete(within(part));
    });
  }
}

/** With the keys that a creation got from the server; undefined where one is missing. */
function named(entry: Entry, creation: number, keys: readonly unknown[]): Entry | undefined {
  const ours = entry.unnamed.filter(([, of]) => of === creation);
  const real = new Map(ours.map(([key, , at]) => [key, keys[at]]));
  if ([...real.values()].includes(undefined)) return undefined;
  const unnamed = entry.unnamed.filter(([, of]) => of !== creation);
  return { ...entry, unnamed, args: swapKeys(entry.args, (key) => real.get(key)) };
}
