/** Lines in which what was issued first stands first. */

/** Puts one where it belongs: at the end, as a rule. */
export function inOrder<T extends { readonly issued: number }>(line: T[], one: T): void {
  let at = line.push(one) - 1;
  for (; at > 0 && (line[at - 1] as T).issued > one.issued; at--) line[at] = line[at - 1] as T;
  line[at] = one;
}
