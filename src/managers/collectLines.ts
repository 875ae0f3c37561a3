/** Finds unused lines on a disk. */
import { collect } from './collect.ts';
import type { Filed } from './Filed.ts';
import { filedIn, isPart, lineIn } from './rows.ts';

/** The keys of unused lines, in slices. */
export function* collectLines(
  lines: ReadonlyMap<string, string>,
  options: { readonly now: number; readonly maxAge: number },
): Generator<void, Set<string>> {
  const entries = new Map<string, Filed>();
  const partOf = (key: string) => {
    const text = lines.get(key);
    return text === undefined ? undefined : lineIn(text);
  };
  for (const [key, text] of lines) {
    yield;
    try {
      if (!isPart(key)) entries.set(key, filedIn(key, lineIn(text), partOf));
    } catch {
      // a broken line is refused when it is looked up
    }
  }
  return yield* collect(entries, options);
}
