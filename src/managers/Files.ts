/** What is ours in a database: read as one, written and emptied whole or not at all. */
import { nextMicrotask } from '../clock.ts';
import type { Clock } from '../clock.ts';
import { ask, Disk } from './Disk.ts';
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

/** What a page finds when it begins. */
export interface Beginning {
  readonly head: Head;
  readonly rows: ReadonlyMap<string, unknown>;
  /** What was there before, of another version. */
  readonly dropped?: Contents;
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
   * first.
   */
  async begin(fresh: Head): Promise<Beginning> {
    const found = await this.read();
    if (isOf(found, fresh)) return found;
    return this.#disk.change(async (store) => {
      const present = await contentsOf(store);
      if (isOf(present, fresh)) return present;
      const renewed = { ...fresh, endedAt: present.head?.endedAt ?? 0 };
      renew(store, renewed);
      return { head: renewed, rows: new Map(), dropped: present };
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

  /**
   * A log out: deletes all rows. Once this has returned, it happens, whatever becomes of this page; where the database has
   * to be opened first, it happens then, unless another page has logged out since.
   */
  async renew(head: Head): Promise<void> {
    let isLate = false;
    const done = this.#disk.change(async (store) => {
      // an answer would come too late for a page that dies
      const present = isLate ? headIn(await ask(store.get(HEAD))) : undefined;
      if (present !== undefined && present.endedAt > head.endedAt) return;
      renew(store, head);
      commit(store);
    });
    // by then a transaction has begun, where the database is open
    for (let turns = 0; turns < 3; turns++) await nextMicrotask(() => {});
    isLate = true;
    await done;
  }

  /** Deletes all rows. Who may write stays as it was. */
  async empty(): Promise<void> {
    await this.#disk.change((store) => {
      store.delete(ours());
      commit(store);
    });
  }

  /**
   * Another page was reset, and says that `head` is there now. Where that page did not put it there (its disk is another
   * one, or failed), `former` is there still: all rows go, and `next` is the head. A page that cannot know which log out
   * was the last gives one that no page has, so that none that is open writes any more.
   */
  follow(head: Head, former: Head | undefined, next: Head): Promise<void> {
    return this.#disk.change(async (store) => {
      const present = headIn(await ask(store.get(HEAD)));
      if (isSame(present, head)) return;
      if (former === undefined || isSame(present, former)) renew(store, next);
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

function isOf(contents: Contents, { version }: Head): contents is Contents & { head: Head } {
  return contents.head?.version === version;
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
