/** Data that arrive while an own mutation of the same entity is in flight: only the server knows which came last. */
import { equal } from '../schema/equal.ts';
import { hasField } from '../schema/fieldOf.ts';
import type { Fields, NormalizedNode } from '../schema/schema.ts';
import type { EntityRecord } from '../store/entities/EntityRecord.ts';
import { fieldTime, hasLaterOwnWrite } from '../store/records/versioning.ts';
import type { Stamp } from '../store/records/versioning.ts';
import type { StagedWrite } from '../store/writes/StagedWrite.ts';
import { entityOfBody } from './completeResponse.ts';
import type { InFlightRequest } from './InFlightRequest.ts';

/** The last pushed values of an entity. */
export interface PushedContent {
  readonly fields: Fields;
  readonly nodes: readonly NormalizedNode[];
}

/** Notes a push for each mutation that was sent before and that may write the same entity, or create it. */
export function notePush(
  mutations: Iterable<InFlightRequest>,
  record: EntityRecord,
  { time }: Stamp,
  { fields, nodes }: PushedContent,
): void {
  for (const request of mutations) {
    if (request.sentAt >= time || !mayWrite(request, record)) continue;
    const before = request.pushes?.get(record);
    (request.pushes ??= new Map()).set(record, {
      fields: { ...before?.fields, ...fields },
      nodes: nodes.map((node, at) => (node === undefined ? before?.nodes[at] : node)),
    });
  }
}

/** True if the arguments of the mutation name the entity, or if the entity was unknown when the mutation was issued. */
function mayWrite(
  { endpoint, args, lastArrivalNumber }: InFlightRequest,
  record: EntityRecord,
): boolean {
  const kind = entityOfBody(endpoint.schema);
  if (kind?.tableKey !== record.kind.tableKey) return false;
  const { arrivalNumber, pk } = record;
  return kind.pkInArgs(args) === pk || arrivalNumber === 0 || arrivalNumber > lastArrivalNumber;
}

/*
 *   PATCH {title: 'mine'} ─── sent ─────────────────────── {title: 'mine'}   the server has 'mine' or 'theirs'
 *   push                             {title: 'theirs'}
 *
 *   PATCH {title: 'mine'} ─── sent ─────────────────────── {version: 2}      the server has version 1 or 2
 *   read                       sent ────── {version: 1}
 */

/**
 * After the response is written: the entities in it with another value than the last push of a field in the body, or than
 * a read issued later of any other field.
 */
export function contestedEntities(
  { pushes }: InFlightRequest,
  { draft, stamp }: StagedWrite,
): EntityRecord[] {
  return draft.patches.flatMap((patch) => {
    const { record } = patch;
    const { versions, kind, isConfirmed } = record;
    const pushed = pushes?.get(record);
    const isContested = (name: string) => {
      const other = pushed && hasField(pushed.fields, name) ? pushed : undefined;
      if (stamp.own?.has(name)) return other && differs(record, other, name);
      const { time } = stamp;
      const isLater = fieldTime(name, versions) > time && !hasLaterOwnWrite(name, time, versions);
      return !other && isLater && differs(record, patch, name);
    };
    // a class with versions has decided
    return isConfirmed &&
      !kind.descriptor.bypassesVersioning &&
      Object.keys({ ...patch.fields, ...pushed?.fields }).some(isContested)
      ? record
      : [];
  });
}

function differs(record: EntityRecord, { fields, nodes }: PushedContent, name: string): boolean {
  const at = record.kind.descriptor.nestedIndexes.get(name);
  return at === undefined
    ? !equal(fields[name], record.confirmedFields?.[name])
    : !equal(nodes[at], record.confirmedNodes[at]);
}
