/** The one door to IndexedDB: each change is one transaction, whole or not at all. */
import { createStore, promisifyRequest } from 'idb-keyval';
import type { UseStore } from 'idb-keyval';
import { OURS, OURS_END } from './Filed.ts';

/** What is to lie under these keys; undefined: nothing. */
export type Changes = ReadonlyMap<string, unknown>;

export class Disk {
  readonly #open: () => UseStore;
  #store: UseStore | undefined;

  /** `name`: of the database. */
  constructor(name: string) {
    this.#open = () => (this.#store ??= createStore(name, 'signalbox'));
  }

  /** All that is ours, by key. */
  async read(): Promise<Map<string, unknown>> {
    return this.#open()('readonly', async (store) => {
      const [keys, values] = await Promise.all([
        promisifyRequest(store.getAllKeys(ours())),
        promisifyRequest<unknown[]>(store.getAll(ours())),
      ]);
      return new Map(keys.map((key, at) => [String(key), values[at]]));
    });
  }

  /**
   * Writes all of it or, where the promise rejects, nothing. Gives the keys of what no disk can hold (functions, what is
   * made of symbols): nothing lies under them then.
   */
  async write(changes: Changes): Promise<string[]> {
    const lost: string[] = [];
    await this.#change((store) => {
      for (const [key, value] of changes) {
        if (value !== undefined && puts(store, key, value)) continue;
        if (value !== undefined) lost.push(key);
        store.delete(key);
      }
    });
    return lost;
  }

  /** Takes away all that is ours. Once this has returned, it happens, whatever becomes of the page. */
  async empty(): Promise<void> {
    await this.#change((store) => store.delete(ours()));
  }

  async #change(work: (store: IDBObjectStore) => void): Promise<void> {
    await this.#open()('readwrite', (store) => {
      const { transaction } = store;
      const done = promisifyRequest(transaction);
      try {
        work(store);
        // what was asked for stands, also when the page dies before it hears of it
        transaction.commit?.();
      } catch (error) {
        done.catch(() => {});
        transaction.abort();
        throw error;
      }
      return done;
    });
  }
}

/** False for what cannot be cloned. */
function puts(store: IDBObjectStore, key: string, value: unknown): boolean {
  try {
    store.put(value, key);
    return true;
  } catch (error) {
    if ((error as Error).name === 'DataCloneError') return false;
    throw error;
  }
}

function ours(): IDBKeyRange {
  return IDBKeyRange.bound(OURS, OURS_END);
}
