/** Existence is a field, too: when the own creation or deletion of an entity was issued that stands. */
import type { ExistenceWrite, FieldVersions } from './FieldVersions.ts';

interface Claimed {
  versions: FieldVersions;
}

export function existenceWriteOf({ versions: known }: Claimed): ExistenceWrite | undefined {
  return known.existence;
}

/** One was confirmed; false: another stands that was issued later. */
export function recordExistenceWrite(entity: Claimed, made: ExistenceWrite): boolean {
  const { versions: known } = entity;
  if (made.issued < (known.existence?.issued ?? 0)) return false;
  entity.versions = { ...known, existence: made };
  return true;
}

/** The claim that stands is a deletion. A key of a map has an order of its own: only this outruns an entry there. */
export function isDeletionConfirmed({ versions: known }: Claimed): boolean {
  return known.existence?.deleted === true;
}
