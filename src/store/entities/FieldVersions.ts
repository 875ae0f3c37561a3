/** When the fields of an entity were written, as an immutable object that the rows of a response share. */
import type { RecordShape } from '../../schema/EntityKind.ts';
import { hasAllFields } from '../../schema/fieldOf.ts';
import type { Fields } from '../../schema/schema.ts';
import { EMPTY } from '../records/SmallSet.ts';
import { UNWRITTEN_STAMP, isAtLeastAsNew, mergeTimes } from '../records/versioning.ts';
import type { Stamp, Times } from '../records/versioning.ts';

/** The own creation, or the own or pushed deletion, that stands. */
export interface ExistenceWrite {
  /** Logical time of issue. */
  readonly issued: number;
  /** Of a creation: when the entity that had this key before was deleted; 0: never. */
  readonly formerDeletionTime?: number | undefined;
  /** Set for a deletion. */
  readonly deleted?: true;
  /** Set for a pushed deletion: when the entity was last received before; 0: the entity was unknown. */
  readonly knownTime?: number;
}

/** Immutable. */
export interface FieldVersions extends Times {
  /** The time of all fields not listed in `times`; of a missing record, the time of the deletion. */
  readonly time: number;
  /** The time of fields that were never written: the time of the own creation, or of the deletion before, or 0. */
  readonly floorTime: number;
  /** Of all stamps that wrote here, the stamp with the latest expiry. */
  readonly stamp: Stamp;
  /** Of the last response of an own write; undefined: none. */
  readonly ownStamp: Stamp | undefined;
  /** Undefined: the entity was neither created by an own write nor deleted by an own write or a push. */
  readonly existenceWrite: ExistenceWrite | undefined;
  /** A shape with all fields of the record; undefined: unknown. */
  readonly recordShape: RecordShape | undefined;
  /** The declared fields that no response has contained yet. */
  readonly unreceived: readonly string[];
}

export const NO_VERSIONS: FieldVersions = Object.freeze({
  time: 0,
  times: undefined,
  ownIssued: undefined,
  floorTime: 0,
  stamp: UNWRITTEN_STAMP,
  ownStamp: undefined,
  existenceWrite: undefined,
  recordShape: undefined,
  unreceived: EMPTY,
});

/*
 *   row 1   NO_VERSIONS ─┐                    row 1   #4 ─┐                   the first row of a response computes
 *   row 2   NO_VERSIONS ─┼─► #4               row 2   #4 ─┼─► #9              the next versions; later rows reuse
 *   row 3   NO_VERSIONS ─┘   first response   row 3   #4 ─┘   next response   the result while shape, stamp and
 *                                                                             old versions are the same
 */
interface Transition {
  readonly from: FieldVersions;
  readonly stamp: Stamp;
  readonly to: FieldVersions;
}

interface NewEntity {
  readonly recordShape: RecordShape | undefined;
  readonly isOwnCreation: boolean;
}

/** The versions of an entity that appears, or appears again. */
export function versionsOfNewEntity(
  known: FieldVersions,
  patch: NewEntity,
  stamp: Stamp,
): FieldVersions {
  const { isOwnCreation } = patch;
  const shape = patch.recordShape as RecordShape;
  const memo = shape.writeMemo as Transition | undefined;
  if (memo !== undefined && memo.from === known && memo.stamp === stamp) return memo.to;
  const { time, own } = stamp;
  const floorTime = isOwnCreation ? time : known.time;
  const { absentNames: unreceived, absentTimes } = shape;
  const isFirst = floorTime === 0 || absentTimes === undefined;
  const versions: FieldVersions = {
    time,
    // older data may still write the declared fields that this write left out
    times: isFirst ? absentTimes : Object.fromEntries(unreceived.map((name) => [name, floorTime])),
    ownIssued: known.ownIssued,
    floorTime,
    stamp,
    ownStamp: stamp.ownTime ? stamp : undefined,
    existenceWrite: isOwnCreation
      ? { issued: time, formerDeletionTime: known.time }
      : known.existenceWrite,
    recordShape: unreceived.length === 0 && own === undefined ? shape : undefined,
    unreceived,
  };
  if (own !== undefined) return { ...versions, ...mergeTimes(versions, shape.names, stamp, false) };
  if (!isOwnCreation) shape.writeMemo = { from: known, stamp, to: versions } satisfies Transition;
  return versions;
}

