/** Stores the response of a request and returns the data that readers see. */
import type { EndpointInterface } from '../endpoint/Endpoint.ts';
import { isUpdate, titleOf } from '../endpoint/argumentChecks.ts';
import { DEV, ResetError, SignalboxError } from '../errors.ts';
import { tableKeysIn } from '../schema/kindOf.ts';
import { INVALID } from '../schema/schema.ts';
import type { Store } from '../store/Store.ts';
import { EMPTY } from '../store/records/SmallSet.ts';
import { imagesOf } from '../store/results/LoadedPages.ts';
import type { ResultRecord } from '../store/results/ResultRecord.ts';
import { StagedWrite } from '../store/writes/Draft.ts';
import type { WriteRequest } from '../store/writes/Draft.ts';
import type { FetchedPages } from '../store/writes/placePages.ts';
import type { Write, WrittenPages } from './Events.ts';
import type { InFlightRequest } from './InFlightRequest.ts';
import { commit, refetchIfUpdated, reportCommit, revalidate } from './commit.ts';
import type { CommitContext } from './commit.ts';
import { completeResponse, namedEntity } from './completeResponse.ts';
import type { CompletedResponse, PartialResponse } from './completeResponse.ts';
import { expireAffected, expireResults, expireUncertain } from './expireAffected.ts';
import { refetchIfShifted } from './planPages.ts';
import type { PagePlan } from './planPages.ts';
import { listResultOfPage } from './queryStore.ts';
import { createFailure, responseStamp } from './responseStamp.ts';

/** A response to be written. */
interface ResponseWrite extends CommitContext {
  readonly causedBy: InFlightRequest;
  readonly response: unknown;
  eventWrites: Write[];
  toRefetch?: Set<ResultRecord> | undefined;
  /** See `CompletedResponse`. */
  partial?: PartialResponse | undefined;
}

/** Returns the value that callers get. Throws the stored error if the response cannot be shown. */
export function handleResponse(request: InFlightRequest, response: unknown): unknown {
  const { holder, read } = request;
  const result = read ? request.result : undefined;
  const write: ResponseWrite = { causedBy: request, response, eventWrites: EMPTY };
  let staged: StagedWrite;
  try {
    if (holder !== undefined) return holder.defer(request, response);
    staged = stageResponse(write, result);
  } catch (error) {
    return request.refuse(error);
  }
  return result === undefined ? storeMutation(write, staged) : storeRead(write, staged, result);
}

function storeRead(write: ResponseWrite, staged: StagedWrite, result: ResultRecord): unknown {
  const { causedBy: request, response, eventWrites } = write;
  const { context, endpoint, args, issued, exchange, key } = request;
  let missing: Error | undefined;
  const createMissingDataFailure = () => {
    missing = noDataError(key, endpoint, response, staged);
    const failure = createFailure(context, endpoint, missing, issued);
    eventWrites.push({ key, endpoint, schema: endpoint.schema, args, failure });
    return failure;
  };
  const accept = () => staged.writeResponse(result, createMissingDataFailure);
  commit(context, 'answer', accept, write);
  if (missing !== undefined) request.throwError(missing);
  context.keysAfterReset?.delete(key);
  refetchIfUpdated(request, result);
  refetchIfShifted(request);
  const data = readResult(result);
  result.forgetHttpCache();
  exchange?.onStored(data);
  return data;
}

function storeMutation(write: ResponseWrite, staged: StagedWrite): unknown {
  const { causedBy: request, response, eventWrites } = write;
  const { args, context } = request;
  const { store } = context;
  const { schema } = request.endpoint;
  const { time } = store;
  const written = store.commit(() => {
    // first: the response ends the optimistic state of its entities
    context.optimistic?.end(request);
    staged.write();
    request.resolveTempIds?.(staged.node);
  });
  if (schema === undefined) context.inflight.setOpaqueWriteTime(store.tick());
  const isEmpty = isEmptyResponse(response);
  const again = (write.toRefetch ??= new Set());
  expireResults(store, again);
  // a deletion names what has changed
  if (isEmpty && staged.draft.removals.size === 0) {
    // a body that names no changed field counts as none
    const knownArgs = write.partial?.isChangeUnknown ? args.slice(0, 1) : args;
    const writes = [{ schema, args: knownArgs }, ...namedEntity(schema, knownArgs)];
    for (const outdated of writes) expireAffected(store, outdated, again);
    eventWrites.push(...writes);
  }
  const partial = isEmpty ? undefined : write.partial;
  eventWrites.push(...expireUncertain(store, { ...staged, partial, request }, again));
  reportCommit(context, { cause: 'answer', time, written }, write);
  revalidate(context, again);
  return store.denormalize(schema, isEmpty ? response : staged.node, args);
}

