/** Which lines are in which chunk. */
import { isPart, wholeOf } from './recordCodec.ts';

/** One record of the storage: lines of text. */
export interface Chunk {
  readonly id: string;
  /** Characters. */
  readonly size: number;
}

/** A chunk with its lines. */
export interface NewChunk {
  readonly id: string;
  readonly text: string;
}

export class ChunkIndex {
  /** The chunk of each line, by its key. */
  readonly places: Map<string, Chunk> = new Map();
  readonly chunks: Map<string, Chunk> = new Map();
  /** The keys of the parts of each record with parts. */
  readonly #parts = new Map<string, Set<string>>();

  /** `line` is called with each line, without its key. */
  add({ id, text }: NewChunk, line?: (key: string, text: string) => void): void {
    const chunk = { id, size: text.length };
    this.chunks.set(id, chunk);
    eachLine(text, (key, from, to) => {
      this.places.set(key, chunk);
      if (isPart(key)) this.#partsOf(wholeOf(key) as string).add(key);
      line?.(key, text.slice(from, to));
    });
  }

  #partsOf(whole: string): Set<string> {
    const known = this.#parts.get(whole) ?? new Set();
    this.#parts.set(whole, known);
    return known;
  }

  /** Removes chunks, with the lines that are in no other chunk. */
  remove(ids: ReadonlySet<string>): void {
    if (ids.size === 0) return;
    for (const id of ids) this.chunks.delete(id);
    for (const [key, { id }] of this.places) if (ids.has(id)) this.#delete(key);
  }

  /** Removes lines of a rewritten chunk that are in no other chunk. */
  drop(keys: Iterable<string>): void {
    for (const key of keys) this.#delete(key);
  }

  #delete(key: string): void {
    this.places.delete(key);
    const whole = wholeOf(key);
    if (whole !== undefined) this.#parts.get(whole)?.delete(key);
  }

  /** The changes with the parts of the changed records: present parts stay, unused parts are deleted. */
  expand(changes: ReadonlyMap<string, string | undefined>): Map<string, string | undefined> {
    const all = new Map<string, string | undefined>();
    for (const [key, line] of changes) {
      if (line === undefined ? !this.places.has(key) : isPart(key) && this.places.has(key))
        continue;
      all.set(key, line);
      for (const part of this.#parts.get(key) ?? [])
        if (changes.get(part) === undefined) all.set(part, undefined);
    }
    return all;
  }
}

/** Calls `visit` with the key of each line, and the bounds of the rest of the line. */
export function eachLine(
  text: string,
  visit: (key: string, from: number, to: number) => void,
): void {
  for (let start = 0; start < text.length;) {
    const end = text.indexOf('\n', start);
    const to = end < 0 ? text.length : end;
    const tab = text.indexOf('\t', start);
    if (tab >= 0 && tab < to) visit(text.slice(start, tab), tab + 1, to);
    start = to + 1;
  }
}
