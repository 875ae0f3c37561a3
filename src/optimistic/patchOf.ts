/** What layers ask of a draft. */
import type { NormalizedNode } from '../schema/schema.ts';
import type { EntityPatch } from '../store/entities/EntityContent.ts';
import type { EntityRecord } from '../store/entities/EntityRecord.ts';
import { append } from '../store/records/SmallSet.ts';
import type { Draft } from '../store/writes/Draft.ts';

/** The patch of an entity; undefined if there is none, or if the draft deletes the entity. */
export function patchOf(draft: Draft | undefined, record: EntityRecord): EntityPatch | undefined {
  if (draft === undefined || draft.removals.has(record)) return undefined;
  return draft.patches.find((patch) => patch.record === record);
}

/** True if the draft adds this record to lists or maps. */
export function addsToLists(draft: Draft | undefined, record: NormalizedNode): boolean {
  return (
    draft?.listChanges.some(
      ({ change: { creates, members } }) => creates && members.includes(record),
    ) === true
  );
}

/** Copies the patch of `record`, if any, to `other`. */
export function copyPatchTo(
  draft: Draft | undefined,
  record: EntityRecord,
  other: EntityRecord,
): void {
  const patch = patchOf(draft, record);
  if (draft && patch) draft.patches = append(draft.patches, { ...patch, record: other });
}

/** True if this draft creates every entity that `other` creates. */
export function createsEntitiesOf(draft: Draft, other: Draft): boolean {
  return other.patches.every(
    ({ record }) => other.removals.has(record) || patchOf(draft, record) || record.isConfirmed,
  );
}
