/** Pushes of fields that own mutations in flight write, too: only the server knows which of both came last. */
import type { NormalizedNode } from '../schema/schema.ts';
import type { EntityRecord } from '../store/entities/EntityRecord.ts';
import { recordsIn } from '../store/records/eachRecord.ts';
import type { Stamp } from '../store/records/versioning.ts';
import { entityOfBody } from './completeResponse.ts';
import type { InFlightRequest } from './InFlightRequest.ts';

/** True if the arguments of the mutation name the entity, or if the entity was unknown when the mutation was issued. */
export function mayWrite(
  { endpoint, args, lastArrivalNumber }: InFlightRequest,
  record: EntityRecord,
): boolean {
  const kind = entityOfBody(endpoint.schema);
  if (kind?.tableKey !== record.kind.tableKey) return false;
  const { arrivalNumber, pk } = record;
  return kind.pkInArgs(args) === pk || arrivalNumber === 0 || arrivalNumber > lastArrivalNumber;
}

/*
 *   PATCH {title: 'mine'} ─── sent ────────────────────── {title: 'mine'}    the server has 'mine' or 'theirs'
 *   push                             {title: 'theirs'}
 */

/** After the response is written: the entities in it with another value than the last push of a field in the body. */
export function contestedEntities(
  { pushes }: InFlightRequest,
  { own }: Stamp,
  node: NormalizedNode,
): EntityRecord[] {
  if (pushes === undefined) return [];
  return [...recordsIn(node)].filter((record): record is EntityRecord => {
    const { kind, isConfirmed } = record as EntityRecord;
    const pushed = pushes.get(record as EntityRecord);
    // a class with versions has decided, and so has a deletion
    if (pushed === undefined || !isConfirmed || kind.descriptor.bypassesVersioning) return false;
    return [...(own ?? [])].some((name) => (record as EntityRecord).differsFrom(pushed, name));
  });
}
