/** Changes of other results by a response, as defined by the `update` of its endpoint. */
import type { Updates } from '../endpoint/Endpoint.ts';
import type { InFlightRequest } from '../request/InFlightRequest.ts';
import type { UpdateContext } from '../request/OptimisticWrites.ts';
import { toEventWrite } from '../request/commit.ts';
import { EntityKind } from '../schema/EntityKind.ts';
import { kindOf } from '../schema/kindOf.ts';
import { unwrapOpaque, INVALID } from '../schema/schema.ts';
import type { ListKind, Kind, NormalizedNode, Ref, Source, StoredKind } from '../schema/schema.ts';
import type { Store } from '../store/Store.ts';
import { EntityRecord } from '../store/entities/EntityRecord.ts';
import { isStoredList } from '../store/lists/ListRecord.ts';
import type { StoreRecord } from '../store/records/StoreRecord.ts';
import { eachRecord, recordsIn } from '../store/records/eachRecord.ts';
import type { Stamp } from '../store/records/versioning.ts';
import { applyUpdate } from '../store/results/ResultRecord.ts';
import type { ResultRecord } from '../store/results/ResultRecord.ts';
import { StagedWrite } from '../store/writes/Draft.ts';
import type { Draft, WriteRequest } from '../store/writes/Draft.ts';
import { LayerReadView } from './LayerReadView.ts';

/**
 * Returns a function from the node of a response to the results that the endpoint's `update` changes. That function
 * throws the exceptions of the functions of `update`.
 */
export function updatesOf(
  store: Store,
  request: InFlightRequest,
  { stamp, eventWrites, uncertain, updatedValues = new Map() }: UpdateContext,
): WriteRequest['stageLinkedWrites'] {
  const { endpoint, args } = request;
  const { schema } = endpoint;
  return (staged) => {
    const { node } = staged;
    const answer =
      schema === undefined ? unwrapOpaque(node) : toNormalizedForm(store, kindOf(schema, ''), node);
    // an `update` without changes may return undefined
    const changes = (endpoint.update?.call(endpoint, answer, ...args) as Updates | undefined) ?? {};
    const created = createdEntities(request, node);
    const updates = Object.entries(changes).flatMap(([key, change]) => {
      const result = store.findResult(key);
      if (result === undefined) return [];
      if (uncertain && hasChange(store, result, request, { created, uncertain })) return [];
      if (created.length > 0 && store.inflight.reads.has(key))
        addLateUpdate(store, result, { time: store.time, change, created });
      const present = currentValueOf(store, result, updatedValues);
      if (present === undefined) return [];
      const value = change(present);
      updatedValues.set(result, value);
      return [createUpdate(store, result, value, { stamp, eventWrites })];
    });
    for (const update of updates) stageUpdate(store, staged, update);
  };
}

/*
 *   the last response of the result                                the update is           the result is
 *   ─────────────────────────────────────────────────────────────────────────────────────────────────────────
 *   arrived before the mutation was sent                           applied                 fresh as before
 *   arrived since, without the entity that the mutation created    applied                 refetched
 *   arrived since, with that entity                                already contained       refetched
 *   was requested after the response of the mutation               already contained       fresh as before
 */

/** True if the last response of `result` has the change already. Adds `result` to `uncertain` if nobody can tell. */
function hasChange(
  store: Store,
  result: ResultRecord,
  { sentAt, respondedAt }: InFlightRequest,
  {
    created,
    uncertain,
  }: { readonly created: readonly StoreRecord[]; readonly uncertain: Set<ResultRecord> },
): boolean {
  if (result.stamp.time > respondedAt) return true;
  if (result.respondedAt <= sentAt) return false;
  uncertain.add(result);
  if (!containsAny(result.node, created)) return false;
  // a read in flight may be older than the mutation, although newer than that response
  result.updateAppliedAt = store.time;
  return true;
}

/** A function of the present value that reads in flight may have to be completed with. */
interface LateUpdate {
  /** Logical time at which the change was applied. */
  readonly time: number;
  readonly change: (value: unknown) => unknown;
  /** The entities that the mutation has created: a response with any of these has the change already. */
  readonly created: readonly StoreRecord[];
}

/** The updates that were applied while a read of the result was in flight. */
const lateUpdates = new WeakMap<ResultRecord, readonly LateUpdate[]>();

function addLateUpdate({ inflight }: Store, result: ResultRecord, update: LateUpdate): void {
  // no response can miss an update from before the oldest request
  const oldest = inflight.oldestIssued();
  const known = lateUpdates.get(result)?.filter(({ time }) => time > oldest) ?? [];
  lateUpdates.set(result, [...known, update]);
}

/** The entities of the response that were not known when the mutation was issued. */
function createdEntities(
  { lastArrivalNumber: last }: InFlightRequest,
  node: NormalizedNode,
): readonly StoreRecord[] {
  const isNew = (record: StoreRecord) =>
    record instanceof EntityRecord && !(record.arrivalNumber > 0 && record.arrivalNumber <= last);
  return [...recordsIn(node)].filter(isNew);
}