/** The data of a stored response. Throws ResetError if a notified reader has reset the store. */
export function readResult(result: ResultRecord): unknown {
  const data = result.data();
  if (data !== INVALID) return data;
  if (!result.hasResponse) throw new ResetError({ key: result.key });
  const { layers } = result.store;
  const below = result.deletionIssued === undefined ? INVALID : layers.dataBeforeDeletion(result);
  return below === INVALID ? undefined : below;
}

function stageResponse(write: ResponseWrite, result?: ResultRecord): StagedWrite {
  const { causedBy: request, response } = write;
  const { endpoint, args, layer, context } = request;
  const { store, optimistic } = context;
  const { schema } = endpoint;
  let value = response;
  let eventValue = response;
  let shownFields: CompletedResponse['shownFields'];
  const isMutation = result === undefined;
  if (isMutation) {
    const completed = completeResponse(request, response);
    ({ value, eventValue, partial: write.partial, shownFields } = completed);
    write.toRefetch = new Set();
  } else {
    if (isEmptyResponse(response)) throwIfEmpty(result, endpoint, response);
    result.listResult = endpoint.listOf && listResultOfPage(store, request);
    store.gc.setLifetime(result, endpoint.sweepAfter);
  }
  let addTempPk: WriteRequest['addTempPk'];
  let stamp = responseStamp(request, result, shownFields);
  // an empty response confirms the optimistic response
  if (isEmptyResponse(response) && layer?.hasNoEffect() === false) {
    stamp = { ...stamp, derived: true };
    value = layer.computeOverConfirmed();
    // other controllers do not know temporary keys
    eventValue = layer.hasTempPks ? response : value;
    addTempPk = layer.createTempPkAdder();
  }
  const { fetched: fetchedPages, page }: Partial<PagePlan> = request.pages ?? {};
  const pages = fetchedPages && writtenPages(fetchedPages);
  // a page that was fetched again, to fit the pages before, has other arguments
  const key = (page ?? result)?.key;
  const eventWrites: Write[] = [
    { key, endpoint, schema, args: (page ?? request).args, value: eventValue, stamp, pages },
  ];
  write.eventWrites = eventWrites;
  const about = { stamp, eventWrites, uncertain: write.toRefetch };
  return stageCompleted(store, response, {
    value,
    addTempPk,
    schema,
    args,
    stamp,
    endpoint,
    layer,
    fetchedPages,
    page,
    arrivedAt: request.arrivedAt,
    updatesEntityInArgs: isMutation && isUpdate(endpoint, args),
    stageLinkedWrites: endpoint.update
      ? optimistic?.updatesOf(store, request, about)
      : result?.invalidatedAt
        ? optimistic?.lateUpdatesOf(store, result, about)
        : undefined,
  });
}

function writtenPages({ pages, start, hasMore }: FetchedPages): WrittenPages | undefined {
  const images = imagesOf(pages);
  return images && { images, start, hasMore };
}

/** Stages a completed response; if the schema refuses the sent fields, the response as received. */
function stageCompleted(store: Store, response: unknown, write: WriteRequest): StagedWrite {
  try {
    return new StagedWrite(store, write);
  } catch (error) {
    if (write.value === response || write.stamp.derived) throw error;
    return new StagedWrite(store, { ...write, value: response });
  }
}

/** True for status 204, or a body that is null or undefined. */
export function isEmptyResponse(value: unknown): boolean {
  return value === null || value === undefined;
}

/** Throws F2 for an empty response of a read whose schema contains entities: the stored data stay. */
export function throwIfEmpty(
  { key, kind }: Pick<ResultRecord, 'key' | 'kind'>,
  endpoint: EndpointInterface,
  value: unknown,
): void {
  if (tableKeysIn(kind).length > 0) throw noDataError(key, endpoint, value);
}

/** The reason why a response has no readable data. Without an error, the key would be refetched for ever. */
function noDataReason(value: unknown, staged?: StagedWrite): string {
  if (!DEV) return 'unknown';
  if (value === undefined) return 'the endpoint returned undefined';
  if (staged === undefined) return 'the response is empty (null, 204 or no body)';
  if (staged.draft.removals.size === 0) return 'a required entity is missing or deleted';
  return 'process() returned undefined for a required entity, or the schema deletes it';
}

function noDataError(
  key: string,
  endpoint: EndpointInterface,
  value: unknown,
  staged?: StagedWrite,
): SignalboxError {
  const details = { status: 404, endpoint: titleOf(endpoint), key };
  return new SignalboxError('F2', { key, reason: noDataReason(value, staged) }, details);
}
