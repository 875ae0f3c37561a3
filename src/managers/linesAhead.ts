/** A write of many lines is made in parts. */
import type { ChunkStore } from './ChunkStore.ts';
import type { LineChanges } from './rewriteChunks.ts';
import { isRow } from './rows.ts';

// lines of one part
const AT_ONCE = 2_000;

/**
 * Of many changes the rows that are not on the disk yet, in parts: nothing there refers to them before the rest is written, so
 * they may be written one after the other, and none of the writes holds up the page.
 */
export function* linesAhead(changes: LineChanges, disk: ChunkStore): Iterable<LineChanges> {
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
