/** The state of the store as plain data: tables for middleware and logs, and the contents for `initialState`. */
import type { Controller } from '../Controller.ts';
import { toPlainTables } from '../devtools/toPlain.ts';
import type { PlainForm } from '../devtools/toPlain.ts';
import { contextOf } from '../request/FetchContext.ts';
import type { EntityStatics } from '../schema/EntityStatics.ts';
import type { ServerState } from '../ssr/Dehydrator.ts';
import { hydrateController } from '../ssr/Hydration.ts';
import { dehydrate } from '../ssr/ServerData.ts';
import { EntityRecord } from '../store/StorePort.ts';
import type { ResultRecord, Stamp, Store } from '../store/StorePort.ts';

/** A copy of the store. The tables are for reading: `server` alone restores a store. */
// any begin: rows and responses are of the application's own types
export interface State<T = any> {
  readonly entities: { readonly [entityKey: string]: { readonly [pk: string]: T } | undefined };
  readonly endpoints: { readonly [key: string]: any };
  /** The older name of `endpoints`. */
  readonly results: { readonly [key: string]: any };
  readonly indexes: { readonly [entityKey: string]: any };
  readonly meta: { readonly [key: string]: any };
  readonly entitiesMeta: { readonly [entityKey: string]: any };
  /** The older name of `entitiesMeta`. */
  readonly entityMeta: { readonly [entityKey: string]: any };
  readonly optimistic: any[];
  readonly lastReset: number;
}
// any end

/** The contents of a state, which reach a JSON text and a store that is created from the state. */
interface Restorable {
  readonly server?: ServerState;
}

type Fill = (controller: Controller) => void;
const fills = new WeakMap<object, Fill>();
const owners = new WeakMap<object, Controller>();

/** The functions that are called when states are read. */
const readers = new WeakMap<object, () => void>();

/** The controller whose store a state shows; undefined for other values. */
export function ownerOf(state: unknown): Controller | undefined {
  if (typeof state !== 'object' || state === null) return undefined;
  readers.get(state)?.();
  return owners.get(state);
}

/** The state of a controller at present. `onRead` is called when a table is read, and when the state is passed on. */
export function withReader(
  controller: Controller & { getState(): State },
  onRead: () => void,
): State {
  const state = {};
  for (const name of Object.keys(initialState)) {
    const get = (): unknown => {
      onRead();
      return Reflect.get(controller.getState(), name);
    };
    Object.defineProperty(state, name, { get, enumerable: true });
  }
  owners.set(state, controller);
  readers.set(state, onRead);
  return state as State;
}

/** A state without data. */
export const initialState: State = Object.freeze({
  entities: {},
  endpoints: {},
  results: {},
  indexes: {},
  meta: {},
  entitiesMeta: {},
  entityMeta: {},
  optimistic: [],
  lastReset: 0,
});

/** The present contents of a store. The copy is made when a table is first read. */
export function stateOf(controller: Controller, lastReset: number): State {
  const tables = new StateTables(contextOf(controller).store);
  const state: State & Restorable = {
    ...initialState,
    lastReset,
    get entities() {
      return tables.entities;
    },
    get endpoints() {
      return tables.results;
    },
    get results() {
      return tables.results;
    },
    get indexes() {
      return tables.indexes;
    },
    get meta() {
      return tables.meta;
    },
    get entitiesMeta() {
      return tables.entitiesMeta;
    },
    get entityMeta() {
      return tables.entitiesMeta;
    },
    get server() {
      return dehydrate(controller);
    },
  };
  owners.set(state, controller);
  return state;
}

/** The state of a controller, with the function that fills another store with the same contents. */
export function withFill(controller: Controller, fill: Fill): State {
  const state = stateOf(controller, 0);
  fills.set(state, fill);
  return state;
}

/** Fills a new store with a state of `getState`, of `mockInitialState`, or of a JSON text of either. */
export function fillStore(controller: Controller, state: State): void {
  const fill = fills.get(state);
  if (fill !== undefined) return fill(controller);
  const { server } = state as Restorable;
  if (server !== undefined) hydrateController(controller, server);
}

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

/** The entities of a class. */
interface Entities {
  readonly title: string;
  readonly fields: readonly string[];
  readonly records: readonly EntityRecord[];
}

/**
 * Rows refer to other rows by their primary keys; times are milliseconds since 1970. Each table is made at the first
 * read, of the store at that time.
 */
class StateTables {
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

  /** The primary keys of entities, by table, indexed field and value. */
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
    return this.#once('plain', () => toPlainTables(this.#store, BY_KEYS));
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

/** For programs: values stay as they are. */
const BY_KEYS: PlainForm = { nameOf: ({ pk }) => pk, leafOf: (value) => value };

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
