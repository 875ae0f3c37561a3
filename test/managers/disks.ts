// Disks in memory, of the real IndexedDB interface: what lies on one, and copies as a crash leaves them.
import 'fake-indexeddb/auto';
import { createStore, entries, setMany } from 'idb-keyval';
import type { UseStore } from 'idb-keyval';

let last = 0;

/** The name of a disk that nobody has used. */
export function freshDisk(): string {
  return `disk ${++last}`;
}

const stores = new Map<string, UseStore>();

/** The table of a disk in which persistence keeps its rows. */
export function storeOf(disk: string): UseStore {
  const store = stores.get(disk) ?? createStore(disk, 'signalbox');
  stores.set(disk, store);
  return store;
}

/** Everything on it, by key. */
export async function rowsOn(disk: string): Promise<Map<string, unknown>> {
  return new Map(await entries<string>(storeOf(disk)));
}

/** Another disk with the same on it. */
export async function copyOf(disk: string): Promise<string> {
  const copy = freshDisk();
  await setMany([...(await rowsOn(disk))], storeOf(copy));
  return copy;
}
