/** Stores the response of a request and gives the data as readers see them. */
import { DEV, ResetError, SignalboxError } from '../diagnostics.ts';
import { INVALID } from '../schema/schema.ts';
import { tableKeysIn } from '../schema/tableKeysIn.ts';
import { isUpdate } from '../endpoint/isUpdate.ts';
import type { ResultRecord } from '../store/ResultRecord.ts';
import type { StagedWrite, Store } from '../store/Store.ts';
import type { InFlightRequest } from './InFlightRequest.ts';
import { commit } from './commit.ts';
import type { FetchContext } from './FetchContext.ts';
import type { Write } from './Events.ts';
import { emitAndThrow, handleFailure } from './handleFailure.ts';
import { listResultOfPage } from './listResultOfPage.ts';
import { expireAffected } from './expireAffected.ts';
import { refetchIfUpdated, revalidate } from './revalidate.ts';
import { createFailure, responseStamp } from './responseStamp.ts';
import { updatesOf } from './updatesOf.ts';

/** Returns the value that callers get. Throws the stored error if the response cannot be shown. */
export function handleResponse(
  context: FetchContext,
  request: InFlightRequest,
  response: unknown,
): unknown {
  const { holder, read } = request;
  const result = read ? request.resultIn(context.store) : undefined;
  const write: ResponseWrite = { response, result, eventWrites: [] };
  let staged: StagedWrite;
  try {
    if (holder !== undefined) return holder.defer(request, response);
    staged = stageResponse(context, request, write);
  } catch (error) {
    return handleFailure(context, request, error);
  }
  return result === undefined
    ? storeMutation(context, request, write, staged)
    : storeRead(context, request, { ...write, result }, staged);
}

function storeRead(
  context: FetchContext,
  request: InFlightRequest,
  { response, result, eventWrites }: ResponseWrite & { readonly result: ResultRecord },
  staged: StagedWrite,
): unknown {
  const { store } = context;
  const { endpoint, args, issued, exchange, key } = request;
  let missing: Error | undefined;
  const createMissingDataFailure = () => {
    missing = noDataError(request, noDataReason(response, staged));
    const failure = createFailure(context, endpoint, missing, issued);
    eventWrites.push({ key, endpoint, schema: endpoint.schema, args, failure });
    return failure;
  };
  const accept = () => store.commitStaged(staged, { result, createMissingDataFailure });
  commit(context, 'answer', accept, { causedBy: request, eventWrites });
  if (missing !== undefined) emitAndThrow(context, request, missing);
  refetchIfUpdated(context, request, result);
  const data = readResult(result, store);
  if (exchange === undefined) result.httpCacheEntry = undefined;
  else exchange.onStored(data);
  return data;
}

function storeMutation(
  context: FetchContext,
  request: InFlightRequest,
  { response, eventWrites }: ResponseWrite,
  staged: StagedWrite,
): unknown {
  const { store } = context;
  const { args, layer } = request;
  const { schema } = request.endpoint;
  const again = new Set<ResultRecord>();
  const change = () => {
    const written = () => request.resolveTempIds?.(staged.node);
    const count = store.commitStaged(staged, { layer, onWritten: written });
    if (isEmptyResponse(response)) eventWrites.push(expireAffected(store, { schema, args }, again));
    return count;
  };
  commit(context, 'answer', change, { causedBy: request, eventWrites, toRefetch: again });
  revalidate(context, again);
  return store.denormalize(schema, isEmptyResponse(response) ? response : staged.node, args);
}

/** The data of a stored response. Throws ResetError if a reader that was notified of it has reset the store. */
export function readResult(result: ResultRecord, store: Store): unknown {
  const data = result.data(store);
  if (data !== INVALID) return data;
  if (!result.hasResponse) throw new ResetError({ key: result.key });
  const below = result.deletionIssued === undefined ? INVALID : result.confirmedData(store);
  return below === INVALID ? undefined : below;
}

/** A response to be written. */
interface ResponseWrite {
  readonly response: unknown;
  /** The result record of a read; undefined for a mutation. */
  readonly result: ResultRecord | undefined;
  /** Collects the entries of the commit event. */
  readonly eventWrites: Write[];
}

function stageResponse(
  context: FetchContext,
  request: InFlightRequest,
  write: ResponseWrite,
): StagedWrite {
  const { store } = context;
  const { endpoint, args, title, layer } = request;
  const { schema } = endpoint;
  const { response, result, eventWrites } = write;
  if (result !== undefined) {
    throwIfEmpty(result, title, response);
    result.listResult = listResultOfPage(store, endpoint, args);
    store.gc.setLifetime(result, endpoint.sweepAfter);
  }
  // an empty response confirms the optimistic one
  const expected =
    isEmptyResponse(response) && layer?.hasNoEffect(store) === false ? layer : undefined;
  const arrived = responseStamp(context, request, result);
  const stamp = expected === undefined ? arrived : { ...arrived, derived: true };
  const stored = expected === undefined ? response : expected.computeOverConfirmed(store);
  const nextTempId = expected?.createTempIdGenerator();
  eventWrites.push({ key: result?.key, endpoint, schema, args, value: stored, stamp });
  return store.stage({
    value: stored,
    nextTempId,
    schema,
    args,
    stamp,
    endpoint: title,
    layer,
    updatesEntityInArgs: isUpdate(endpoint, args),
    createLinkedWrites: endpoint.update && updatesOf(store, request, { stamp, eventWrites }),
  });
}

/** True for status 204, or a body that is null or undefined. */
export function isEmptyResponse(value: unknown): boolean {
  return value === null || value === undefined;
}

/** Throws F2 for an empty response of a read whose schema contains entities: the stored data stay. */
export function throwIfEmpty(
  { key, kind }: Pick<ResultRecord, 'key' | 'kind'>,
  title: string,
  value: unknown,
): void {
  if (isEmptyResponse(value) && tableKeysIn(kind).length > 0)
    throw noDataError({ key, title }, noDataReason(value));
}

/** The reason why a response has no readable data. Without an error, the key would be refetched for ever. */
function noDataReason(value: unknown, staged?: StagedWrite): string {
  if (!DEV) return 'unreadable';
  if (value === undefined) return 'the endpoint returned undefined';
  if (staged === undefined) return 'the response is empty (null, 204 or no body)';
  if (staged.draft.removals.size === 0) return 'a required entity is missing or deleted';
  return 'process() returned undefined for a required entity, or the schema deletes it';
}

function noDataError(
  { title, key }: Pick<InFlightRequest, 'title' | 'key'>,
  reason: string,
): SignalboxError {
  return new SignalboxError('F2', { key, reason }, { status: 404, endpoint: title, key });
}
