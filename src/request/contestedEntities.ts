/** Pushes of fields that own mutations in flight write, too: only the server knows which of both came last. */
import type { Fields, NormalizedNode } from '../schema/schema.ts';
import type { EntityRecord } from '../store/entities/EntityRecord.ts';
import { recordsIn } from '../store/records/eachRecord.ts';
import type { Stamp } from '../store/records/versioning.ts';
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
    const pushed = pushes.get(record as EntityRecord);
    // a class with versions has decided
    if (pushed === undefined || (record as EntityRecord).kind.descriptor.bypassesVersioning)
      return false;
    return [...(own ?? [])].some((name) => (record as EntityRecord).differsFrom(pushed, name));
  });
}
