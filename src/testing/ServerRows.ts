/** The rows of a resource on a mocked server: finds, filters, identifies, and changes rows. */
import { EntityKind } from '../schema/EntityKind.ts';
import type { Fields, Kind } from '../schema/schema.ts';
import { toPk } from '../schema/toPk.ts';

/** The params of a request from path and search; repeated names have several values. */
export type RequestParams = Readonly<Record<string, string | readonly string[]>>;

/** Decides whether a row belongs to the lists that a param requests, for params that are not field names. */
export type Filter<Row> = (row: Row, value: string, params: RequestParams) => boolean;

/** A request that this server cannot interpret; becomes the T4 of the response. */
export class UnsupportedRequestError extends Error {}

/** The options about rows. `rows` are the present rows, which a test may change at any time. */
interface RowOptions {
  readonly kind: Kind;
  readonly filters: Readonly<Record<string, Filter<Fields>>>;
  readonly state: { rows: Fields[] };
}

interface Refusal {
  readonly status: number;
  readonly reason: string;
}

type Named = NonNullable<EntityKind['descriptor']['declaredPkField']>;

export class ServerRows {
  readonly #options: RowOptions;
  /** All primary keys so far, also of deleted rows: none is assigned again. */
  readonly #usedKeys = new Set<unknown>();

  constructor(options: RowOptions) {
    this.#options = options;
    this.all.forEach((row) => this.#addKey(row));
  }

  #addKey(row: Fields): void {
    for (const name of Object.values(this.identityOf(row))) this.#usedKeys.add(name);
  }

  get all(): Fields[] {
    return this.#options.state.rows;
  }

  /** The row that the names of a path identify. */
  find(params: RequestParams): Fields | undefined {
    return this.all.find((row) => this.matches(row, params));
  }

  matches(row: Fields, params: RequestParams): boolean {
    return Object.keys(params).every((name) => this.#fits(row, name, params));
  }

  #fits(row: Fields, name: string, params: RequestParams): boolean {
    const values = [params[name] ?? ''].flat();
    const filter = this.hasFilter(name) ? this.#options.filters[name] : undefined;
    if (filter !== undefined) return values.some((value) => filter(row, value, params));
    const held = this.knows(name) ? [this.#value(row, name)].flat().map(textOf) : [this.pkOf(row)];
    return values.some((value) => held.includes(value));
  }

  hasFilter(name: string): boolean {
    return Object.hasOwn(this.#options.filters, name);
  }

  /** True for names in `filters`, and for fields of the rows or of the entity. */
  explains(name: string): boolean {
    return this.hasFilter(name) || this.knows(name);
  }

  knows(name: string): boolean {
    return (
      Object.hasOwn(this.#defaults({}), name) || this.all.some((row) => Object.hasOwn(row, name))
    );
  }

  #value(row: Fields, name: string): unknown {
    return Object.hasOwn(row, name) ? row[name] : this.#defaults(row)[name];
  }

  #kindOf(row: Fields): EntityKind | undefined {
    const kind = this.#options.kind.storedKindOf?.(row);
    return kind instanceof EntityKind ? kind : undefined;
  }

  #defaults(row: Fields): Fields {
    return (this.#kindOf(row)?.defaults ?? {}) as Fields;
  }

  /** The primary key, as read by the entity from a response. */
  pkOf(row: Fields): string | undefined {
    const kind = this.#kindOf(row);
    const read: unknown = kind?.Class.process({ ...row }, undefined, undefined, []) ?? row;
    return kind?.pkIn(read as object, []);
  }

  /** The values of a path or a search with the types of the rows' fields: `'7'` is 7 if the others are numbers. */
  typed(params: RequestParams): Fields {
    const fields: Fields = {};
    for (const [name, given] of Object.entries(params)) {
      if (this.knows(name) && typeof given === 'string') fields[name] = this.#typed(name, given);
    }
    return fields;
  }

  #typed(name: string, text: string): unknown {
    const model = this.all.find((row) => row[name] !== undefined && row[name] !== null);
    const type = typeof this.#value(model ?? {}, name);
    if (type === 'number') return Number(text);
    return type === 'boolean' ? text === 'true' : text;
  }

  /** Adds all rows, or none. Rows without a primary key get a generated key. */
  add(rows: readonly Fields[]): Fields[] | Refusal {
    const added = rows.map((row) => this.#withName(row));
    const taken = new Set(this.all.map((row) => this.pkOf(row)));
    for (const row of added) {
      const pk = this.pkOf(row);
      if (pk === undefined) return { status: 400, reason: 'the body names no primary key' };
      if (taken.has(pk)) return { status: 409, reason: `${pk} is there already` };
      taken.add(pk);
    }
    this.all.push(...added);
    return added;
  }

  #withName(row: Fields): Fields {
    const named = this.#kindOf(row)?.descriptor.declaredPkField;
    if (named === undefined || toPk(row[named.field]) !== undefined) return { ...row };
    this.all.forEach((other) => this.#addKey(other));
    const name = nextKey([...this.#usedKeys], named);
    this.#usedKeys.add(name);
    return { ...row, [named.field]: name };
  }

  /** The field that is the primary key, if any. */
  identityOf(row: Fields): Fields {
    const named = this.#kindOf(row)?.descriptor.declaredPkField;
    return named === undefined ? {} : { [named.field]: row[named.field] };
  }

  replace(row: Fields, by: Fields): Fields {
    this.all[this.all.indexOf(row)] = by;
    return by;
  }

  remove(row: Fields): void {
    this.#addKey(row);
    this.all.splice(this.all.indexOf(row), 1);
  }
}

/** The largest number plus 1, or the last text that ends in digits, with these digits incremented. */
function nextKey(used: readonly unknown[], { field, numeric }: Named): unknown {
  const numbers = used.filter((name) => typeof name === 'number');
  if (used.length === 0 ? numeric : numbers.length > 0) {
    return numbers.reduce((greatest, count) => Math.max(greatest, count), 0) + 1;
  }
  const counted = used.map((name) => /^(.*?)(\d+)$/.exec(String(name)));
  const head = counted.filter((found) => found !== null).at(-1)?.[1] ?? `${field}-`;
  const counts = counted.flatMap((found) => (found?.[1] === head ? [BigInt(found[2] ?? 0)] : []));
  return (
    head +
    String(counts.reduce((greatest, count) => (count > greatest ? count : greatest), 0n) + 1n)
  );
}

/** A value of a row in the spelling of a search param. */
function textOf(value: unknown): string {
  return value === null || value === undefined ? '' : String(value);
}
