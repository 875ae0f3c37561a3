/** Which lines are in which chunk, and which chunks a change of lines rewrites. */
import { chunkText, eachLine, isPart, isRow, wholeOf } from './recordCodec.ts';

/** A record of the storage: lines of text. */
export interface Chunk {
  readonly id: string;
  /** Characters. */
  readonly size: number;
}

/** A chunk with its lines. */
interface NewChunk {
  readonly id: string;
  readonly text: string;
  /** The keys of the lines. */
  readonly keys: readonly string[];
}

export class ChunkIndex {
  /** The chunk of each line, by the key of the line. */
  readonly places: Map<string, Chunk> = new Map();
  readonly chunks: Map<string, Chunk> = new Map();
  /** The keys of the parts of each record with parts. */
  readonly #parts = new Map<string, Set<string>>();

  /** Adds a chunk that was read. Returns the keys of the lines. */
  addFromText({ id, text }: Pick<NewChunk, 'id' | 'text'>): readonly string[] {
    const keys: string[] = [];
    eachLine(text, (key) => keys.push(key));
    this.add({ id, text, keys });
    return keys;
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

  /** Visits the changes, with the parts of the changed records: present parts stay, unused parts are deleted. */
  expand(
    changes: LineChanges,
    visit: (key: string, line: string | undefined, chunk: Chunk | undefined) => void,
  ): void {
    changes.forEach((line, key) => {
      const chunk = this.places.get(key);
      if (chunk === undefined ? line === undefined : line !== undefined && isPart(key)) return;
      visit(key, line, chunk);
      for (const part of this.#parts.get(key) ?? [])
        if (changes.get(part) === undefined) visit(part, undefined, this.places.get(part));
    });
  }
}

// characters: a changed line rewrites this much; smaller chunks would take longer to read back
const FULL = 32_768;

/** Lines to put, by key; undefined: to delete. */
export type LineChanges = ReadonlyMap<string, string | undefined>;

/** The changed lines, and the chunks that must be read to change them. */
export interface RewritePlan {
  /** Of lines in these chunks. */
  readonly changes: LineChanges;
  readonly chunks: readonly Chunk[];
  readonly added: Readonly<Record<Group, NewLine[]>>;
  /** New lines of a group are appended to this chunk, which is among `chunks`. */
  readonly open: ReadonlyMap<Group, Chunk>;
}

/** Lists and responses are in other chunks than rows: their freshness changes more often. */
type Group = (typeof GROUPS)[number];

interface NewLine {
  readonly key: string;
  /** Without the key. */
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
  const changes = new Map<string, string | undefined>();
  const added: Record<Group, NewLine[]> = { list: [], row: [] };
  const chunks = new Set<Chunk>();
  const open = new Map<Group, Chunk>();
  index.expand(lineChanges, (key, line, chunk) => {
    if (chunk !== undefined) {
      chunks.add(chunk);
      changes.set(key, line);
    } else if (line !== undefined) added[groupOf(key)].push({ key, line });
  });
  for (const group of GROUPS) {
    const chunk = added[group].length > 0 ? lastOf(index, group) : undefined;
    if (chunk === undefined) continue;
    chunks.add(chunk);
    open.set(group, chunk);
  }
  return { changes, chunks: [...chunks], added, open };
}

const GROUPS = ['list', 'row'] as const;

function groupOf(key: string): Group {
  return isRow(key) ? 'row' : 'list';
}

/** The last chunk of a group, if there is room. */
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
  { changes, chunks, added: newLines, open }: RewritePlan,
  { textOf, isSame, idOf }: Sources,
): Rewrite | undefined {
  const dropped: string[] = [];
  const removed = new Set<string>();
  const added: NewChunk[] = [];
  const add = (group: Group, lines: readonly NewLine[]) => {
    for (const part of inChunks(lines))
      added.push({
        id: group + idOf(added.length),
        text: chunkText(part),
        keys: part.map(({ key }) => key),
      });
  };
  for (const chunk of chunks) {
    const group = chunk.id.startsWith('row') ? 'row' : 'list';
    const lines: NewLine[] = [];
    const text = textOf(chunk);
    let isChanged = false;
    eachLine(text, (key, from, to) => {
      const present = text.slice(from, to);
      const next = changes.has(key) ? changes.get(key) : present;
      if (next === undefined) dropped.push(key);
      else {
        const line = next === present || isSame(key, present, next) ? present : next;
        lines.push({ key, line });
        isChanged ||= line !== present;
      }
      isChanged ||= next === undefined;
    });
    const isOpen = chunk === open.get(group);
    if (!isChanged && !isOpen) continue;
    removed.add(chunk.id);
    add(group, isOpen ? [...lines, ...newLines[group]] : lines);
  }
  for (const group of GROUPS) if (!open.has(group)) add(group, newLines[group]);
  return removed.size + added.length === 0 ? undefined : { added, removed, dropped };
}

/** The lines grouped into chunks. */
function inChunks(lines: readonly NewLine[]): NewLine[][] {
  const chunks: NewLine[][] = [];
  let chunk: NewLine[] = [];
  let size = 0;
  for (const line of lines) {
    if (chunk.length === 0) chunks.push(chunk);
    chunk.push(line);
    size += line.key.length + line.line.length;
    if (size < FULL) continue;
    chunk = [];
    size = 0;
  }
  return chunks;
}
