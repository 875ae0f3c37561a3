/** A database as a list of transactions; the one door of this room to IndexedDB. */
import { createStore, promisifyRequest } from 'idb-keyval';
import type { UseStore } from 'idb-keyval';

/** The answer to one request of a transaction. */
export const ask = <T>(request: IDBRequest<T>): Promise<T> => promisifyRequest(request);

/** All keys that begin with these parts: arrays come after numbers and texts. */
export const within = (...parts: (string | number)[]): IDBKeyRange =>
  IDBKeyRange.bound(parts, [...parts, []]);

export class Disk {
  readonly #open: () => UseStore;
  #use: UseStore | undefined;

  /** It is opened by its first transaction, which rejects where there is none. */
  constructor(database: string, store: string) {
    this.#open = () => (this.#use ??= createStore(database, store));
  }

  /**
   * One transaction: all of it is done when the promise resolves, and nothing where it rejects. Transactions run in the
   * order in which they are made, also those of other pages.
   */
  async change<T>(
    work: (store: IDBObjectStore) => T | Promise<T>,
    mode: IDBTransactionMode = 'readwrite',
  ): Promise<T> {
    return this.#open()(mode, async (store) => {
      const done = promisifyRequest(store.transaction);
      try {
        const value = await work(store);
        await done;
        return value;
      } catch (error) {
        done.catch(() => {});
        undo(store.transaction);
        throw error;
      }
    });
  }

  look<T>(work: (store: IDBObjectStore) => Promise<T>): Promise<T> {
    return this.change(work, 'readonly');
  }
}

function undo(transaction: IDBTransaction): void {
  try {
    transaction.abort();
  } catch {
    // it is over already
  }
}
