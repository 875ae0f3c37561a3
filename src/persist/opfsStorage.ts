/** A storage in the origin's private file system: a file for each record. */
import { pageStorage } from '../sync/PersistStorage.ts';
import type { PersistStorage, StorageWrite, StoredData } from '../sync/PersistStorage.ts';

type Found = readonly (StoredData | undefined)[];

/*
 *   write:   new files  ──►  the file that makes new files valid  ──►  old files are deleted
 *
 * A file is replaced completely when the stream is closed. A page that ends in between leaves files without a
 * reference, until the next write that deletes all records of a prefix.
 */

/**
 * `persist(controller, { storage: opfsStorage })`: files in the directory `name` of the origin's private file system,
 * which needs a secure context. A Web Lock serializes all accesses of all pages. A page that is being closed may not
 * finish a write: the last 20 ms are lost more often than with IndexedDB, and a log out is complete only when
 * `persist().flush()` has resolved.
 */
export function opfsStorage(name: string): PersistStorage {
  const locked = <T>(work: (directory: FileSystemDirectoryHandle) => Promise<T>): Promise<T> =>
    navigator.locks.request(`signalbox files ${name}`, async () => {
      const root = await navigator.storage.getDirectory();
      return work(await root.getDirectoryHandle(encodeURIComponent(name), { create: true }));
    });
  const change: PersistStorage['change'] = (keys, decide) =>
    locked(async (directory) => {
      const found: Found = await Promise.all(keys.map((key) => readFile(directory, key)));
      const write = decide(found);
      if (write !== undefined) await apply(directory, write);
    });
  return {
    read: (prefix) => locked((directory) => readAll(directory, prefix)),
    change,
    replace: (write, key, isObsolete) =>
      change([key], ([found]) => (isObsolete(found) ? undefined : write)),
    synchronous: pageStorage(),
  };
}

async function readAll(
  directory: FileSystemDirectoryHandle,
  prefix: string,
): Promise<ReadonlyMap<string, StoredData>> {
  const all = new Map<string, StoredData>();
  for (const key of await keysIn(directory, prefix))
    all.set(key, (await readFile(directory, key)) as StoredData);
  return all;
}

async function keysIn(directory: FileSystemDirectoryHandle, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const file of directory.keys()) {
    // a browser may keep other files here while a stream is open
    const key = decodeURIComponent(file);
    if (key.startsWith(prefix) && encodeURIComponent(key) === file) keys.push(key);
  }
  return keys.sort();
}

// the first byte of a file: the value is text, or bytes
const TEXT = 0;
const BYTES = 1;

async function readFile(
  directory: FileSystemDirectoryHandle,
  key: string,
): Promise<StoredData | undefined> {
  try {
    const handle = await directory.getFileHandle(encodeURIComponent(key));
    const bytes = new Uint8Array(await (await handle.getFile()).arrayBuffer());
    const value = bytes.subarray(1);
    return bytes[0] === TEXT ? new TextDecoder().decode(value) : value;
  } catch (error) {
    if ((error as Error).name === 'NotFoundError') return undefined;
    throw error;
  }
}

async function apply(
  directory: FileSystemDirectoryHandle,
  { put, remove = [], removeAll }: StorageWrite,
): Promise<void> {
  for (const [key, value] of put) await writeFile(directory, key, value);
  const others = removeAll === undefined ? [] : await keysIn(directory, removeAll);
  for (const key of [...remove, ...others])
    if (!put.has(key)) await directory.removeEntry(encodeURIComponent(key)).catch(ifFound);
}

function ifFound(error: Error): void {
  if (error.name !== 'NotFoundError') throw error;
}

async function writeFile(
  directory: FileSystemDirectoryHandle,
  key: string,
  value: StoredData,
): Promise<void> {
  const handle = await directory.getFileHandle(encodeURIComponent(key), { create: true });
  const stream = await handle.createWritable();
  const isText = typeof value === 'string';
  const bytes = isText ? new TextEncoder().encode(value) : value;
  await stream.write(new Uint8Array([isText ? TEXT : BYTES]));
  await stream.write(bytes as Uint8Array<ArrayBuffer>);
  await stream.close();
}
