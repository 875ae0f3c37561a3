/** What a server holds, and the rows it is asked about. It does each thing as it is asked, or refuses it. */
import { Entity } from 'signalbox';
import type { Fields, Place } from './confirmed.ts';

export class Row extends Entity {
  id = 0;
  kind = '';
  a = '';
  b = '';
  n = 0;
}

export const IDS: readonly number[] = [1, 2, 3, 4, 5, 6, 7, 8, 9];
// the ids below are for clients to give
const FIRST_OWN = 7;

/** Where lists are read, and rows created. */
export type Address = 'rows' | 'newest';

export interface List {
  readonly at: Address;
  readonly args: { readonly kind?: string; readonly page?: number; readonly q?: string };
}

export const LISTS: Readonly<Record<string, List>> = {
  all: { at: 'rows', args: {} },
  x: { at: 'rows', args: { kind: 'x' } },
  page: { at: 'rows', args: { page: 1 } },
  search: { at: 'rows', args: { q: 'y' } },
  new: { at: 'newest', args: { kind: 'x' } },
};

// of a numbered page
const SIZE = 2;

const fits = (row: Fields, { kind }: List['args']): boolean =>
  kind === undefined || row['kind'] === kind;

/** N15, N18: what becomes of a list when a row is created at an address, or (undefined) one is deleted. */
export function placeOf({ at, args }: List, row: Fields | undefined, from: string): Place {
  if (row === undefined) return args.page === undefined ? 'certain' : 'doubtful';
  if (!fits(row, args)) return at === from ? 'apart' : 'doubtful if there';
  const isUnknown = args.page !== undefined || args.q !== undefined;
  return at !== from || isUnknown ? 'doubtful' : 'certain';
}

export class Server {
  readonly #rows = new Map<number, Fields>();
  #next = FIRST_OWN;

  constructor() {
    for (const id of [1, 2, 3])
      this.#rows.set(id, { id, kind: id === 2 ? 'x' : 'y', a: 'a', b: 'b', n: 0 });
  }

  row(id: number): Fields | undefined {
    return this.#rows.get(id);
  }

  list(key: string): Fields[] {
    const { at, args } = LISTS[key] as List;
    const all = [...this.#rows.values()].filter((row) => fits(row, args));
    const found = all.filter(({ kind }) => args.q === undefined || kind === args.q);
    if (at === 'newest') found.reverse();
    return args.page === undefined ? found : found.slice(0, SIZE);
  }

  /** A pk for a row that comes without one; undefined when there are enough. */
  next(): number | undefined {
    return this.#next > (IDS.at(-1) as number) ? undefined : this.#next++;
  }

  put(row: Fields): Fields {
    this.#rows.set(row['id'] as number, row);
    return row;
  }

  remove(id: number): void {
    this.#rows.delete(id);
  }
}
