/** Lines in which what was issued first stands first. */
import { append } from './append.ts';

/** The line with one more where it belongs: at the end, as a rule. */
export function insertByIssueTime<T extends { readonly issued: number }>(line: T[], one: T): T[] {
  const longer = append(line, one);
  let at = longer.length - 1;
  for (; at > 0 && (longer[at - 1] as T).issued > one.issued; at--)
    longer[at] = longer[at - 1] as T;
  longer[at] = one;
  return longer;
}
