/** Existence is a field, too: when the own creation or deletion of an entity was issued that stands. */

/** Of the own creation or deletion that stands. */
interface Claim {
  /** Logical time at which it was issued. */
  readonly issued: number;
  /** Of a creation: when what had this key before was deleted; 0: never. */
  readonly gone?: number;
}

// few entities are created or deleted here: the others pay nothing
const claims = new WeakMap<object, Claim>();

export function claimOf(entity: object): Claim | undefined {
  return claims.get(entity);
}

/** One was confirmed; false: another stands that was issued later. */
export function claim(entity: object, made: Claim): boolean {
  if (made.issued < (claims.get(entity)?.issued ?? 0)) return false;
  claims.set(entity, made);
  return true;
}
