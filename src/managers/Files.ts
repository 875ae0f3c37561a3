/** What is ours in a database: read as one, written and emptied whole or not at all. */
import { ask, Disk } from './Disk.ts';
import { ENDS, OURS, OURS_END } from './Filed.ts';

/** What is to lie under these keys; undefined: nothing. */
export type Changes = ReadonlyMap<string, unknown>;

export class Files {
  readonly #disk: Disk;

  /** `name`: of the database. */
  constructor(name: string) {
    this.#disk = new Disk(name, 'signalbox');
  }

  /** All that is ours, by key. */
  async read(): Promise<Map<string, unknown>> {
    return this.#disk.look(async (store) => {
      const [keys, values] = await Promise.all([
        ask(store.getAllKeys(ours())),
        ask<unknown[]>(store.getAll(ours())),
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
    await this.#disk.change((store) => {
      work(store);
      // what was asked for stands, also when the page dies before it hears of it
      store.transaction.commit?.();
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