/** The fields that a write has for an entity. */
interface WrittenFields {
  readonly fields: Fields;
  readonly recordShape: RecordShape | undefined;
  readonly classStamp: Stamp | undefined;
}

interface StoredEntity {
  readonly versions: FieldVersions;
  readonly confirmedFields: Fields | undefined;
}

/** The versions after a write of a stored entity. `names`: the fields that are written. */
export function versionsAfter(
  record: StoredEntity,
  patch: WrittenFields,
  names: readonly string[],
  stamp: Stamp,
): FieldVersions {
  const { versions: known } = record;
  const { fields, classStamp } = patch;
  const shape = patch.recordShape as RecordShape;
  const isPlain = names === shape.names && classStamp === undefined;
  const memo = shape.writeMemo as Transition | undefined;
  if (isPlain && memo !== undefined && memo.from === known && memo.stamp === stamp) return memo.to;
  const stored = record.confirmedFields as Fields;
  const { unreceived } = known;
  const isComplete =
    isAtLeastAsNew(stamp.time, known.time) && writesAllFields(known, shape, fields, stored);
  const { time, times, ownIssued } = mergeTimes(known, names, stamp, isComplete);
  const after: FieldVersions = {
    time,
    times,
    ownIssued,
    floorTime: known.floorTime,
    stamp: classStamp ?? (stamp.expiresAt >= known.stamp.expiresAt ? stamp : known.stamp),
    ownStamp: stamp.ownTime ? stamp : known.ownStamp,
    existenceWrite: known.existenceWrite,
    recordShape: isComplete ? shape : undefined,
    unreceived: unreceived.length > 0 ? withoutReceived(names, unreceived) : unreceived,
  };
  if (isPlain && known.recordShape === shape)
    shape.writeMemo = { from: known, stamp, to: after } satisfies Transition;
  return after;
}

/** True if a write has all stored fields. */
function writesAllFields(
  { recordShape }: FieldVersions,
  shape: RecordShape,
  fields: Fields,
  record: Fields,
): boolean {
  if (recordShape === shape) return true;
  const fewer = recordShape !== undefined && shape.names.length < recordShape.names.length;
  return !fewer && hasAllFields(fields, record);
}

/** The unreceived fields after these fields were received. */
function withoutReceived(
  names: readonly string[],
  unreceived: readonly string[],
): readonly string[] {
  const isAnyReceived = unreceived.some((name) => names.includes(name));
  return isAnyReceived ? unreceived.filter((name) => !names.includes(name)) : unreceived;
}

interface VersionedEntity {
  versions: FieldVersions;
}

/**
 * Records a confirmed creation or deletion; false: another write, issued later, stands. A creation of an entity that
 * exists keeps the time of the deletion before. A creation sent while an entity was known has not made that entity: the
 * pushed deletion of the known entity does not concern the new entity, which has the same key.
 */
export function recordExistenceWrite(entity: VersionedEntity, made: ExistenceWrite): boolean {
  const { versions } = entity;
  const { issued = 0, formerDeletionTime, knownTime } = versions.existenceWrite ?? {};
  const hasKeyOfDeleted = !made.deleted && knownTime && made.issued > knownTime;
  if (made.issued < issued && !hasKeyOfDeleted) return false;
  const { time, times, ownIssued, floorTime, stamp, ownStamp, recordShape, unreceived } = versions;
  // written out: a spread takes ten times as long, and all versions keep the same object shape
  entity.versions = {
    time,
    times,
    ownIssued,
    floorTime,
    stamp,
    ownStamp,
    recordShape,
    unreceived,
    existenceWrite: made.deleted ? made : { formerDeletionTime, ...made },
  };
  return true;
}

/**
 * The push of a row that an own creation has made is no further creation: a deletion that was issued before the push,
 * and waits for the key, is later than the creation.
 */
export function dropPushedCreation(entity: VersionedEntity): void {
  const { versions } = entity;
  if (versions.existenceWrite?.deleted !== true)
    entity.versions = { ...versions, existenceWrite: undefined };
}

/** True if a deletion stands. Map keys are versioned separately, so only a deletion supersedes an entry of a map. */
export function isDeletionConfirmed({ versions }: VersionedEntity): boolean {
  return versions.existenceWrite?.deleted === true;
}

/** True if a deletion stands that was issued before this logical time: the server may have restored the entity. */
export function wasDeletedBefore({ versions }: VersionedEntity, time: number): boolean {
  const { existenceWrite: made } = versions;
  return made?.deleted === true && made.issued < time;
}
