/** The default storage: an object store of IndexedDB. The only module that uses IndexedDB. */
import { nextMicrotask, keepAlive, nextTask, systemClock } from '../clock.ts';
import type { Clock } from '../clock.ts';
import { pageStorage } from './PersistStorage.ts';
import type { PersistStorage, StorageWrite, StoredData } from './PersistStorage.ts';

// how many records are cloned into the page in a single task
const AT_ONCE = 64;

/** `name`: of the database. The object store is `signalbox`. */
export function indexedDbStorage(name: string, clock: Clock): PersistStorage {
  const disk = new IndexedDbStore(name, 'signalbox', clock);
  return {
    read: (prefix) => disk.read((store) => readAll(store, prefix)),
    change: (keys, decide) =>
      disk.transact(async (store) => {
        const found = await Promise.all(keys.map((key) => promisify<StoredData>(store.get(key))));
        const write = decide(found);
        if (write !== undefined) apply(store, write);
      }),
    replace: (write, key, isObsolete) => replace(disk, write, key, isObsolete),
    synchronous: pageStorage(),
  };
}

/** Parts of a transaction: no task of the page clones all records at once. */
async function readAll(
  store: IDBObjectStore,
  prefix: string,
): Promise<ReadonlyMap<string, StoredData>> {
  const all = new Map<string, StoredData>();
  const keys = await promisify(store.getAllKeys(prefixRange(prefix)));
  for (let at = 0; at < keys.length; at += AT_ONCE) {
    const some = keys.slice(at, at + AT_ONCE);
    const range = IDBKeyRange.bound(some[0], some.at(-1));
    const values = await promisify<StoredData[]>(store.getAll(range));
    for (const [place, key] of some.entries()) all.set(String(key), values[place] as StoredData);
  }
  return all;
}

/**
 * Puts only after the read of the transaction has succeeded: Firefox applies an explicit commit() even if a request has
 * failed.
 */
function apply(store: IDBObjectStore, { put, remove = [], removeAll }: StorageWrite): void {
  if (removeAll !== undefined) store.delete(prefixRange(removeAll));
  for (const key of remove) store.delete(key);
  for (const [key, value] of put) store.put(value, key);
  // the write may happen even if the page ends before the transaction reports the end
  store.transaction.commit?.();
}

async function replace(
  disk: IndexedDbStore,
  write: StorageWrite,
  key: string,
  isObsolete: (found: StoredData | undefined) => boolean,
): Promise<void> {
  let isLate = false;
  const done = disk.transact(async (store) => {
    // a page that is ending would not get a response in time
    if (isLate && isObsolete(await promisify<StoredData>(store.get(key)))) return;
    apply(store, write);
  });
  // by then a transaction has begun, if the database is open
  for (let turns = 0; turns < 3; turns++) await nextMicrotask(() => {});
  isLate = true;
  await done;
}

function prefixRange(prefix: string): IDBKeyRange {
  return IDBKeyRange.bound(prefix, `${prefix}\uffff`);
}

/** Calls `work` with the object store of a new transaction. */
type UseStore = (
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => Promise<void>,
) => Promise<void>;

/** The result of a request in a transaction. */
function promisify<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error as DOMException));
  });
}

/**
 * Resolves when all of a transaction is done. A failed request aborts the transaction. Firefox may close a connection
 * without an event for the transaction that has just begun: the outcome is unknown, as after an abort.
 */
function completion(transaction: IDBTransaction): Promise<void> {
  const { db } = transaction;
  let onClose: () => void;
  return new Promise<void>((resolve, reject) => {
    onClose = () => reject(new DOMException('the connection was closed', 'AbortError'));
    db.addEventListener('close', onClose);
    transaction.addEventListener('complete', () => resolve());
    transaction.addEventListener('abort', () => reject(transaction.error as DOMException));
  }).finally(() => db.removeEventListener('close', onClose));
}

