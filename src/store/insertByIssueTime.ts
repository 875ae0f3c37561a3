/** Inserts into arrays that are sorted by the time of issue, earliest first. */
import { append } from './append.ts';

/** The array with one more entry at its position, usually the end. */
export function insertByIssueTime<T extends { readonly issued: number }>(
  entries: T[],
  entry: T,
): T[] {
  const sorted = append(entries, entry);
  let at = sorted.length - 1;
  for (; at > 0 && (sorted[at - 1] as T).issued > entry.issued; at--)
    sorted[at] = sorted[at - 1] as T;
  sorted[at] = entry;
  return sorted;
}
