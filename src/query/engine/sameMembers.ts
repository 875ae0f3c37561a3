/** Keeps the reference of arrays with equal members. */

/** True if both arrays have the same members in the same order. */
export function sameMembers(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false;
  return true;
}
