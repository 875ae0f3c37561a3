/** The storage for persisted records, which IndexedDB and the origin's private file system implement, and a check of it. */
import type { Clock } from '../clock.ts';

/** A record of a storage. */
export type StoredData = string | Uint8Array;

/** A change of a storage: everything happens, or nothing. */
export interface StorageWrite {
  /** Records to put, by key. A storage without transactions keeps this order: the last makes the others valid. */
  readonly put: ReadonlyMap<string, StoredData>;
  /** Keys to delete. */
  readonly remove?: Iterable<string>;
  /** Deletes all other records with keys that begin with this text, too. */
  readonly removeAll?: string;
}

/** A storage that all pages of an origin share. Each method rejects if the storage fails. */
export interface PersistStorage {
  /** All records with keys that begin with `prefix`, as of a single moment. */
  read(prefix: string): Promise<ReadonlyMap<string, StoredData>>;
  /**
   * Reads the records of these keys and writes the result of `decide`, with no write of any page between. `decide` is
   * called synchronously, with the records in the order of the keys; undefined stands for a missing record. If the
   * result is undefined, nothing is written. A storage that has to begin the change anew calls `decide` again. Resolves
   * when the write is complete.
   */
  change(
    keys: readonly string[],
    decide: (found: readonly (StoredData | undefined)[]) => StorageWrite | undefined,
  ): Promise<void>;
  /**
   * Writes without reading first, and as early as possible, because the page may end next. If the write has to wait,
   * `isObsolete` is called with the record under `key`, and returns true to write nothing.
   */
  replace(
    write: StorageWrite,
    key: string,
    isObsolete: (found: StoredData | undefined) => boolean,
  ): Promise<void>;
  /**
   * `localStorage` or its equal, for the edits of a page that is being left: a write is complete when the call returns.
   * Undefined: these edits go through `replace`.
   */
  readonly synchronous?: SynchronousStorage | undefined;
}

/** The part of `Storage` (Web Storage, WHATWG HTML) that is used. */
export type SynchronousStorage = Pick<
  Storage,
  'length' | 'key' | 'getItem' | 'setItem' | 'removeItem'
>;

/** `localStorage` of the page; undefined without a page, or if the platform refuses. */
export function pageStorage(): SynchronousStorage | undefined {
  try {
    return (globalThis as { document?: Document }).document?.defaultView?.localStorage;
  } catch {
    return undefined;
  }
}

/** Opens the storage of this name; nothing is read before the first call of a method. */
export type StorageFactory = (name: string, clock: Clock) => PersistStorage;

/** Transforms all data on their way to the storage and back, for example by encryption. */
export interface Transform {
  /** If `encode` throws or rejects, the storage is unchanged (P3), and a mutation is sent without the log (O2). */
  encode(plain: Uint8Array): Uint8Array | Promise<Uint8Array>;
  /**
   * Gets bytes that `encode` returned. If `decode` throws or rejects, data of `persist` are dropped (P2), and mutations
   * of `offline` stay in the log, unsent (O7).
   */
  decode(encoded: Uint8Array): Uint8Array | Promise<Uint8Array>;
}

/** The storage, the prefix and the transform of the records of a persistence. */
export interface StoragePlace {
  readonly storage: PersistStorage;
  readonly owner: string | undefined;
  readonly transform: Transform | undefined;
  readonly clock: Clock;
}

// ms: twice as long as IndexedDB may take to open
const PATIENCE = 10_000;

/**
 * The storage, with a report for a promise that is not settled after ten seconds. The promise is not given up: a
 * write that is only late would be done twice.
 */
export function watchStorage(
  storage: PersistStorage,
  clock: Clock,
  report: (doing: 'read' | 'write', reason: string) => void,
): PersistStorage {
  const watch = <T>(doing: 'read' | 'write', promise: Promise<T>): Promise<T> => {
    const onTime = () =>
      report(doing, `the storage has not settled its promise for ${PATIENCE} ms`);
    const timer = clock.after(PATIENCE, onTime);
    const end = () => clock.clear(timer);
    promise.then(end, end);
    return promise;
  };
  return {
    read: (prefix) => watch('read', storage.read(prefix)),
    change: (...change) => watch('write', storage.change(...change)),
    replace: (...write) => watch('write', storage.replace(...write)),
    synchronous: storage.synchronous,
  };
}
