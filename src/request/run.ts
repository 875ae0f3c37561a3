/** Joins a read in flight, or issues and sends a new request. */
import { DEV } from '../errors.ts';
import type { EndpointInterface } from '../endpoint/Endpoint.ts';
import { argumentChecks, keyOf } from '../endpoint/argumentChecks.ts';
import type { Args } from '../schema/schema.ts';
import { cancel } from './settle.ts';
import { requestEvent } from './commit.ts';
import { replaceChangedKeysInArgs } from './replaceChangedKeysInArgs.ts';
import { contextOf } from './FetchContext.ts';
import type { FetchContext } from './FetchContext.ts';
import { planPages } from './planPages.ts';
import { InFlightRequest } from './InFlightRequest.ts';
import type { ResponseHolder } from './InFlightRequest.ts';
import { abortReason } from './LazyAbortController.ts';
import type { AbortSignalLike } from './LazyAbortController.ts';
import { send } from './send.ts';

/** Options of one caller. */
export interface FetchCallOptions {
  /** An additional signal of this caller. */
  readonly callerSignal?: AbortSignalLike | undefined;
  /** Overrides the endpoint's own signal, which may belong to another caller; null: no signal. */
  readonly endpointSignal?: AbortSignalLike | null | undefined;
  readonly holder?: ResponseHolder | undefined;
  /** True: no promise of a caller depends on the request, so a Node process may exit before the request settles. */
  readonly isBackground?: boolean | undefined;
  /** True: a mounted reader or a poll fetches, not a call of `fetch`. */
  readonly isOfReader?: boolean | undefined;
  /** The key of the read, if it is known already. */
  readonly key?: string | undefined;
  /** Logical time of issue, for a mutation that another page has issued before. */
  readonly issued?: number | undefined;
}

/**
 * The promise resolves with the value that readers see, once readers can see it. It rejects with the error that the
 * store keeps, with ResetError after a reset, or with the reason of the abort. A caller leaves when `callerSignal` or
 * `endpointSignal` is aborted; no other place decides which signals count. The last caller to leave aborts the request.
 */
export function run(
  context: FetchContext,
  endpoint: EndpointInterface,
  args: Args,
  {
    callerSignal,
    holder,
    key: own,
    endpointSignal = endpoint.signal,
    issued,
    isBackground,
    isOfReader,
  }: FetchCallOptions = {},
): Promise<unknown> {
  const { store, inflight } = context;
  const read = !endpoint.sideEffect;
  if (DEV && context.optimistic === undefined) argumentChecks?.optimistic(endpoint);
  const key = read ? (own ?? keyOf(endpoint, args)) : undefined;
  const signals =
    endpointSignal || callerSignal
      ? ([endpointSignal, callerSignal].filter(Boolean) as AbortSignalLike[])
      : undefined;
  const aborted = signals?.find((one) => one.aborted);
  if (aborted !== undefined) return Promise.reject(abortReason(aborted));
  const result =
    key === undefined || holder !== undefined
      ? undefined
      : store.result(key, endpoint.schema, args);
  let request =
    result && inflight.joinableRead(store, result, isOfReader ? 0 : inflight.opaqueWriteTime);
  if (request === undefined) {
    const currentArgs = replaceChangedKeysInArgs(store, endpoint, args);
    request = new InFlightRequest(endpoint, currentArgs, issued ?? store.tick(), key);
    request.holder = holder;
    if (result && result.uncertainSince > result.stamp.time)
      request.refetchDepth = result.refetchDepth;
    // a previous page may have sent the request
    if (issued !== undefined) request.sentAt = 0;
    request.neverAborts = !read && signals === undefined;
    if (read && holder === undefined) planPages(context, request, isBackground, run);
    issue(context, request);
  }
  if (!isBackground) request.keepProcess();
  return signals === undefined
    ? request.join()
    : request.joinWithSignals(signals, (reason) => cancel(context, request, reason));
}

function issue(context: FetchContext, request: InFlightRequest): void {
  const { inflight, clock } = context;
  const { read } = request;
  request.fetchedAt = clock.now();
  inflight.allRequests.add(request);
  if (!read) inflight.mutations.add(request);
  context.events?.emit('request', () => requestEvent(request));
  const { optimistic } = context;
  if (!read) optimistic?.show(context, request);
  // if a listener of the event `request` has cancelled it, `send` does nothing
  if (optimistic === undefined) send(context, request);
  else optimistic.send(context, request);
  // a page that is kept back is joined by no reader
  if (read && request.holder === undefined) inflight.allowJoining(request);
}

/** As `controller.fetch`. An abort of `callerSignal` rejects the promise, and aborts a request without other callers. */
export async function fetchAbortable(
  controller: object,
  endpoint: EndpointInterface,
  args: Args,
  callerSignal: AbortSignalLike,
): Promise<unknown> {
  if (DEV) argumentChecks?.endpoint(endpoint);
  if (args[0] === null) return undefined;
  const context = contextOf(controller);
  const { currentTransaction } = context;
  return (
    currentTransaction?.fetch(endpoint, args) ?? run(context, endpoint, args, { callerSignal })
  );
}
