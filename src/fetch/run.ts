/** Joins a read that is in flight, or issues a request and sends it. */
import { soon } from '../clock.ts';
import { DEV } from '../diagnostics.ts';
import type { EndpointInterface } from '../endpoint/Endpoint.ts';
import { keyOf } from '../endpoint/keyOf.ts';
import { isTemporary, issuesKeys } from '../schema/EntityPlan.ts';
import type { Args } from '../schema/schema.ts';
import { keysIn } from '../schema/swapKeys.ts';
import { cancel } from './cancel.ts';
import { requestOf } from './commit.ts';
import { unnamed } from './Creations.ts';
import { currentArgs } from './currentArgs.ts';
import type { Desk } from './Desk.ts';
import { fail } from './handleFailure.ts';
import { applyOptimistic } from './applyOptimistic.ts';
import { InFlightRequest } from './InFlightRequest.ts';
import type { ResponseHolder } from './InFlightRequest.ts';
import { abortReason } from './LazyAbortController.ts';
import type { AbortSignalLike } from './LazyAbortController.ts';
import { send } from './send.ts';

/** How one caller fetches. */
export interface FetchCallOptions {
  /** A further signal of this caller. */
  readonly left?: AbortSignalLike | undefined;
  /** In the place of the endpoint's own signal, which may belong to another caller; null: none. */
  readonly signal?: AbortSignalLike | null | undefined;
  readonly holder?: ResponseHolder | undefined;
  /** The key of the read, where it is known already. */
  readonly key?: string | undefined;
  /** Logical time of issue, of a mutation that was issued before by another page. */
  readonly issued?: number | undefined;
}

const NO_OPTIONS: FetchCallOptions = {};

/**
 * The promise resolves with the value that readers see, once they can see it; it rejects with the error that the store
 * remembers, with ResetError after a reset, or with the reason of the abort.
 * The caller leaves when `left` or `signal`, by default the endpoint's own, is aborted: no other place decides which
 * signals count. The request is aborted with its last caller.
 */
export function run(
  desk: Desk,
  endpoint: EndpointInterface,
  args: Args,
  { left, holder, key: own, signal = endpoint.signal, issued }: FetchCallOptions = NO_OPTIONS,
): Promise<unknown> {
  const { store, inflight } = desk;
  const read = !endpoint.sideEffect;
  const key = read ? (own ?? keyOf(endpoint, args)) : undefined;
  const signals = [signal, left].filter((one) => one !== undefined && one !== null);
  const aborted = signals.find((one) => one.aborted);
  if (aborted !== undefined) return Promise.reject(abortReason(aborted));
  let request =
    key === undefined
      ? undefined
      : inflight.joinable(store, store.result(key, endpoint.schema, args));
  if (request === undefined) {
    const now = currentArgs(store, endpoint, args);
    request = new InFlightRequest(endpoint, now, issued ?? store.tick(), { key, holder });
    request.lasting = !read && signals.length === 0;
    issue(desk, request);
  }
  const abandon = (reason: unknown) => cancel(desk, request, reason);
  return request.join(signals, abandon);
}

function issue(desk: Desk, request: InFlightRequest): void {
  const { inflight, events, clock } = desk;
  request.fetchedAt = clock.now();
  inflight.flights.add(request);
  events.emit('request', requestOf, request);
  if (!request.read) applyOptimistic(desk, request);
  // a listener may have cancelled it
  if (request.cancelReason === undefined) begin(desk, request);
  if (request.read) inflight.share(request);
}

/** Sends it, as soon as the server has named the temporary primary keys in its arguments. */
function begin(desk: Desk, request: InFlightRequest): void {
  const named = desk.creations.real(request.args);
  if (named === undefined) return sendNamed(desk, request);
  request.waits = true;
  named.then(
    (real) => {
      request.waits = false;
      request.args = real;
      sendNamed(desk, request);
    },
    (reason) => fail(desk, request, reason),
  );
}

/** Temporary keys of unknown creations (forgotten, or of another page) are refused: no server knows them. */
function sendNamed(desk: Desk, request: InFlightRequest): void {
  const pk = issuesKeys() ? keysIn(request.args).find(isTemporary) : undefined;
  if (pk === undefined) return send(desk, request);
  const reason = DEV ? 'its creation is not known here' : 'unknown';
  void soon(() => fail(desk, request, unnamed(pk, reason)));
}
