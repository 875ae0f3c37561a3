/** The tables of a state: rows refer to other rows by their primary keys, and times are milliseconds since 1970. */
import { toPlainTables } from '../devtools/toPlain.ts';
import type { EntityStatics } from '../schema/EntityStatics.ts';
import { EntityRecord } from '../store/StorePort.ts';
import type { ResultRecord, Stamp, Store } from '../store/StorePort.ts';

type Table<T> = Readonly<Record<string, T>>;

interface Times {
  readonly date: number;
  readonly fetchedAt: number;
  readonly expiresAt: number;
}

/** The times and the failure of a request. */
interface ResultMeta extends Times {
  readonly error?: unknown;
  readonly errorPolicy?: 'hard' | 'soft';
  readonly invalidated?: true;
}

/** The entities of one class. */
interface Entities {
  readonly title: string;
  readonly fields: readonly string[];
  readonly records: readonly EntityRecord[];
}

/** Each table is made when it is first read, of the store at that time. */
export class StateTables {
  readonly #store: Store;
  readonly #made = new Map<string, unknown>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** Entities and lists, by their table and primary key. */
  // any: rows are of the application's own types
  get entities(): Table<Table<any>> {
    return this.#once('entities', () => ({ ...this.#plain.lists, ...this.#plain.entities }));
  }

  /** The data of requests, by their key. */
  get results(): Table<unknown> {
    return this.#once('results', () =>
      mapTable(this.#plain.requests, (result) => (result as { readonly data?: unknown }).data),
    );
  }

  /** The times and failures of requests, by their key. */
  get meta(): Table<ResultMeta> {
    return this.#once('meta', () =>
      mapTable(this.#plain.requests, (_, key) => metaOf(this.#store.results.get(key) as never)),
    );
  }

  /** The primary keys of entities, by their table, their indexed field and its value. */
  get indexes(): Table<Table<Table<string>>> {
    return this.#once('indexes', () => {
      const indexed = this.#entities().filter(({ fields }) => fields.length > 0);
      return Object.fromEntries(indexed.map((table) => [table.title, this.#indexesOf(table)]));
    });
  }

  /** The times of entities, by their table and primary key. */
  get entitiesMeta(): Table<Table<Times>> {
    return this.#once('entitiesMeta', () =>
      Object.fromEntries(
        this.#entities().map(({ title, records }) => [
          title,
          Object.fromEntries(records.map(({ pk, stamp }) => [pk, timesOf(stamp)])),
        ]),
      ),
    );
  }

  get #plain(): ReturnType<typeof toPlainTables> {
    return this.#once('plain', () => toPlainTables(this.#store, ({ pk }) => pk));
  }

  #once<T>(name: string, make: () => T): T {
    if (!this.#made.has(name)) this.#made.set(name, make());
    return this.#made.get(name) as T;
  }

  #entities(): readonly Entities[] {
    return [...this.#store.tables.values()].flatMap(({ kind, records }) => {
      const isEntity = (row: unknown) => row instanceof EntityRecord && row.exists;
      const rows = [...records.values()].filter(isEntity) as EntityRecord[];
      const { indexes = [] } = (kind as { readonly Class?: EntityStatics }).Class ?? {};
      return rows.length === 0 ? [] : [{ title: kind.title, fields: indexes, records: rows }];
    });
  }

  #indexesOf({ title, fields, records }: Entities): Table<Table<string>> {
    const rows = this.entities[title] ?? {};
    return Object.fromEntries(
      fields.map((field) => [
        field,
        Object.fromEntries(records.map(({ pk }) => [String(rows[pk]?.[field]), pk])),
      ]),
    );
  }
}

function mapTable<T, U>(table: Table<T>, map: (value: T, key: string) => U): Table<U> {
  return Object.fromEntries(Object.entries(table).map(([key, value]) => [key, map(value, key)]));
}

function timesOf({ fetchedAt, expiresAt }: Stamp): Times {
  return { date: fetchedAt, fetchedAt, expiresAt };
}

function metaOf({ stamp, failure, invalidatedAt }: ResultRecord): ResultMeta {
  return {
    ...timesOf(stamp),
    ...(failure && {
      error: failure.error,
      errorPolicy: failure.hard ? 'hard' : 'soft',
      expiresAt: failure.expiresAt,
    }),
    ...(invalidatedAt !== undefined && { invalidated: true }),
  };
}
