/** The attempts of one request: each with a timeout, retries after a delay. */
import { TimeoutError } from '../diagnostics.ts';
import { proxyablePrototypes } from '../endpoint/proxyablePrototypes.ts';
import type { Endpoint } from '../endpoint/Endpoint.ts';
import { importedOption } from '../endpoint/importedOption.ts';
import { networks } from '../endpoint/networks.ts';
import type { Args } from '../schema/schema.ts';
import { handleResponse } from './handleResponse.ts';
import { promiseTry } from './promiseTry.ts';
import { requestEvent } from './commit.ts';
import type { FetchContext } from './FetchContext.ts';
import { failRequest } from './handleFailure.ts';
import type { Exchange, InFlightRequest } from './InFlightRequest.ts';
import { LazyAbortController } from './LazyAbortController.ts';
import { retryDelay } from './retryDelay.ts';
import { policyOf } from './policyOf.ts';

/**
 * Sends attempt number `times`, and further ones until a response arrives or the failure is final. All attempts belong
 * to the one request, which keeps its first time of issue: a response may be newer than that time, never older. So a
 * read that was issued before an invalidation or an own write is overtaken, even if a later attempt gets the response.
 */
export function send(context: FetchContext, request: InFlightRequest, times = 1): void {
  // a reset lets mutations that were sent reach the server; a mutation that waits for its next attempt is not sent
  if (request.cancelReason !== undefined) return;
  const ms = policyOf(context, request.endpoint, 'timeout') ?? 0;
  const response =
    ms > 0
      ? withTimeout(context, request, ms, (own) => sendOnce(context, request, own))
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
  const outcome = request.exchange?.outcomeOfError(error);
  if (outcome === 'again') return send(context, request, times);
  if (outcome !== undefined) return context.inflight.settle(request, outcome);
  try {
    if (request.cancelReason !== undefined) throw error;
    const delay = retryDelay(context, request.endpoint, error, times);
    const next = times + 1;
    context.events.emit('retry', () => ({ ...requestEvent(request), attempt: next, delay, error }));
    await withTimeout(context, request, delay);
    send(context, request, next);
  } catch (reason) {
    failRequest(context, request, reason);
  }
}

/** Runs an attempt with a timeout and its own signal; without `work`, a delay. An abort of the request ends both. */
function withTimeout(
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
      // rejects even if the endpoint ignores the signal
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

/** One attempt. `abort` belongs to the attempt, or to the whole request. */
function sendOnce(
  context: FetchContext,
  request: InFlightRequest,
  abort: LazyAbortController,
): Promise<unknown> {
  const { endpoint, args } = request;
  return promiseTry(() => {
    const http = policyOf(context, endpoint, 'http');
    const open = http ? importedOption<CreateExchange>('http', http, 'httpCache') : undefined;
    const exchange = (request.exchange = open?.(context, request));
    if (exchange !== undefined) networks.set(abort.signal, exchange.fetch);
    return context.send(endpoint, args, () => callEndpoint(abort, request));
  });
}

type CreateExchange = (context: FetchContext, request: InFlightRequest) => Exchange;

/** Endpoints read the signal as an option. Plain functions with a key cannot receive one. */
function callEndpoint(
  abort: LazyAbortController,
  { endpoint, args, exchange }: InFlightRequest,
): Promise<unknown> {
  const { extend } = endpoint as Partial<Endpoint>;
  const isLasting = abort.neverAborts && exchange === undefined;
  return isLasting || extend === undefined
    ? endpoint(...args)
    : callWithSignal(abort, endpoint as Endpoint, args);
}

function callWithSignal(
  abort: LazyAbortController,
  endpoint: Endpoint,
  args: Args,
): Promise<unknown> {
  const copy = (options: object) => endpoint.extend({ signal: abort.signal, ...options });
  // a class may have private members, which only a real copy has
  if (!proxyablePrototypes.has(Object.getPrototypeOf(endpoint) as object)) return copy({})(...args);
  // the signal is created when the endpoint reads it
  const own: Endpoint = new Proxy(endpoint, {
    get(target, name): unknown {
      if (name === 'signal') return abort.signal;
      return name === 'extend' ? copy : Reflect.get(target, name);
    },
    apply: (_target, _this, callArgs: Args) => own.fetch(...callArgs),
  });
  return own.fetch(...args);
}
