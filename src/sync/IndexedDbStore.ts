/** A database as a list of transactions; the one module of this folder that uses IndexedDB. */
import { keepAlive, nextTask, systemClock } from '../clock.ts';
import type { Clock } from '../clock.ts';

/** Calls `work` with the object store of a new transaction. */
type UseStore = (
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => Promise<void>,
) => Promise<void>;

/** The result of one request of a transaction. */
export function promisify<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error as DOMException));
  });
}

/** Resolves when all of a transaction is done. A failed request aborts its transaction. */
function completion(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.addEventListener('complete', () => resolve());
    transaction.addEventListener('abort', () => reject(transaction.error as DOMException));
  });
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
const OPENS_WITHIN = 5_000;
// while the data of a site are being cleared, browsers may close a new connection, too
const ATTEMPTS = 5;

export class IndexedDbStore {
  readonly #clock: Clock;
  readonly #create: () => UseStore;
  #use: UseStore | undefined;

  /** The database is opened by the first transaction, which rejects if there is no IndexedDB. */
  constructor(database: string, store: string, clock: Clock = systemClock) {
    this.#clock = clock;
    this.#create = () => createStore(database, store);
  }

  /**
   * Runs one transaction: when the promise resolves, all of it is done; if the promise rejects, nothing is.
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
        fail(new Error(`it does not open within ${OPENS_WITHIN} ms`));
      };
      const timer = keepAlive(this.#clock.after(OPENS_WITHIN, giveUp));
      const begin = async (store: IDBObjectStore) => {
        this.#clock.clear(timer);
        const { transaction } = store;
        if (late) return close(transaction);
        this.#giveWay(transaction.db);
        try {
          return resolve(await finished(store, work));
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

  /** Closes the connection on demand: a deletion of the database waits until all its connections are closed. */
  #giveWay(database: IDBDatabase): void {
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

async function finished<T>(
  store: IDBObjectStore,
  work: (store: IDBObjectStore) => T | Promise<T>,
): Promise<T> {
  const done = completion(store.transaction);
  try {
    const value = await work(store);
    await done;
    return value;
  } catch (error) {
    done.catch(() => {});
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

/** Closes a connection that is not used any more: it would block a deletion of the database. */
function close(transaction: IDBTransaction): void {
  undo(transaction);
  transaction.db.close();
}
