/** Finds unused lines on a disk. */
import { collectGarbage } from './collectGarbage.ts';
import type { PersistedRecord } from '../sync/PersistedRecord.ts';
import { decodeRecord, isPart } from './recordCodec.ts';
import { lineIn } from './DiskLine.ts';

/** The keys of unused lines, in slices. */
export function* collectGarbageLines(
  lines: ReadonlyMap<string, string>,
  options: { readonly now: number; readonly maxAge: number },
): Generator<void, Set<string>> {
  const entries = new Map<string, PersistedRecord>();
  const partOf = (key: string) => {
    const text = lines.get(key);
    return text === undefined ? undefined : lineIn(text);
  };
  for (const [key, text] of lines) {
    yield;
    try {
      if (!isPart(key)) entries.set(key, decodeRecord(key, lineIn(text), partOf));
    } catch {
      // a broken line is refused when it is looked up
    }
  }
  return yield* collectGarbage(entries, options);
}
