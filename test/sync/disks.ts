// Disks in memory, with the real IndexedDB interface: the content of a disk, and copies as a crash leaves the disk.
import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { createStore, entries, get, keys, setMany } from 'idb-keyval';
import type { UseStore } from 'idb-keyval';

// other files of tests that this process has run leave their databases
globalThis.indexedDB = new IDBFactory();

// tabs of other files may still write, to disks of their own
const file = crypto.randomUUID();
let last = 0;

/** The name of an unused disk, also in other files of this process. */
export function freshDisk(): string {
  return `disk ${++last} of ${file}`;
}

const stores = new Map<string, UseStore>();

/** The table of a disk in which persistence keeps rows. */
export function storeOf(disk: string): UseStore {
  const store = stores.get(disk) ?? createStore(disk, 'signalbox');
  stores.set(disk, store);
  return store;
}

/** True for the key that says of which generation the rows are. */
export function isHead(key: string): boolean {
  return key.endsWith(':head');
}

/** A chunk as lines: the key of each row, and the text, in columns between tabs. */
export function linesIn(chunk: string): [key: string, text: string][] {
  return chunk.split(',\n').map((line) => {
    const [key = '', ...rest] = line.slice(1, -1).split(',\t');
    return [key, rest.join('\t')];
  });
}

/** The reverse of `linesIn`. */
function chunkOf(lines: readonly (readonly [key: string, text: string])[]): string {
  return lines.map((line) => `[${line.join('\t').replaceAll('\t', ',\t')}]`).join(',\n');
}

/** Every line of a chunk, and every record of another program, by key. */
export async function rowsOn(disk: string): Promise<Map<string, unknown>> {
  const all = await entries<string, string>(storeOf(disk));
  return new Map<string, unknown>(
    all.flatMap(([key, value]): [string, unknown][] => {
      if (isHead(key)) return [];
      return key.startsWith('signalbox') ? linesIn(value) : [[key, value]];
    }),
  );
}

/** Replaces the first line with this text in the key. Returns the key. */
export async function spoilLine(
  disk: string,
  text: string,
  spoilt: (line: string) => string,
): Promise<string> {
  for (const [name, chunk] of await entries<string, string>(storeOf(disk))) {
    if (isHead(name)) continue;
    const lines = linesIn(chunk);
    const line = lines.find(([key]) => key.includes(text) && !key.startsWith('["part"'));
    if (line === undefined) continue;
    line[1] = spoilt(line[1]);
    const written = chunkOf(lines);
    await storeOf(disk)('readwrite', async (store) => void store.put(written, name));
    return line[0];
  }
  throw new Error(`no line of ${text}`);
}

/** Another disk with the same content. */
export async function copyOf(disk: string): Promise<string> {
  const copy = freshDisk();
  await setMany(await entries<string>(storeOf(disk)), storeOf(copy));
  return copy;
}

/** All keys on the disk, including the head. */
export async function keysOn(disk: string): Promise<string[]> {
  return keys<string>(storeOf(disk));
}

/** The characters of each chunk. */
export async function chunkSizes(disk: string): Promise<number[]> {
  const all = await entries<string, string>(storeOf(disk));
  return all.flatMap(([key, text]) => (isHead(key) ? [] : [text.length]));
}

/** All keys and values on a disk, as text. */
export async function bytesOn(disk: string): Promise<string> {
  const all = await entries<string, Uint8Array | string>(storeOf(disk));
  const textOf = (value: Uint8Array | string) =>
    typeof value === 'string' ? value : new TextDecoder().decode(value);
  return all.map(([key, value]) => key + textOf(value)).join();
}

type Head = readonly [format: 1, log: string, revision: number, tag: string, last: number];

/** Adds records to a log of mutations, in the form of an older build or of another program. */
export async function spoilLog(name: string, records: readonly string[]): Promise<void> {
  const head = await get<string>('log:head', storeOf(name));
  const [, log, revision, , last] = JSON.parse(head ?? '[1,"test",0,"",0]') as Head;
  const ids = records.map((_, at) => `${revision + 1}.${at}.plain.test`);
  const next = [1, log, revision + 1, 'test', last, [[ids, []]]];
  const rows = records.map((text, at): [string, string] => [`log:${ids[at]}`, text]);
  await setMany([...rows, ['log:head', JSON.stringify(next)]], storeOf(name));
}

/** Puts the lock of a tab that has died into the log: until this wall time. */
export async function leaseOf(name: string, queue: string, until: number): Promise<void> {
  await spoilLog(name, [JSON.stringify([`lease:${name} ${queue}`, ['a tab', until]])]);
}