/** The database is opened by the first use, and again after the platform has closed the connection. */
function createStore(database: string, name: string): UseStore {
  let opening: Promise<IDBDatabase> | undefined;
  const forget = () => (opening = undefined);
  const open = () => {
    if (opening !== undefined) return opening;
    const request = indexedDB.open(database);
    request.addEventListener('upgradeneeded', () => request.result.createObjectStore(name));
    opening = promisify(request);
    opening.then((db) => db.addEventListener('close', forget), forget);
    return opening;
  };
  return (mode, work) => open().then((db) => work(db.transaction(name, mode).objectStore(name)));
}

// ms: a page that holds an older connection may block an open for ever
const OPEN_TIMEOUT = 5_000;
// while the data of a site are being cleared, browsers may close a new connection, too
const ATTEMPTS = 5;

/** A database as a list of transactions. */
class IndexedDbStore {
  readonly #clock: Clock;
  readonly #create: () => UseStore;
  #use: UseStore | undefined;

  /** The database is opened by the first transaction, which rejects if there is no IndexedDB. */
  constructor(database: string, store: string, clock: Clock = systemClock) {
    this.#clock = clock;
    this.#create = () => createStore(database, store);
  }

  /**
   * Runs a transaction, which is done completely when the promise resolves, and not at all if the promise rejects.
   * Transactions run in the order of their creation, including transactions of other pages. Also rejects if the
   * database does not open in time. If the platform has closed the connection, the database is opened again, and `work`
   * runs again.
   */
  async transact<T>(
    work: (store: IDBObjectStore) => T | Promise<T>,
    mode: IDBTransactionMode = 'readwrite',
  ): Promise<T> {
    for (let left = ATTEMPTS; ; await nextTask())
      try {
        return await this.#attempt(work, mode);
      } catch (error) {
        if (--left === 0 || !isConnectionLost(error)) throw error;
      }
  }

  #attempt<T>(
    work: (store: IDBObjectStore) => T | Promise<T>,
    mode: IDBTransactionMode,
  ): Promise<T> {
    return new Promise((resolve, reject) => {
      let use: UseStore | undefined;
      let late = false;
      const fail = (error: unknown) => {
        this.#clock.clear(timer);
        if (this.#use === use) this.#use = undefined;
        reject(error);
      };
      const giveUp = () => {
        late = true;
        fail(new Error(`it does not open within ${OPEN_TIMEOUT} ms`));
      };
      const timer = keepAlive(this.#clock.after(OPEN_TIMEOUT, giveUp));
      const begin = async (store: IDBObjectStore) => {
        this.#clock.clear(timer);
        const { transaction } = store;
        if (late) return close(transaction);
        this.#closeOnDemand(transaction.db);
        try {
          return resolve(await runTransaction(store, work));
        } catch (error) {
          if (!isConnectionLost(error)) return reject(error);
          close(transaction);
          throw error;
        }
      };
      try {
        use = this.#use ??= this.#create();
        use(mode, begin).catch(fail);
      } catch (error) {
        fail(error);
      }
    });
  }

  read<T>(work: (store: IDBObjectStore) => Promise<T>): Promise<T> {
    return this.transact(work, 'readonly');
  }

  /** Closes the connection on demand: a deletion of the database waits until all connections are closed. */
  #closeOnDemand(database: IDBDatabase): void {
    database.onversionchange = () => {
      this.#use = undefined;
      database.close();
    };
  }
}

/** True for errors of a connection that the platform has closed, before or during the transaction. */
function isConnectionLost(error: unknown): boolean {
  const { name = '' } = (error ?? {}) as Partial<DOMException>;
  // UnknownError: Safari has lost the process that holds the database
  return ['InvalidStateError', 'AbortError', 'UnknownError'].includes(name);
}

async function runTransaction<T>(
  store: IDBObjectStore,
  work: (store: IDBObjectStore) => T | Promise<T>,
): Promise<T> {
  const done = completion(store.transaction);
  try {
    const [value] = await Promise.all([work(store), done]);
    return value;
  } catch (error) {
    undo(store.transaction);
    throw error;
  }
}

function undo(transaction: IDBTransaction): void {
  try {
    transaction.abort();
  } catch {
    // the transaction has ended already
  }
}

/** Closes an unused connection, which would block a deletion of the database. */
function close(transaction: IDBTransaction): void {
  undo(transaction);
  transaction.db.close();
}
