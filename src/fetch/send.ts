/** The attempts of one request: each with its timeout, further ones after a pause. */
import { TimeoutError } from '../diagnostics.ts';
import { proxyablePrototypes } from '../endpoint/Endpoint.ts';
import type { Endpoint } from '../endpoint/Endpoint.ts';
import { importedOption } from '../endpoint/importedOption.ts';
import { networks } from '../endpoint/networks.ts';
import type { Args } from '../schema/schema.ts';
import { handleResponse } from './handleResponse.ts';
import { promiseTry } from './promiseTry.ts';
import { requestEvent } from './commit.ts';
import type { FetchContext } from './FetchContext.ts';
import { fail } from './handleFailure.ts';
import type { Exchange, InFlightRequest } from './InFlightRequest.ts';
import { LazyAbortController } from './LazyAbortController.ts';
import { retryDelay } from './retryDelay.ts';
import { policyOf } from './policyOf.ts';

/**
 * Sends it until it is answered, or its failure counts; this is the attempt with this number. All attempts are the one
 * request of its first issue: a response may be newer than that, never older. So a read that was issued before an
 * invalidation or an own write is outdated, also where a later attempt is answered.
 */
export function send(context: FetchContext, request: InFlightRequest, times = 1): void {
  // a reset leaves mutations to reach the server; what has not left by then does not
  if (request.cancelReason !== undefined) return;
  const ms = policyOf(context, request.endpoint, 'timeout') ?? 0;
  const response =
    ms > 0
      ? within(context, request, ms, (own) => sendOnce(context, request, own))
      : sendOnce(context, request, request);
  response.then(
    (value) => context.inflight.settle(request, () => handleResponse(context, request, value)),
    (error: unknown) => sendAgain(context, request, error, times),
  );
}

async function sendAgain(
  context: FetchContext,
  request: InFlightRequest,
  error: unknown,
  times: number,
): Promise<void> {
  const outcome = request.exchange?.outcome(error);
  if (outcome === 'again') return send(context, request, times);
  if (outcome !== undefined) return context.inflight.settle(request, outcome);
  try {
    if (request.cancelReason !== undefined) throw error;
    const delay = retryDelay(context, request.endpoint, error, times);
    const next = times + 1;
    context.events.emit('retry', () => ({ ...requestEvent(request), attempt: next, delay, error }));
    await within(context, request, delay);
    send(context, request, next);
  } catch (reason) {
    fail(context, request, reason);
  }
}

/** An attempt within a time, with a signal of its own; without an attempt, a pause. An abort of the request ends both. */
function within(
  { clock }: FetchContext,
  request: InFlightRequest,
  ms: number,
  work?: (own: LazyAbortController) => Promise<unknown>,
): Promise<unknown> {
  const own = new LazyAbortController();
  let quit: () => void;
  let timer: unknown;
  return new Promise((resolve, reject) => {
    const end = (reason: unknown) => {
      // whatever the network does
      reject(reason);
      own.abort(reason);
    };
    quit = () => end(request.reason);
    request.addEventListener('abort', quit);
    timer = clock.after(ms, () => {
      if (work === undefined) return resolve(undefined);
      end(new TimeoutError(ms, { endpoint: request.title, key: request.key }));
    });
    work?.(own).then(resolve, reject);
  }).finally(() => {
    clock.clear(timer);
    request.removeEventListener('abort', quit);
  });
}

/** One attempt; `abort` is its own, or that of the whole request. */
function sendOnce(
  context: FetchContext,
  request: InFlightRequest,
  abort: LazyAbortController,
): Promise<unknown> {
  const { endpoint, args } = request;
  return promiseTry(() => {
    const http = importedOption<Http>('http', policyOf(context, endpoint, 'http'), 'httpCache');
    const exchange = (request.exchange = http?.(context, request));
    if (exchange !== undefined) networks.set(abort.signal, exchange.send);
    return context.send(endpoint, args, () => sendWith(abort, request));
  });
}

type Http = (context: FetchContext, request: InFlightRequest) => Exchange;

/** Endpoints read the signal as an option of their own; plain functions with a key have no place for it. */
function sendWith(
  abort: LazyAbortController,
  { endpoint, args, exchange }: InFlightRequest,
): Promise<unknown> {
  const { extend } = endpoint as Partial<Endpoint>;
  const isLasting = abort.uncancellable && exchange === undefined;
  if (isLasting || extend === undefined) return endpoint(...args);
  const copy = (options: object) => extend.call(endpoint, { signal: abort.signal, ...options });
  // only a true copy has the private members that a class may have
  if (!proxyablePrototypes.has(Object.getPrototypeOf(endpoint) as object)) return copy({})(...args);
  // the signal is made when the endpoint reads it
  const own: Endpoint = new Proxy(endpoint as Endpoint, {
    get(target, name): unknown {
      if (name === 'signal') return abort.signal;
      return name === 'extend' ? copy : Reflect.get(target, name);
    },
    apply: (_target, _this, given: Args) => own.fetch(...given),
  });
  return own.fetch(...args);
}
