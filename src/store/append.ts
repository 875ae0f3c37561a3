/** Lists that mostly stay at one member: pushing to an empty array makes room for seventeen. */

/** What grows from it is made when it grows. */
export const EMPTY: never[] = Object.freeze([]) as never;

/** The list with one more; the same list, where it had some. */
export function append<T>(list: T[], one: T): T[] {
  if (list.length === 0) return [one];
  list.push(one);
  return list;
}
