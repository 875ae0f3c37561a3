/** Divides a write of many lines into parts. */
import type { ChunkStore } from './ChunkStore.ts';
import type { LineChanges } from './rewriteChunks.ts';
import { isRow } from './recordCodec.ts';

// lines of one part
const AT_ONCE = 2_000;

/**
 * The rows among the changes that are not on the disk yet, in parts. Records on the disk do not refer to these rows
 * before the rest is written, so the parts can be written one after the other, without blocking the page.
 */
export function* splitWrite(changes: LineChanges, disk: ChunkStore): Iterable<LineChanges> {
  if (changes.size < 2 * AT_ONCE) return;
  let some = new Map<string, string>();
  for (const [key, line] of changes) {
    if (line === undefined || !isRow(key) || disk.has(key)) continue;
    some.set(key, line);
    if (some.size < AT_ONCE) continue;
    yield some;
    some = new Map();
  }
}
