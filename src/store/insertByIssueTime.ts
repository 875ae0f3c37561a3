/** Inserts into arrays that are sorted by the time of issue, earliest first. */
import { append } from './append.ts';

/** The array with one more entry at its position, usually the end. */
export function insertByIssueTime<T extends { readonly issued: number }>(line: T[], one: T): T[] {
  const longer = append(line, one);
  let at = longer.length - 1;
  for (; at > 0 && (longer[at - 1] as T).issued > one.issued; at--)
    longer[at] = longer[at - 1] as T;
  longer[at] = one;
  return longer;
}
