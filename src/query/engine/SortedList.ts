/** Items kept in order, in a list of short arrays: an insertion moves only the items of a single array. */

/*
 *   [ a b c d ] [ e f ] [ g h i ]     the position of an item: the lengths before its chunk, plus the index inside
 *
 * Among n items, a search takes log2(n) comparisons; at most LONGEST items move, and n / LONGEST lengths are added.
 */
const MAX_CHUNK_LENGTH = 512;

export type Compare<T> = (a: T, b: T) => number;

export class SortedList<T> {
  readonly #compare: Compare<T>;
  readonly #chunks: T[][] = [];
  /** Items that have no position yet. */
  #added: T[] | undefined;

  constructor(compare: Compare<T>) {
    this.#compare = compare;
  }

  get first(): T | undefined {
    this.settle();
    return this.#chunks[0]?.[0];
  }

  get last(): T | undefined {
    this.settle();
    return this.#chunks.at(-1)?.at(-1);
  }

  /** Adds `item`. All items that are added in a row get their positions together. */
  add(item: T): void {
    if (this.#added === undefined) this.#added = [item];
    else this.#added.push(item);
  }

  /** Gives all items their positions. Methods that read positions do so first. */
  settle(): void {
    const added = this.#added;
    if (added === undefined) return;
    // may throw: then the items have no positions yet
    if (!isInOrder(added, this.#compare)) added.sort(this.#compare);
    this.#added = undefined;
    if (this.#chunks.length > 0) for (const item of added) this.insert(item);
    else if (added.length <= MAX_CHUNK_LENGTH) this.#chunks.push(added);
    else
      for (let at = 0; at < added.length; at += MAX_CHUNK_LENGTH)
        this.#chunks.push(added.slice(at, at + MAX_CHUNK_LENGTH));
  }

  /** Inserts `item` before the first item that is not less. Returns the position of `item`. */
  insert(item: T): number {
    const chunks = this.#chunks;
    const { last } = this;
    // mostly, items come in their order
    const isLast = last === undefined || this.#compare(last, item) < 0;
    const which = Math.max(0, isLast ? chunks.length - 1 : this.#chunkOf(item));
    const chunk = (chunks[which] ??= []);
    const at = isLast ? chunk.length : this.#indexInChunk(chunk, item);
    const position = this.#countBefore(which) + at;
    chunk.splice(at, 0, item);
    if (chunk.length > MAX_CHUNK_LENGTH)
      chunks.splice(which + 1, 0, chunk.splice(MAX_CHUNK_LENGTH >> 1));
    return position;
  }

  /** Removes `item`, which must be in the list, or an equal item. Returns the former position. */
  remove(item: T): number {
    this.settle();
    const chunks = this.#chunks;
    const { which, at } = this.#find(item);
    const position = this.#countBefore(which) + at;
    chunks[which]?.splice(at, 1);
    if (chunks[which]?.length === 0) chunks.splice(which, 1);
    return position;
  }

  /** The position of `item`, which must be in the list, or of an equal item. */
  position(item: T): number {
    this.settle();
    const { which, at } = this.#find(item);
    return this.#countBefore(which) + at;
  }

  /** True if `item`, which must be in the list, comes after `position`. */
  isAfterPosition(item: T, position: number): boolean {
    const [itemAtPosition] = this.slice(position, position + 1);
    return itemAtPosition !== undefined && this.#compare(itemAtPosition, item) < 0;
  }

  #find(item: T): { readonly which: number; readonly at: number } {
    const chunks = this.#chunks;
    const which = this.#chunkOf(item);
    const at = this.#indexInChunk(chunks[which] ?? [], item);
    const found = chunks[which]?.[at];
    if (found === item || (found !== undefined && this.#compare(found, item) === 0))
      return { which, at };
    // the user's comparison contradicts itself
    const chunk = chunks.findIndex((each) => each.includes(item));
    return { which: chunk, at: chunks[chunk]?.indexOf(item) ?? 0 };
  }

  /** The items at the positions from `from` up to, but without, `to`. */
  slice(from: number, to: number): T[] {
    this.settle();
    const items: T[] = [];
    let start = 0;
    for (const chunk of this.#chunks) {
      if (start >= to) break;
      if (start + chunk.length > from)
        items.push(...chunk.slice(Math.max(0, from - start), to - start));
      start += chunk.length;
    }
    return items;
  }

  /** The first chunk with a last item not less than `item`. */
  #chunkOf(item: T): number {
    const chunks = this.#chunks;
    return binarySearch(chunks.length, (at) => this.#compare(lastOf(chunks[at] as T[]), item) >= 0);
  }

  #indexInChunk(chunk: readonly T[], item: T): number {
    return binarySearch(chunk.length, (at) => this.#compare(chunk[at] as T, item) >= 0);
  }

  #countBefore(which: number): number {
    let sum = 0;
    for (let at = 0; at < which; at++) sum += (this.#chunks[at] as T[]).length;
    return sum;
  }
}

/** Mostly, items come in their order: a sort has a cost also then. */
function isInOrder<T>(items: readonly T[], compare: Compare<T>): boolean {
  for (let at = 1; at < items.length; at++)
    if (compare(items[at - 1] as T, items[at] as T) > 0) return false;
  return true;
}

function lastOf<T>(chunk: readonly T[]): T {
  return chunk[chunk.length - 1] as T;
}

/** The lowest number below `end` from which on `holds` is true; `end` if there is none. */
function binarySearch(end: number, holds: (at: number) => boolean): number {
  let low = 0;
  let high = end;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The name of a field, several names with their direction, or a comparison function as for `Array.sort`. */
export type Sort<Row> =
  | (keyof Row & string)
  // `object`: in an intersection any text would fit an object without required members
  | (object & { readonly [K in keyof Row]?: 'asc' | 'desc' })
  | Compare<Row>;

/** The first sort criterion with a difference decides; 0 if there is none. */
export function compareBy<Row>(sorts: Sort<Row> | readonly Sort<Row>[]): Compare<Row> {
  const steps = ([sorts].flat() as Sort<Row>[]).flatMap(comparatorsOf);
  return (a, b) => {
    for (const step of steps) {
      const order = step(a, b);
      if (order !== 0) return order;
    }
    return 0;
  };
}

function comparatorsOf<Row>(sort: Sort<Row>): Compare<Row>[] {
  if (typeof sort === 'function') return [sort];
  const fields = typeof sort === 'string' ? { [sort]: 'asc' } : sort;
  return Object.entries(fields).map(([name, way]) => {
    const field = name as keyof Row;
    const sign = way === 'desc' ? -1 : 1;
    return (a, b) => compareValues(a[field], b[field], sign);
  });
}

/**
 * Missing values (null, undefined, NaN) come last in both directions. Texts compare by code units, dates by their time.
 */
export function compareValues(a: unknown, b: unknown, sign = 1): number {
  if (a === b) return 0;
  if (isMissingValue(a) || isMissingValue(b))
    return Number(isMissingValue(a)) - Number(isMissingValue(b));
  if ((a as number) < (b as number)) return -sign;
  return (a as number) > (b as number) ? sign : 0;
}

/** True for null, undefined and NaN. */
export function isMissingValue(value: unknown): boolean {
  return value === null || value === undefined || value !== value;
}
