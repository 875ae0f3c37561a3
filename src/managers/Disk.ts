/** The one door to IndexedDB: each change is one transaction, whole or not at all. */
import { createStore, promisifyRequest } from 'idb-keyval';
import type { UseStore } from 'idb-keyval';
import { ENDS, OURS, OURS_END } from './Filed.ts';

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
   * made of symbols): nothing lies under them then. Undefined: this generation was ended, and nothing is written.
   */
  async write(changes: Changes, generation: string): Promise<string[] | undefined> {
    const lost: string[] = [];
    let ended = false;
    try {
      await this.#change((store) => {
        // fails, and all with it, where there is one; an answer to a question would come too late for a page that dies
        const mark = store.add(0, endOf(generation));
        mark.addEventListener('error', () => (ended = true));
        store.delete(endOf(generation));
        for (const [key, value] of changes)
          if (value === undefined) store.delete(key);
          else if (!puts(store, key, value)) lost.push(key);
      });
    } catch (error) {
      if (ended) return undefined;
      throw error;
    }
    return lost;
  }

  /**
   * Takes away all that is ours, and ends a generation: pages of it write no more. Once this has returned, it happens,
   * whatever becomes of this page.
   */
  async empty(generation: string | undefined): Promise<void> {
    await this.#change((store) => {
      store.delete(ours());
      if (generation !== undefined) store.put(0, endOf(generation));
    });
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

/** Where it is said that a generation has ended. */
function endOf(generation: string): string {
  return `${ENDS}${generation}`;
}

/** False for what cannot be cloned. */
function puts(store: IDBObjectStore, key: string, value: unknown): boolean {
  try {
    store.put(value, key);
    return true;
  } catch (error) {
    if ((error as Error).name !== 'DataCloneError') throw error;
    store.delete(key);
    return false;
  }
}

function ours(): IDBKeyRange {
  return IDBKeyRange.bound(OURS, OURS_END);
}
