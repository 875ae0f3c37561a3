/** The state of the store as plain data, for middleware, logs and `initialState`. */
import type { Controller } from '../Controller.ts';
import { contextOf } from '../request/FetchContext.ts';
import { dehydrate } from '../ssr/ServerData.ts';
import { hydrateController } from '../ssr/Hydration.ts';
import type { ServerState } from '../ssr/Dehydrator.ts';
import { StateTables } from './StateTables.ts';

/** A copy of the store. Its tables are for reading: `server` alone restores a store. */
// any begin: rows and responses are of the application's own types
export interface State<T = any> {
  readonly entities: { readonly [entityKey: string]: { readonly [pk: string]: T } | undefined };
  readonly endpoints: { readonly [key: string]: any };
  /** The same as `endpoints`, by its older name. */
  readonly results: { readonly [key: string]: any };
  readonly indexes: { readonly [entityKey: string]: any };
  readonly meta: { readonly [key: string]: any };
  readonly entitiesMeta: { readonly [entityKey: string]: any };
  /** The same as `entitiesMeta`, by its older name. */
  readonly entityMeta: { readonly [entityKey: string]: any };
  readonly optimistic: readonly any[];
  readonly lastReset: number;
}
// any end

/** The contents of a state: they reach a JSON text, and a store that is created from the state. */
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

/** The state of a controller at present. `onRead` is called when a table of it is read, and when it is passed on. */
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

/** The state of a controller, with the function that fills another store with its contents. */
export function withFill(controller: Controller, fill: Fill): State {
  const state = stateOf(controller, 0);
  fills.set(state, fill);
  return state;
}

/** Fills a new store with a state of `getState`, of `mockInitialState`, or of a JSON text of one of them. */
export function fillStore(controller: Controller, state: State): void {
  const fill = fills.get(state);
  if (fill !== undefined) return fill(controller);
  const { server } = state as Restorable;
  if (server !== undefined) hydrateController(controller, server);
}
