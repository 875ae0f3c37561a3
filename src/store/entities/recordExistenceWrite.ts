/** Existence as a versioned field: the own creation or deletion of an entity that stands, and when it was issued. */
import type { ExistenceWrite, FieldVersions } from './FieldVersions.ts';

interface VersionedEntity {
  versions: FieldVersions;
}

/**
 * Records a confirmed creation or deletion; false: another one, issued later, stands. A creation of an entity that exists
 * keeps the time of the deletion before.
 */
export function recordExistenceWrite(entity: VersionedEntity, made: ExistenceWrite): boolean {
  const { versions } = entity;
  const { issued = 0, formerDeletionTime } = versions.existenceWrite ?? {};
  if (made.issued < issued) return false;
  const { time, times, ownIssued, floorTime, stamp, recordShape, unreceived } = versions;
  // written out: a spread takes ten times as long, and all versions keep one object shape
  entity.versions = {
    time,
    times,
    ownIssued,
    floorTime,
    stamp,
    recordShape,
    unreceived,
    existenceWrite: made.deleted ? made : { formerDeletionTime, ...made },
  };
  return true;
}

/** True if a deletion stands. Map keys are versioned separately, so only a deletion supersedes an entry of a map. */
export function isDeletionConfirmed({ versions }: VersionedEntity): boolean {
  return versions.existenceWrite?.deleted === true;
}
