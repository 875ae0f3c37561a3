// Disks in memory, of the real IndexedDB interface: what lies on one, and copies as a crash leaves them.
import 'fake-indexeddb/auto';
import { createStore, entries, keys, setMany } from 'idb-keyval';
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

/** True for the key that says of which generation the rows are. */
export function isHead(key: string): boolean {
  return key === 'signalbox head';
}

/** Everything on it, by key, except for the head. */
export async function rowsOn(disk: string): Promise<Map<string, unknown>> {
  const all = await entries<string>(storeOf(disk));
  return new Map(all.filter(([key]) => !isHead(key)));
}

/** Another disk with the same on it. */
export async function copyOf(disk: string): Promise<string> {
  const copy = freshDisk();
  await setMany(await entries<string>(storeOf(disk)), storeOf(copy));
  return copy;
}

/** All keys on it, the head's too. */
export async function keysOn(disk: string): Promise<string[]> {
  return keys<string>(storeOf(disk));
}
