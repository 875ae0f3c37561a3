/** What a server holds, and the rows it is asked about. It does each thing as it is asked, or refuses it. */
import { Entity } from 'signalbox';
import type { Fields } from './confirmed.ts';

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
/** The arguments of each list. */
export const LISTS: Readonly<Record<string, object>> = { all: {}, x: { kind: 'x' } };

export const fits = (row: Fields, key: string): boolean => key === 'all' || row['kind'] === key;

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
    return [...this.#rows.values()].filter((row) => fits(row, key));
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
