/** Persists the confirmed data of a controller on the disk of the browser, so that the next page starts with them. */
import type { Controller } from '../Controller.ts';
import { checkObject, DEV, SignalboxError, warn } from '../errors.ts';
import { contextOf } from '../request/FetchContext.ts';
import { indexedDbStorage } from '../sync/indexedDbStorage.ts';
import { Persister } from './Persister.ts';
import { PersistableNames } from '../sync/PersistableNames.ts';
import type { PersistFilter } from '../sync/PersistableNames.ts';
import type { StorageFactory, Transform } from '../sync/PersistStorage.ts';
import type { Names } from '../sync/Registry.ts';
import { watchStorage } from '../sync/watchStorage.ts';

export { indexedDbStorage } from '../sync/indexedDbStorage.ts';
export { opfsStorage } from './opfsStorage.ts';
export type {
  PersistStorage,
  StorageFactory,
  StorageWrite,
  StoredData,
  Transform,
} from '../sync/PersistStorage.ts';
export type { PersistFilter } from '../sync/PersistableNames.ts';
export type { Names } from '../sync/Registry.ts';

// ms
const A_WEEK = 604_800_000;

/** The options of `persist`. */
export interface PersistOptions {
  /**
   * The data to persist, by names that stay the same: resources, endpoints, entity classes, other schemas, or objects
   * of these. Responses of other endpoints are not persisted.
   */
  readonly names: Names;
  /** The name of the database. Default `signalbox`. */
  readonly name?: string | undefined;
  /** The version of your schemas: data written under another version are dropped. Default 0. */
  readonly version?: string | number | undefined;
  /** Milliseconds after its arrival at which a response is dropped, fresh or stale. Default one week. */
  readonly maxAge?: number | undefined;
  /**
   * Returns false for data that must not reach the disk. Gets the name of an endpoint with the arguments of the
   * request, or the name of an entity class. Lists and responses with an excluded entity are not persisted either.
   * Default: everything that has a name is.
   */
  readonly include?: PersistFilter | undefined;
  /**
   * Calls its argument when the page may be about to end: all changes are written at once. Default: when the document
   * is hidden or left.
   */
  readonly leaving?: PageHideSource | undefined;
  /**
   * The owner of the data in the controller: the id of the logged-in user. Data of other owners on the same disk
   * are neither read, written nor deleted. Default: one owner for all.
   */
  readonly owner?: string | undefined;
  /** Transforms all data on their way to the disk and back, for example by encryption. */
  readonly transform?: Transform | undefined;
  /** The storage of the records. Default `indexedDbStorage`. */
  readonly storage?: StorageFactory | undefined;
}

/** A controller that is being persisted. */
export interface Persistence {
  /** Resolves when all data of the disk are in the controller. Never rejects: without a disk the page starts empty. */
  readonly ready: Promise<void>;
  /** Resolves when everything confirmed by now has been written, or the disk has refused it. */
  flush(): Promise<void>;
  /** Empties the disk. The controller stays as it is, and later responses are persisted again. */
  clear(): Promise<void>;
  /** Writes the pending changes, and stops persisting. */
  stop(): void;
}

/**
 * Persists the confirmed data of the controller in IndexedDB, and starts the controller with the data stored there.
 * Optimistic layers and errors are not persisted. `reset` empties the disk. Each write is one transaction, so the next
 * page finds complete data. If the disk fails or holds invalid data, these data are lost with a warning (P1 to P4).
 * Throws P5 for a name without a value.
 */
export function persist(controller: Controller, options: PersistOptions): Persistence {
  if (DEV) checkObject('persist', options, 'an object with names');
  const { names, name = 'signalbox', version = 0, maxAge = A_WEEK } = options;
  if (DEV) checkObject('the option names of persist', names, 'an object of resources');
  const { include = () => true, leaving = onPageHide } = options;
  check(names);
  const persistableNames = new PersistableNames(names, include);
  const { owner, transform, storage: open = indexedDbStorage } = options;
  const { clock } = contextOf(controller);
  const storage = open(name, clock);
  const report = (doing: string, reason: string) => warn('P3', name + doing, { doing, reason });
  return new Persister(controller, {
    names: persistableNames,
    storage: DEV ? watchStorage(storage, clock, report) : storage,
    owner,
    transform,
    name,
    version,
    maxAge,
    leaving,
  });
}

function check(names: Names): void {
  for (const [name, thing] of Object.entries(names))
    if (thing === null || (typeof thing !== 'object' && typeof thing !== 'function'))
      throw new SignalboxError('P5', { name, value: thing });
}

/** Calls `leave` each time the page may have become invisible for good. Returns a function that stops. */
export type PageHideSource = (leave: () => void) => () => void;

/** Hidden, closed or left: browsers guarantee no event after these. Without a page: never. */
const onPageHide: PageHideSource = (leave) => {
  const { document: page } = globalThis as { document?: Document };
  if (page === undefined) return () => {};
  const hide = () => {
    if (page.visibilityState === 'hidden') leave();
  };
  page.addEventListener('visibilitychange', hide);
  page.defaultView?.addEventListener('pagehide', leave);
  return () => {
    page.removeEventListener('visibilitychange', hide);
    page.defaultView?.removeEventListener('pagehide', leave);
  };
};
