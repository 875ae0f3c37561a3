/** Arrays and sets that mostly have a single member. */
import { DEV } from '../../errors.ts';

// a search in an array of this length takes less than a microsecond; to make a set of it takes as long as many searches
const MAX_ARRAY = 1000;

/** The only member, or an array, or a `Set` once a long array was searched. `T` is neither an array nor a `Set`. */
export type SmallSet<T extends object> = T | T[] | Set<T> | undefined;

/** The set with a further member. */
export function withMember<T extends object>(set: NonNullable<SmallSet<T>>, one: T): SmallSet<T> {
  const all = searchable(set);
  if (hasMember(all, one)) return all;
  if (all instanceof Set) return all.add(one);
  if (!Array.isArray(all)) return [all as T, one];
  all.push(one);
  return all;
}

/** The set without a member. */
export function withoutMember<T extends object>(set: SmallSet<T>, one: T): SmallSet<T> {
  const all = searchable(set);
  if (all === one) return undefined;
  if (all instanceof Set) all.delete(one);
  else if (Array.isArray(all)) swapRemove(all, all.indexOf(one));
  return all;
}

/** The set in the form for searches. */
export function searchable<T extends object>(set: SmallSet<T>): SmallSet<T> {
  return Array.isArray(set) && set.length > MAX_ARRAY ? new Set(set) : set;
}

export function hasMember<T extends object>(set: SmallSet<T>, one: T): boolean {
  if (set instanceof Set) return set.has(one);
  return Array.isArray(set) ? set.includes(one) : set === one;
}

/** Removes an entry of an unordered array by moving the last entry to its place. */
function swapRemove<T>(array: T[], at: number): void {
  if (at < 0) return;
  const last = array.pop() as T;
  if (at < array.length) array[at] = last;
}

/**
 * The shared empty array. `append` creates an array for the first member. Frozen in development only: the engine does not
 * inline the iteration of frozen arrays.
 */
export const EMPTY: never[] = (DEV ? Object.freeze([]) : []) as never;

/** Adds a member. Returns a new array for the first member: a push to an empty array reserves room for seventeen. */
export function append<T>(list: T[], one: T): T[] {
  if (list.length === 0) return [one];
  list.push(one);
  return list;
}
