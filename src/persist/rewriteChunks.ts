/** From changed lines to the chunks to write in the place of others. */
import { eachLine } from './ChunkIndex.ts';
import type { Chunk, ChunkIndex, NewChunk } from './ChunkIndex.ts';

// characters: a changed line rewrites this much; smaller chunks would take longer to read back
const FULL = 32_768;

import { isRow } from './recordCodec.ts';

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

/** Chunks to replace others. */
export interface Rewrite {
  readonly added: readonly NewChunk[];
  readonly removed: ReadonlySet<string>;
  /** The keys of lines that are deleted. */
  readonly dropped: readonly string[];
}

export function planRewrite(index: ChunkIndex, given: LineChanges): RewritePlan {
  const changes = index.expand(given);
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
  const merge = (lines: string[], text: string): boolean => {
    let isChanged = false;
    eachLine(text, (key, from, to) => {
      const present = text.slice(from, to);
      const next = changes.has(key) ? changes.get(key) : present;
      missing.delete(key);
      if (next === undefined) dropped.push(key);
      else if (next === present || isSame(key, present, next)) lines.push(`${key}\t${present}`);
      else lines.push(`${key}\t${next}`);
      isChanged ||= next === undefined || lines.at(-1) !== `${key}\t${present}`;
    });
    return isChanged;
  };
  const rewritten = chunks.map((chunk) => {
    const lines: string[] = [];
    return { chunk, lines, isChanged: merge(lines, textOf(chunk)) };
  });
  // by now it is known which lines are new
  const added: NewChunk[] = [];
  const add = (group: Group, lines: readonly string[]) => {
    for (const text of inChunks(lines)) added.push({ id: group + idOf(added.length), text });
  };
  for (const { chunk, lines, isChanged } of rewritten) {
    const group = chunk.id.startsWith('row') ? 'row' : 'list';
    const isFilled = chunk === open.get(group) && addLines(lines, missing, group);
    if (!isChanged && !isFilled) continue;
    removed.add(chunk.id);
    add(group, lines);
  }
  for (const group of ['list', 'row'] as const) {
    const lines: string[] = [];
    if (open.get(group) === undefined && addLines(lines, missing, group)) add(group, lines);
  }
  return removed.size + added.length === 0 ? undefined : { added, removed, dropped };
}

/** True if a line was added. */
function addLines(lines: string[], changes: LineChanges, group: Group): boolean {
  const before = lines.length;
  for (const [key, line] of changes)
    if (line !== undefined && groupOf(key) === group) lines.push(`${key}\t${line}`);
  return lines.length > before;
}

function inChunks(lines: readonly string[]): string[] {
  const texts: string[] = [];
  let part: string[] = [];
  let size = 0;
  for (const line of lines) {
    part.push(line);
    size += line.length + 1;
    if (size < FULL) continue;
    texts.push(part.join('\n'));
    part = [];
    size = 0;
  }
  if (part.length > 0) texts.push(part.join('\n'));
  return texts;
}
