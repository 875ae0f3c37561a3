/** The storage that `persist` uses by default: one object store of IndexedDB. */
import { nextMicrotask } from '../clock.ts';
import type { Clock } from '../clock.ts';
import { promisify, IndexedDbStore } from './IndexedDbStore.ts';
import type { PersistStorage, StorageWrite, StoredData } from './PersistStorage.ts';

// how many records are cloned into the page in one task
const AT_ONCE = 64;

/** `name`: of the database. Its object store is `signalbox`. */
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
  };
}

/** Parts of one transaction: no task of the page clones all records at once. */
async function readAll(
  store: IDBObjectStore,
  prefix: string,
): Promise<ReadonlyMap<string, StoredData>> {
  const all = new Map<string, StoredData>();
  const keys = await promisify(store.getAllKeys(beginningWith(prefix)));
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
  if (removeAll !== undefined) store.delete(beginningWith(removeAll));
  for (const key of remove) store.delete(key);
  for (const [key, value] of put) store.put(value, key);
  // the write happens even if the page ends before the transaction reports its end
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

function beginningWith(prefix: string): IDBKeyRange {
  return IDBKeyRange.bound(prefix, `${prefix}\uffff`);
}
