/** Arrays that are sorted by the time of issue, earliest first. */
import { append } from '../store/records/SmallSet.ts';

interface Issued {
  /** Logical time. */
  readonly issued: number;
}

/** The number of entries that were issued before this logical time. */
export function countBefore(entries: readonly Issued[], time: number): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((entries[middle] as Issued).issued < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The array with another entry in the order of issue, usually at the end. */
export function insertByIssueTime<T extends Issued>(entries: T[], entry: T): T[] {
  const sorted = append(entries, entry);
  let at = sorted.length - 1;
  for (; at > 0 && (sorted[at - 1] as T).issued > entry.issued; at--)
    sorted[at] = sorted[at - 1] as T;
  sorted[at] = entry;
  return sorted;
}
