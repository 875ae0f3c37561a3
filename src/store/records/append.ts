/** Arrays that mostly keep one member: pushing to an empty array would reserve room for seventeen. */
import { DEV } from '../../errors.ts';

/**
 * The shared empty array. `append` creates an array for the first member. Frozen in development only: the engine does not
 * inline the iteration of frozen arrays.
 */
export const EMPTY: never[] = (DEV ? Object.freeze([]) : []) as never;

/** The array with `one` added: a new array if `list` is empty, otherwise `list`. */
export function append<T>(list: T[], one: T): T[] {
  if (list.length === 0) return [one];
  list.push(one);
  return list;
}
