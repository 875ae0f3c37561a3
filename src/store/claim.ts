/** Existence is a field, too: when the own creation or deletion of an entity was issued that stands. */
import type { Claim, Known } from './Known.ts';

interface Claimed {
  known: Known;
}

export function claimOf({ known }: Claimed): Claim | undefined {
  return known.claim;
}

/** One was confirmed; false: another stands that was issued later. */
export function claim(entity: Claimed, made: Claim): boolean {
  const { known } = entity;
  if (made.issued < (known.claim?.issued ?? 0)) return false;
  entity.known = { ...known, claim: made };
  return true;
}

/** The claim that stands is a deletion. A key of a map has an order of its own: only this outruns an entry there. */
export function isDeleted({ known }: Claimed): boolean {
  return known.claim?.deleted === true;
}
