/** Writes that do not come from a request of this controller: pushes, forms, tests, other tabs. */
import type { EndpointInterface } from '../endpoint/Endpoint.ts';
import { argumentChecks } from '../endpoint/argumentChecks.ts';
import { DEV } from '../errors.ts';
import { EntityKind } from '../schema/EntityKind.ts';
import { badDataError } from '../schema/badDataError.ts';
import { ObjectKind } from '../schema/containers.ts';
import { fieldOf, isObject } from '../schema/fieldOf.ts';
import { kindOf, tableKeysIn } from '../schema/kindOf.ts';
import type { Args, Kind, NormalizedNode, Schema } from '../schema/schema.ts';
import type { Store } from '../store/Store.ts';
import { eachRecord } from '../store/records/eachRecord.ts';
import { ResultRecord } from '../store/results/ResultRecord.ts';
import { StagedWrite, prepareFastWrite } from '../store/writes/Draft.ts';
import type { WriteRequest } from '../store/writes/Draft.ts';
import { withSetUpdate } from '../store/writes/currentSetUpdate.ts';
import type { FetchContext } from './FetchContext.ts';
import { commit, storeFailure } from './commit.ts';
import { isEmptyResponse, throwIfEmpty } from './handleResponse.ts';
import { listResultOfPage, queryIn, queryStore } from './queryStore.ts';
import { createArrivalStamp, createFailure, createSetStamp } from './responseStamp.ts';

/** Writes a value under a schema and arguments. `update` may be a function of the present value. */
export function put(context: FetchContext, schema: Schema, args: Args, update: unknown): void {
  const { store } = context;
  let present: unknown;
  const read = () => (present = readForUpdate(store, schema, args));
  const value = resolveSetValue(schema, args, update, read);
  const stamp = createSetStamp(context, update, store.tick());
  const write = { endpoint: undefined, schema, args, value, stamp };
  const [node, change] = prepareFastWrite(store, schema, value, stamp) ?? stageWrite(store, write);
  const push = () => {
    change();
    endInvalidations(store, node, stamp.time);
  };
  const replay = typeof update === 'function' ? { present, update: update as never } : undefined;
  withSetUpdate(replay, () => commit(context, 'set', push, { eventWrites: [write] }));
}

/** The value to write: `update`, or the result of the function `update`, with the primary key of the arguments. */
export function resolveSetValue(
  schema: Schema,
  args: Args,
  update: unknown,
  read: () => unknown,
): unknown {
  if (DEV) argumentChecks?.schema(schema);
  let value = update;
  if (typeof update === 'function') {
    const present = read();
    if (present === undefined) throw badDataError('S10', { args });
    value = (update as (present: unknown) => unknown)(present);
  }
  const kind = kindOf(schema, 'schema');
  if (
    isEmptyResponse(value) ||
    value instanceof Promise ||
    (kind instanceof ObjectKind && hasNothingToStore(kind, value, isEmptyResponse))
  )
    throw badDataError('S16', { schema: kind.title, value });
  if (!(kind instanceof EntityKind) || !isObject(value)) return value;
  if (kind.pkIn(value, args) !== undefined || args.length === 0) return value;
  const [first] = args;
  return typeof first === 'object'
    ? { ...first, ...value }
    : { [kind.descriptor.declaredPkField?.field ?? 'id']: first, ...value };
}

/**
 * True for an object without any member that the schema stores, if the schema contains an entity. An absent list reads
 * as an empty list, so an object schema with lists only may be empty.
 */
function hasNothingToStore(
  kind: ObjectKind,
  value: unknown,
  isAbsent: (member: unknown) => boolean,
): boolean {
  if (!isObject(value) || !containsEntity(kind)) return false;
  return kind.members.every(([name, member]) => {
    const inner = fieldOf(value, name);
    if (isAbsent(inner) || tableKeysIn(member).length === 0) return true;
    return member instanceof ObjectKind && hasNothingToStore(member, inner, isAbsent);
  });
}

function containsEntity(kind: Kind): boolean {
  if (kind instanceof ObjectKind) return kind.members.some(([, member]) => containsEntity(member));
  return kind.storedKindOf !== undefined;
}

/** The present value, if possible without pending writes: an update function must not make pending data permanent. */
export function readForUpdate(store: Store, schema: Schema, args: Args): unknown {
  const past = store.layers.confirmedView();
  return (past && queryIn(past, schema, args)) ?? queryStore(store, schema, args);
}

/** Stores a response as if just fetched by the endpoint. */
export function putResponse(
  context: FetchContext,
  endpoint: EndpointInterface,
  record: ResultRecord,
  value: unknown,
): void {
  const { store } = context;
  const { key, args, kind } = record;
  if (isEmptyResponse(value)) throwIfEmpty(record, endpoint, value);
  // null in a response means that there is no such entity
  if (
    kind instanceof ObjectKind &&
    hasNothingToStore(kind, value, (member) => member === undefined)
  )
    throw badDataError('S16', { schema: kind.title, value }, endpoint);
  record.listResult = endpoint.listOf && listResultOfPage(store, { endpoint, args });
  const stamp = createArrivalStamp(context, endpoint, store.tick());
  stamp.isPush = true;
  const write = { key, endpoint, schema: endpoint.schema, args, value, stamp };
  const staged = new StagedWrite(store, write);
  commit(context, 'set', () => staged.writeResponse(record), { key, eventWrites: [write] });
}

/** Stores an error as if the endpoint had failed now. */
export function putError(
  context: FetchContext,
  endpoint: EndpointInterface,
  record: ResultRecord,
  error: Error,
): void {
  const failure = createFailure(context, endpoint, error, context.store.tick());
  storeFailure(context, record, failure, { endpoint });
}

function stageWrite(store: Store, writing: WriteRequest): readonly [NormalizedNode, () => void] {
  const staged = new StagedWrite(store, writing);
  return [staged.node, () => staged.write()];
}

/** A push of all known fields is newer than an earlier invalidation: results of the pushed record alone are valid. */
export function endInvalidations(store: Store, node: NormalizedNode, time: number): void {
  if (!store.hasInvalidations) return;
  eachRecord(node, (record) => {
    if (record.deletionIssued !== undefined || !record.isReceivedSince?.(time)) return;
    for (const result of record.allParents)
      if (result instanceof ResultRecord && result.node === record) result.endInvalidation(time);
  });
}
