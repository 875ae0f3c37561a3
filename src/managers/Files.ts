/** What is ours in a database: read as one, written and emptied whole or not at all. */
import { ask, Disk } from './Disk.ts';
import type { Clock } from '../clock.ts';
import { HEAD, OURS, OURS_END } from './Filed.ts';
import { headIn, headRow } from './rows.ts';
import type { Head } from './rows.ts';

/** What is to lie under these keys; undefined: nothing. */
export type Changes = ReadonlyMap<string, unknown>;

/** What lies on a disk: the head says whether the rows are of use. */
export interface Contents {
  readonly head: Head | undefined;
  readonly rows: Map<string, unknown>;
}

/*
 *   page      time →   load: generation 1    write ✓                    write ✗ (the head says 2)
 *   another                                          log out: generation 2, all rows deleted
 *
 * The head is one record: the generation of the rows. A log out deletes all rows and puts a new generation. A page writes
 * in one transaction that begins by reading the head, so it writes nothing once the generation of its data has ended.
 * Nothing is written before that read succeeded: Firefox applies an explicit commit() also when a request has failed.
 */
export class Files {
  readonly #disk: Disk;

  /** `name`: of the database. */
  constructor(name: string, clock: Clock) {
    this.#disk = new Disk(name, 'signalbox', clock);
  }

  read(): Promise<Contents> {
    return this.#disk.look(contentsOf);
  }

  /**
   * What lies there. Where that is not of the version of `fresh`, all of it is deleted in the transaction that read it,
   * and `fresh` is the head from then on: of two pages that begin on an empty disk the second one finds the head of the
   * first. `taken`: that happened; `found` is what was there.
   */
  async begin(fresh: Head): Promise<{ readonly found: Contents; readonly taken?: Head }> {
    const found = await this.read();
    if (found.head?.version === fresh.version) return { found };
    return this.#disk.change(async (store) => {
      const present = await contentsOf(store);
      if (present.head?.version === fresh.version) return { found: present };
      const taken = { ...fresh, endedAt: present.head?.endedAt ?? 0 };
      renew(store, taken);
      return { found: present, taken };
    });
  }

  /**
   * Writes all of it or, where the promise rejects, nothing. Gives the keys of what no disk can hold (functions, what is
   * made of symbols): nothing lies under them then. Undefined: another head is there, and nothing is written.
   */
  write(changes: Changes, head: Head): Promise<string[] | undefined> {
    return this.#disk.change(async (store) => {
      const present = headIn(await ask(store.get(HEAD)));
      if (!isSame(present, head)) return undefined;
      const lost: string[] = [];
      for (const [key, value] of changes)
        if (value === undefined) store.delete(key);
        else if (!puts(store, key, value)) lost.push(key);
      commit(store);
      return lost;
    });
  }

  /** Deletes all that is ours. Once this has returned, it happens, whatever becomes of this page. */
  async empty(head: Head): Promise<void> {
    await this.#disk.change((store) => {
      renew(store, head);
      commit(store);
    });
  }

  /**
   * Another page has emptied the disk, and says that `head` is there now. Where it did not (its disk is another one, or
   * failed), `former` is there still, and this does it.
   */
  async follow(head: Head, former: Head | undefined): Promise<void> {
    await this.#disk.change(async (store) => {
      const present = headIn(await ask(store.get(HEAD)));
      if (former === undefined ? present === undefined : isSame(present, former))
        renew(store, head);
    });
  }
}

async function contentsOf(store: IDBObjectStore): Promise<Contents> {
  const [row, keys, values] = await Promise.all([
    ask<unknown>(store.get(HEAD)),
    ask(store.getAllKeys(ours())),
    ask<unknown[]>(store.getAll(ours())),
  ]);
  return { head: headIn(row), rows: new Map(keys.map((key, at) => [String(key), values[at]])) };
}

/** All rows go, and the pages that know of another head write no more. */
function renew(store: IDBObjectStore, head: Head): void {
  store.delete(ours());
  store.put(headRow(head), HEAD);
}

/** What was asked for stands, also when the page dies before it hears of it. */
function commit(store: IDBObjectStore): void {
  store.transaction.commit?.();
}

function isSame(one: Head | undefined, other: Head): boolean {
  return one?.generation === other.generation && one.version === other.version;
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
