/** The requests in flight, and pushes of fields that own mutations among these write, too. */
import { equal } from '../schema/equal.ts';
import { hasField } from '../schema/fieldOf.ts';
import type { NormalizedNode } from '../schema/schema.ts';
import type { EntityContent } from '../store/entities/EntityContent.ts';
import type { EntityRecord } from '../store/entities/EntityRecord.ts';
import { recordsIn } from '../store/records/eachRecord.ts';
import type { Stamp } from '../store/records/versioning.ts';
import type { ResultRecord } from '../store/results/ResultRecord.ts';
import type { Draft } from '../store/writes/Draft.ts';
import type { InFlightRequest } from './InFlightRequest.ts';
import { entityOfBody } from './completeResponse.ts';

/** At most one read per key. */
export class Inflight {
  /** Logical time of the last confirmation of a mutation without a schema, and so with unknown changes. */
  opaqueWriteTime = 0;
  /** All requests in flight, in the order of issue. */
  readonly allRequests: Set<InFlightRequest> = new Set();
  /** The mutations without a confirmed response: in flight, or held by a transaction. */
  readonly mutations: Set<InFlightRequest> = new Set();
  /** The reads in flight by key. */
  readonly reads: Map<string, InFlightRequest> = new Map();
  /** Callbacks by key, called when a read begins or ends. */
  readonly readListeners: Map<string, () => void> = new Map();

  /** The read of `result`, if in flight, issued after `since` and not overtaken: readers may join. */
  joinableRead(result: ResultRecord, since = 0): InFlightRequest | undefined {
    const read = this.reads.get(result.key);
    if (read === undefined || read.issued <= since) return undefined;
    return read.isOvertaken(result) ? undefined : read;
  }

  /** Logical time at which the oldest request in flight was issued; Infinity if there is none. */
  oldestIssued(): number {
    for (const { issued } of this.allRequests) return issued;
    return Infinity;
  }

  /** Lets later readers of the key join. */
  allowJoining(read: InFlightRequest): void {
    // a listener of the event `request` may have cancelled the read
    if (this.allRequests.has(read)) this.reads.set(read.key, read);
    this.readListeners.get(read.key)?.();
  }

  /** A mutation without a schema was confirmed at this logical time. */
  setOpaqueWriteTime(time: number): void {
    this.opaqueWriteTime = time;
  }

  /** Notes a push for each mutation that was sent before and that may write or create the same entity. */
  notePush(record: EntityRecord, { time }: Stamp, { fields, nodes }: EntityContent): void {
    for (const request of this.mutations) {
      if (request.sentAt >= time || !mayWrite(request, record)) continue;
      const before = request.pushes?.get(record);
      (request.pushes ??= new Map()).set(record, {
        fields: { ...before?.fields, ...fields },
        nodes: nodes.map((node, at) => (node === undefined ? before?.nodes[at] : node)),
      });
    }
  }

  /** Takes the request out of flight: the next read of the same key sends a new request. */
  remove(request: InFlightRequest): void {
    this.allRequests.delete(request);
    if (request.holder === undefined) this.mutations.delete(request);
    if (!request.read || this.reads.get(request.key) !== request) return;
    this.reads.delete(request.key);
    this.readListeners.get(request.key)?.();
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
 *
 *   PUT /todos/1/star ─────── sent ────────────────────── {starred: true}    without a body: any field of the response
 *   push                             {starred: false}
 */

/** The entities of a written response with another value than the last push of a field that the mutation may write. */
export function contestedEntities(
  { pushes }: InFlightRequest,
  { own }: Stamp,
  { node, draft }: { readonly node: NormalizedNode; readonly draft: Pick<Draft, 'patchOf'> },
): EntityRecord[] {
  if (pushes === undefined) return [];
  const names = [...(own ?? [])];
  return ([...recordsIn(node)] as EntityRecord[]).filter((record) => {
    const { kind, isConfirmed } = record;
    const pushed = pushes.get(record);
    // a class with versions has decided, and so has a deletion
    if (pushed === undefined || !isConfirmed || kind.descriptor.bypassesVersioning) return false;
    const isSent = (name: string) =>
      name in kind.defaults && name !== kind.descriptor.declaredPkField?.field;
    if (names.some(isSent)) return names.some((name) => record.differsFrom(pushed, name));
    // a response may contain the key of a row alone
    const fields = draft.patchOf(record)?.fields ?? {};
    return Object.keys(fields).some(
      (name) => hasField(pushed.fields, name) && !equal(fields[name], pushed.fields[name]),
    );
  });
}