/** True if `node`, or a list inside, has any of these members. */
function containsAny(
  node: NormalizedNode,
  created: readonly StoreRecord[],
  draft?: Draft,
): boolean {
  let contains = false;
  eachRecord(node, (record) => {
    contains ||=
      created.includes(record) ||
      (isStoredList(record) && containsAny(confirmedMembers(record, draft), created));
  });
  return contains;
}

/** The confirmed members of a list; in a draft that fills the list, the future members. */
function confirmedMembers(list: StoreRecord, draft: Draft | undefined): NormalizedNode {
  const fill = draft?.fills.find((one) => one.list === list);
  return fill?.members ?? list.confirmedParts();
}

/**
 * For the response of a read of an invalidated result, which replaces the value to which updates were applied: the
 * updates that were applied after its request was issued.
 */
export function lateUpdatesOf(
  store: Store,
  result: ResultRecord,
  { stamp, eventWrites }: UpdateContext,
): WriteRequest['stageLinkedWrites'] {
  const late = lateUpdates.get(result)?.filter(({ time }) => time > stamp.time);
  if (!late?.length) return undefined;
  return (staged) => {
    const { node, draft } = staged;
    const missing = late.filter(({ created }) => !containsAny(node, created, draft));
    const present = toNormalizedForm(store, result.kind, node, draft);
    if (missing.length === 0 || present === undefined) return;
    let value: unknown = present;
    try {
      for (const { change } of missing) value = change(value);
    } catch {
      // the mutation has succeeded, and the result is refetched in any case
      return;
    }
    stageUpdate(store, staged, createUpdate(store, result, value, { stamp, eventWrites }));
  };
}

/** A new value of a result, in the form of its schema. */
interface Update {
  readonly result: ResultRecord;
  readonly value: unknown;
  readonly stamp: Stamp;
}

/** Stages an update as a part of the causing write. */
function stageUpdate(store: Store, cause: StagedWrite, { result, ...update }: Update): void {
  const { schema, args } = result;
  const { endpoint } = cause.request;
  const staged = new StagedWrite(store, { ...update, endpoint, schema, args, mayHavePks: true });
  cause.addLinkedWrite({
    write() {
      staged.write();
      applyUpdate(result, staged.node, staged.stamp);
    },
    discard: () => staged.discard(),
  });
}

/** The update of a result to `value`. */
function createUpdate(
  store: Store,
  result: ResultRecord,
  value: unknown,
  { stamp, eventWrites }: UpdateContext,
): Update {
  // the time is now, whatever the order of responses; the value stays fresh no longer than the changed response
  const { fetchedAt, expiresAt } = stamp;
  const dated = result.hasResponse ? result.stamp : { fetchedAt, expiresAt };
  const amended: Stamp = { ...dated, time: store.time };
  eventWrites.push({ ...toEventWrite(result), value, stamp: amended });
  return { result, value, stamp: amended };
}

/** The value that an update starts from. If data are incomplete, a response requested before is refetched. */
function currentValueOf(
  store: Store,
  result: ResultRecord,
  updatedValues: Map<ResultRecord, unknown>,
): unknown {
  if ((result.hasResponse || result.hasData()) && !result.isIncomplete)
    return updatedValues.get(result) ?? toNormalizedForm(store, result.kind, result.node);
  result.updateAppliedAt = store.time;
  return undefined;
}

/**
 * A node in the form of a normalized response: primary keys instead of entities, other values unchanged. Undefined
 * if there is no such form.
 */
function toNormalizedForm(store: Store, kind: Kind, node: NormalizedNode, draft?: Draft): unknown {
  const keys = new ConfirmedKeySource(store, 0);
  keys.draft = draft;
  const value = kind.denormalize(node, keys);
  return keys.foundDerivedValue || value === INVALID ? undefined : value;
}

/** Leaves out optimistic data, which must not be written as confirmed. */
class ConfirmedKeySource extends LayerReadView implements Source {
  foundDerivedValue = false;
  draft: Draft | undefined;

  override value(ref: Ref): unknown {
    const { kind } = ref as StoreRecord;
    if (kind instanceof EntityKind) return ref.pk;
    // a value derived from lists has no kind, and a whole table has no schema
    const schema = (kind as Partial<ListKind> | undefined)?.schema;
    if (schema === undefined) return this.rejectDerivedValue();
    const members = confirmedMembers(ref as StoreRecord, this.draft);
    return members === undefined ? INVALID : kindOf(schema, '').denormalize(members, this);
  }

  kindOf(ref: Ref): StoredKind {
    return (ref as StoreRecord).kind as StoredKind;
  }

  rejectDerivedValue(): unknown {
    this.foundDerivedValue = true;
    return INVALID;
  }
}
