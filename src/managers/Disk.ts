/** The one door to IndexedDB: each change is one transaction, whole or not at all. */
import { createStore, promisifyRequest } from 'idb-keyval';
import type { UseStore } from 'idb-keyval';
import { HEAD, OURS, OURS_END } from './Filed.ts';

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
        promisifyRequest(store.getAllKeys(allOurs())),
        promisifyRequest<unknown[]>(store.getAll(allOurs())),
      ]);
      return new Map(keys.map((key, at) => [String(key), values[at]]));
    });
  }

  /**
   * Writes all of it or, where the promise rejects, nothing. `head`: what is to lie under HEAD, given what lies there;
   * undefined: the disk is somebody else's by now, and nothing is written. Gives false then, else the keys of what no disk
   * can hold (functions, what is made of symbols): nothing lies under them.
   */
  async write(changes: Changes, head: (there: unknown) => unknown): Promise<string[] | false> {
    const lost: string[] = [];
    let ours = true;
    await this.#change((store, commit) => {
      const asked: IDBRequest<unknown> = store.get(HEAD);
      asked.addEventListener('success', () =>
        commit(() => {
          const mine = head(asked.result);
          ours = mine !== undefined;
          if (!ours) return;
          if (mine !== asked.result) store.put(mine, HEAD);
          for (const [key, value] of changes)
            if (value === undefined) store.delete(key);
            else if (!puts(store, key, value)) lost.push(key);
        }),
      );
    });
    return ours && lost;
  }

  /** Takes away all that is ours. Once this has returned, it happens, whatever becomes of the page. */
  async empty(): Promise<void> {
    await this.#change((store, commit) => commit(() => void store.delete(allOurs())));
  }

  /** `work` calls `commit` with the last requests. What throws in these leaves the disk as it was. */
  async #change(
    work: (store: IDBObjectStore, commit: (last: () => void) => void) => void,
  ): Promise<void> {
    let failure: unknown;
    const commit = (transaction: IDBTransaction) => (last: () => void) => {
      try {
        last();
        // what was asked for stands, also when the page dies before it hears of it
        transaction.commit?.();
      } catch (error) {
        failure = error;
        transaction.abort();
      }
    };
    await this.#open()('readwrite', (store) => {
      const done = promisifyRequest(store.transaction);
      work(store, commit(store.transaction));
      return done;
    }).catch((error: unknown) => {
      throw failure ?? error;
    });
  }
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

function allOurs(): IDBKeyRange {
  return IDBKeyRange.bound(OURS, OURS_END);
}
