/** What a controller knows, kept on the disk of the browser: the next page starts with it. */
import type { Controller } from '../Controller.ts';
import { SignalboxError } from '../diagnostics.ts';
import { contextOf } from '../fetch/FetchContext.ts';
import { indexedDbStorage } from './indexedDbStorage.ts';
import { Keeping } from './Keeping.ts';
import { Named } from './Named.ts';
import type { Include } from './Named.ts';
import { pageLeaving } from './pageLeaving.ts';
import type { Leaving } from './pageLeaving.ts';
import type { StorageFactory, Transform } from './PersistStorage.ts';
import type { Names } from './Registry.ts';

export { indexedDbStorage } from './indexedDbStorage.ts';
export { opfsStorage } from './opfsStorage.ts';
export type {
  PersistStorage,
  StorageFactory,
  StorageWrite,
  StoredData,
  Transform,
} from './PersistStorage.ts';
export type { Include } from './Named.ts';
export type { Leaving } from './pageLeaving.ts';
export type { Names } from './Registry.ts';

// ms
const A_WEEK = 604_800_000;

/** How a controller is kept. */
export interface PersistOptions {
  /**
   * What is kept, by names that stay: resources, endpoints, entity classes, other schemas, or objects of these. Answers
   * of other endpoints are not kept.
   */
  readonly names: Names;
  /** Of the database. Default `signalbox`. */
  readonly name?: string | undefined;
  /** Of your schemas: what was written under another one is dropped. Default 0. */
  readonly version?: string | number | undefined;
  /** Milliseconds after its arrival at which an answer is dropped, fresh or not. Default one week. */
  readonly maxAge?: number | undefined;
  /**
   * False for what must not reach the disk: by the name of an endpoint, with the arguments of the request, or of an
   * entity class. What shows such an entity is not kept either. Default: all that has a name.
   */
  readonly include?: Include | undefined;
  /** When the page may be about to die: all is written at once. Default: when the document is hidden or left. */
  readonly leaving?: Leaving | undefined;
  /**
   * Whose data the controller holds: the id of the user who is logged in. Data of other owners on the same disk are neither
   * read, written nor deleted. Default: one owner for all.
   */
  readonly owner?: string | undefined;
  /** Changes all data on their way to the disk and back, for example by encryption. */
  readonly transform?: Transform | undefined;
  /** Where the records lie. Default `indexedDbStorage`. */
  readonly storage?: StorageFactory | undefined;
}

/** A controller that is being kept. */
export interface Persistence {
  /** All that was on the disk is in the controller. It never rejects: without a disk the page starts empty. */
  readonly ready: Promise<void>;
  /** Resolves when all that is confirmed by now has been written, or the disk has refused it. */
  flush(): Promise<void>;
  /** Empties the disk. The controller stays as it is, and what it shows from then on is kept again. */
  clear(): Promise<void>;
  /** What is not written yet is written, and nothing from then on. */
  stop(): void;
}

/**
 * Keeps what the controller has confirmed in IndexedDB, and starts it with what was kept. Layers of mutations on their way,
 * and errors, are not kept. `reset` empties the disk. Each write is one transaction: what the next page finds is whole.
 * A disk that fails or holds nonsense costs what it held, and a warning (P1 to P4). Throws P5 for a name without a thing.
 */
export function persist(controller: Controller, options: PersistOptions): Persistence {
  const { names, name = 'signalbox', version = 0, maxAge = A_WEEK } = options;
  const { include = () => true, leaving = pageLeaving } = options;
  check(names);
  const named = new Named(names, include);
  const { owner, transform, storage: open = indexedDbStorage } = options;
  const storage = open(name, contextOf(controller).clock);
  return new Keeping(controller, {
    named,
    storage,
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
