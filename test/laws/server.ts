/** The rows of a server, and the fields that responses contain. The server performs each request, or rejects the request. */
import { Entity } from 'signalbox';
import type { Fields } from './confirmed.ts';
import type { Fit, ListRule, Place } from './following.ts';

export class Row extends Entity {
  id = 0;
  kind = '';
  a = '';
  b = '';
  n = 0;
  tags: readonly string[] = [];
}

export const KINDS: readonly string[] = ['x', 'y', 'z'];

export const IDS: readonly number[] = [1, 2, 3, 4, 5, 6, 7, 8, 9];
// the ids below are for clients to give
const FIRST_OWN = 7;

/** Where lists are read, and rows created. */
export type Address = 'rows' | 'newest';

export interface List {
  readonly at: Address;
  readonly args: {
    readonly kind?: string | readonly string[];
    readonly tags?: string;
    readonly page?: number;
    readonly q?: string;
  };
}

export const LISTS: Readonly<Record<string, List>> = {
  all: { at: 'rows', args: {} },
  x: { at: 'rows', args: { kind: 'x' } },
  page: { at: 'rows', args: { page: 1 } },
  search: { at: 'rows', args: { q: 'y' } },
  new: { at: 'newest', args: { kind: 'x' } },
  xz: { at: 'rows', args: { kind: ['x', 'z'] } },
  tagged: { at: 'rows', args: { tags: 'a' } },
  newY: { at: 'newest', args: { kind: 'y' } },
};

// of a numbered page
const SIZE = 2;

const fits = (row: Fields, { kind, tags }: List['args']): boolean =>
  (kind === undefined || [kind].flat().includes(row['kind'] as string)) &&
  (tags === undefined || (row['tags'] as string[]).includes(tags));

/** N20: how the arguments of a list fit a row with these known fields. */
function fitOf({ kind, tags, page, q }: List['args'], row: Fields): Fit {
  const value = row['kind'];
  if (typeof kind === 'string' && value !== undefined && value !== kind) return 'out';
  if (Array.isArray(kind) && value !== undefined && !kind.includes(value)) return 'choice';
  const isUnknown = kind !== undefined && value === undefined;
  return isUnknown || tags !== undefined || page !== undefined || q !== undefined ? 'open' : 'in';
}

/** N15, N18, N20: the effect on a list when a row is created at an address. */
function placeOf({ at, args }: List, row: Fields, from: string): Place {
  const fit = fitOf(args, row);
  if (fit === 'out') return at === from ? 'apart' : 'doubtful if there';
  if (at !== from || fit !== 'in') return 'doubtful';
  return Array.isArray(args.kind) ? 'certain and doubtful' : 'certain';
}

export function ruleOf(list: List): ListRule {
  const { at: address, args } = list;
  const isHome = address === 'rows';
  const isOpen = args.page !== undefined || args.tags !== undefined;
  return {
    address,
    isHome,
    isOpen,
    isSearch: args.q !== undefined,
    hasChoices: Array.isArray(args.kind),
    names: ['kind', 'tags'].filter((name) => name in args),
    fit: (row) => fitOf(args, row),
    place: (row, from) => placeOf(list, row, from),
    lost: (row) => {
      if (isHome) return isOpen || args.q !== undefined ? 'doubtful' : 'certain';
      return fitOf(args, row) === 'out' ? 'doubtful if there' : 'doubtful';
    },
  };
}

export class Server {
  readonly #rows = new Map<number, Fields>();
  #next = FIRST_OWN;

  constructor() {
    for (const id of [1, 2, 3])
      this.#rows.set(id, { id, kind: id === 2 ? 'x' : 'y', a: 'a', b: 'b', n: 0, tags: [] });
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

  /** A primary key for a row without a key; undefined when there are enough rows. */
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
