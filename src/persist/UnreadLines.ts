/** The lines of a disk that the store does not have yet. All lines of a chunk are parsed when the first is looked up. */
import { keyFor } from '../sync/PersistedRecord.ts';
import { isPart, isResult, keyOfLine, namesIn, parseLines } from './recordCodec.ts';
import type { DiskLine } from './recordCodec.ts';

/** The lines of a chunk; undefined stands for a line that the store has. */
type Lines = (DiskLine | undefined)[];

class UnreadChunk {
  #text: string | undefined;
  #lines: Lines = [];

  constructor(text: string) {
    this.#text = text;
  }

  get lines(): Lines {
    const text = this.#text;
    this.#text = undefined;
    return text === undefined ? this.#lines : (this.#lines = parseLines(text));
  }
}

export class UnreadLines {
  /** The chunk of each line, by key. */
  readonly #chunks = new Map<string, UnreadChunk>();
  /** The keys of the results. */
  readonly results: Set<string> = new Set();
  /** The place of the line after the last taken line. */
  #lines: Lines = [];
  #next = 0;

  addChunk(text: string, keys: readonly string[]): void {
    const chunk = new UnreadChunk(text);
    for (const key of keys) {
      this.#chunks.set(key, chunk);
      if (isResult(key)) this.results.add(key);
    }
  }

  clear(): void {
    this.#chunks.clear();
    this.results.clear();
    this.#lines = [];
  }

  get(key: string): DiskLine | undefined {
    const lines = this.#chunks.get(key)?.lines;
    return lines?.[placeOf(key, lines)];
  }

  /** Returns the line, which belongs to the store from now on. */
  take(key: string): DiskLine | undefined {
    const lines = this.#chunks.get(key)?.lines;
    const at = lines === undefined ? -1 : placeOf(key, lines);
    if (lines === undefined || at < 0) return undefined;
    this.results.delete(key);
    return this.#takeAt(lines, at);
  }

  /** The rows of a list follow each other on most disks: such a row is found without the key. */
  takeEntity(name: string, pk: string): DiskLine | undefined {
    const names = this.#lines[this.#next]?.[0];
    return names?.[2] === pk && names[1] === name && names[0] === 'entity'
      ? this.#takeAt(this.#lines, this.#next)
      : this.take(keyFor('entity', name, pk));
  }

  #takeAt(lines: Lines, at: number): DiskLine | undefined {
    const line = lines[at];
    lines[at] = undefined;
    this.#lines = lines;
    this.#next = at + 1;
    return line;
  }

  /** The keys of all lines of records. */
  *keys(): Iterable<string> {
    for (const chunk of new Set(this.#chunks.values()))
      for (const line of chunk.lines) {
        const key = line && keyOfLine(line);
        if (key !== undefined && !isPart(key)) yield key;
      }
  }
}

function placeOf(key: string, lines: Lines): number {
  const names = namesIn(key);
  const last = names.at(-1);
  // if the last texts are equal, the others rarely differ
  return lines.findIndex(
    (line) => line?.[0].at(-1) === last && line?.[0].every((name, at) => name === names[at]),
  );
}
