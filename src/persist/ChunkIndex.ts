/** Which lines are in which chunk, and which chunks a change of lines rewrites. */
import { isPart, wholeOf, isRow } from './recordCodec.ts';

/** One record of the storage: lines of text. */
export interface Chunk {
  readonly id: string;
  /** Characters. */
  readonly size: number;
}

/** A chunk with its lines. */
interface NewChunk {
  readonly id: string;
  readonly text: string;
  /** The keys of its lines. */
  readonly keys: readonly string[];
}

export class ChunkIndex {
  /** The chunk of each line, by its key. */
  readonly places: Map<string, Chunk> = new Map();
  readonly chunks: Map<string, Chunk> = new Map();
  /** The keys of the parts of each record with parts. */
  readonly #parts = new Map<string, Set<string>>();

  /** Adds a chunk that was read. `line` is called with each line, without its key. */
  addFromText(
    { id, text }: Pick<NewChunk, 'id' | 'text'>,
    line?: (key: string, text: string) => void,
  ): void {
    const keys: string[] = [];
    eachLine(text, (key, from, to) => {
      keys.push(key);
      line?.(key, text.slice(from, to));
    });
    this.add({ id, text, keys });
  }

  add({ id, text, keys }: NewChunk): void {
    const chunk = { id, size: text.length };
    this.chunks.set(id, chunk);
    for (const key of keys) {
      this.places.set(key, chunk);
      if (isPart(key)) this.#partsOf(wholeOf(key) as string).add(key);
    }
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
function eachLine(text: string, visit: (key: string, from: number, to: number) => void): void {
  for (let start = 0; start < text.length;) {
    const end = text.indexOf('\n', start);
    const to = end < 0 ? text.length : end;
    const tab = text.indexOf('\t', start);
    if (tab >= 0 && tab < to) visit(text.slice(start, tab), tab + 1, to);
    start = to + 1;
  }
}

// characters: a changed line rewrites this much; smaller chunks would take longer to read back
const FULL = 32_768;

/** Lines to put, by key; undefined: to delete. */
export type LineChanges = ReadonlyMap<string, string | undefined>;

/** The changed lines, and the chunks that must be read to change them. */
export interface RewritePlan {
  readonly changes: LineChanges;
  readonly chunks: readonly Chunk[];
  /** New lines of a group are appended to this chunk, which is one of `chunks`. */
  readonly open: ReadonlyMap<Group, Chunk | undefined>;
}

/** Lists and responses are in other chunks than rows: their freshness changes more often. */
type Group = 'list' | 'row';

interface NewLine {
  readonly key: string;
  /** Without its key. */
  readonly line: string;
}

/** Chunks to replace others. */
export interface Rewrite {
  readonly added: readonly NewChunk[];
  readonly removed: ReadonlySet<string>;
  /** The keys of lines that are deleted. */
  readonly dropped: readonly string[];
}

/** The chunks that these changes rewrite. */
export function planRewrite(index: ChunkIndex, lineChanges: LineChanges): RewritePlan {
  const changes = index.expand(lineChanges);
  const chunks = new Set<Chunk>();
  const open = new Map<Group, Chunk | undefined>();
  for (const key of changes.keys()) {
    const chunk = index.places.get(key);
    if (chunk !== undefined) chunks.add(chunk);
    else if (!open.has(groupOf(key))) open.set(groupOf(key), lastOf(index, groupOf(key)));
  }
  for (const chunk of open.values()) if (chunk !== undefined) chunks.add(chunk);
  return { changes, chunks: [...chunks], open };
}

function groupOf(key: string): Group {
  return isRow(key) ? 'row' : 'list';
}

/** The last chunk of a group, if it has room. */
function lastOf(index: ChunkIndex, group: Group): Chunk | undefined {
  const last = [...index.chunks.values()].filter(({ id }) => id.startsWith(group)).at(-1);
  return last !== undefined && last.size < FULL / 2 ? last : undefined;
}

interface Sources {
  /** The text of a chunk. */
  readonly textOf: (chunk: Chunk) => string;
  /** True for a line on the disk with the same content as the new line. */
  readonly isSame: (key: string, present: string, next: string) => boolean;
  /** The id of the chunk with this number. */
  readonly idOf: (number: number) => string;
}

/** Undefined if all lines are on the disk already. */
export function rewriteChunks(
  { changes, chunks, open }: RewritePlan,
  { textOf, isSame, idOf }: Sources,
): Rewrite | undefined {
  const missing = new Map(changes);
  const dropped: string[] = [];
  const removed = new Set<string>();
  const merge = (lines: NewLine[], text: string): boolean => {
    let isChanged = false;
    eachLine(text, (key, from, to) => {
      const present = text.slice(from, to);
      const next = changes.has(key) ? changes.get(key) : present;
      missing.delete(key);
      if (next === undefined) dropped.push(key);
      else {
        const line = next === present || isSame(key, present, next) ? present : next;
        lines.push({ key, line });
        isChanged ||= line !== present;
      }
      isChanged ||= next === undefined;
    });
    return isChanged;
  };
  const rewritten = chunks.map((chunk) => {
    const lines: NewLine[] = [];
    return { chunk, lines, isChanged: merge(lines, textOf(chunk)) };
  });
  // by now it is known which lines are new
  const added: NewChunk[] = [];
  const add = (group: Group, lines: readonly NewLine[]) => {
    for (const chunk of inChunks(lines)) added.push({ id: group + idOf(added.length), ...chunk });
  };
  for (const { chunk, lines, isChanged } of rewritten) {
    const group = chunk.id.startsWith('row') ? 'row' : 'list';
    const isFilled = chunk === open.get(group) && addLines(lines, missing, group);
    if (!isChanged && !isFilled) continue;
    removed.add(chunk.id);
    add(group, lines);
  }
  for (const group of ['list', 'row'] as const) {
    const lines: NewLine[] = [];
    if (open.get(group) === undefined && addLines(lines, missing, group)) add(group, lines);
  }
  return removed.size + added.length === 0 ? undefined : { added, removed, dropped };
}

/** True if a line was added. */
function addLines(lines: NewLine[], changes: LineChanges, group: Group): boolean {
  const before = lines.length;
  for (const [key, line] of changes)
    if (line !== undefined && groupOf(key) === group) lines.push({ key, line });
  return lines.length > before;
}

function inChunks(lines: readonly NewLine[]): Omit<NewChunk, 'id'>[] {
  const chunks: Omit<NewChunk, 'id'>[] = [];
  let text = '';
  let keys: string[] = [];
  const end = () => {
    if (keys.length > 0) chunks.push({ text, keys });
    text = '';
    keys = [];
  };
  for (const { key, line } of lines) {
    text += `${keys.length > 0 ? '\n' : ''}${key}\t${line}`;
    keys.push(key);
    if (text.length >= FULL) end();
  }
  end();
  return chunks;
}
