/** From lines that change to the chunks that are written in the place of others. */
import { linesIn } from './ChunkIndex.ts';
import type { Chunk, ChunkIndex, NewChunk } from './ChunkIndex.ts';

// characters: what one changed line costs to write; a smaller one would take longer to read back
const FULL = 32_768;

/** Lines to put, by key; undefined: to delete. */
export type LineChanges = ReadonlyMap<string, string | undefined>;

/** The lines that change, and the chunks that have to be read for it. */
export interface RewritePlan {
  readonly changes: LineChanges;
  readonly chunks: readonly Chunk[];
  /** New lines go behind the lines of this chunk; it is one of `chunks`. */
  readonly open: Chunk | undefined;
}

/** Chunks in the place of others. */
export interface Rewrite {
  readonly added: readonly NewChunk[];
  readonly removed: ReadonlySet<string>;
  /** Lines that are gone. */
  readonly dropped: readonly string[];
}

export function planRewrite(index: ChunkIndex, given: LineChanges): RewritePlan {
  const changes = index.expand(given);
  const chunks = new Set<Chunk>();
  let isNew = false;
  for (const key of changes.keys()) {
    const chunk = index.places.get(key);
    if (chunk === undefined) isNew = true;
    else chunks.add(chunk);
  }
  const last = [...index.chunks.values()].at(-1);
  const open = isNew && last !== undefined && last.size < FULL / 2 ? last : undefined;
  if (open !== undefined) chunks.add(open);
  return { changes, chunks: [...chunks], open };
}

interface Sources {
  /** The text of a chunk. */
  readonly textOf: (chunk: Chunk) => string;
  /** True for a line on the disk that says the same as the new one. */
  readonly isSame: (key: string, present: string, next: string) => boolean;
  /** The id of the chunk of this number. */
  readonly idOf: (number: number) => string;
}

/** Undefined where everything lies there already. */
export function rewriteChunks(
  { changes, chunks, open }: RewritePlan,
  { textOf, isSame, idOf }: Sources,
): Rewrite | undefined {
  const missing = new Map(changes);
  const dropped: string[] = [];
  const removed = new Set<string>();
  const written: string[][] = [];
  const merge = (lines: string[], text: string): boolean => {
    let isChanged = false;
    for (const [key, from, to] of linesIn(text)) {
      const present = text.slice(from, to);
      const next = changes.has(key) ? changes.get(key) : present;
      missing.delete(key);
      if (next === undefined) dropped.push(key);
      else if (next === present || isSame(key, present, next)) lines.push(`${key}\t${present}`);
      else lines.push(`${key}\t${next}`);
      isChanged ||= next === undefined || lines.at(-1) !== `${key}\t${present}`;
    }
    return isChanged;
  };
  // the open chunk last: by then it is known which lines are new
  for (const chunk of [...chunks].sort((one) => (one === open ? 1 : -1))) {
    const lines: string[] = [];
    const isChanged = merge(lines, textOf(chunk));
    const isFilled = chunk === open && addLines(lines, missing);
    if (!isChanged && !isFilled) continue;
    removed.add(chunk.id);
    written.push(lines);
  }
  if (open === undefined) {
    const lines: string[] = [];
    if (addLines(lines, missing)) written.push(lines);
  }
  if (written.length === 0) return undefined;
  const texts = written.flatMap(inChunks);
  return { added: texts.map((text, at) => ({ id: idOf(at), text })), removed, dropped };
}

/** True where a line was added. */
function addLines(lines: string[], changes: LineChanges): boolean {
  const before = lines.length;
  for (const [key, line] of changes) if (line !== undefined) lines.push(`${key}\t${line}`);
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
