/** The attempts of one request: each with a timeout, retries after a delay. */
import { TimeoutError } from '../errors.ts';
import { proxyablePrototypes, networks } from '../endpoint/Endpoint.ts';
import type { Endpoint } from '../endpoint/Endpoint.ts';
import { importedOption, titleOf } from '../endpoint/argumentChecks.ts';
import { isNotFound } from '../endpoint/defaultErrorPolicy.ts';
import type { Args } from '../schema/schema.ts';
import { handleResponse } from './handleResponse.ts';
import { requestEvent } from './commit.ts';
import type { FetchContext } from './FetchContext.ts';
import type { Exchange, InFlightRequest } from './InFlightRequest.ts';
import { LazyAbortController } from './LazyAbortController.ts';
import { retryDelay } from './retryDelay.ts';
import { policyOf } from './policyOf.ts';
import { handleFailure, settle } from './settle.ts';

/**
 * Sends attempt number `times`, and further ones until a response arrives or the failure is final. All attempts belong
 * to the one request, which keeps its first time of issue: a response may be newer than that time, never older. So a
 * read that was issued before an invalidation or an own write is overtaken, even if a later attempt gets the response.
 */
export function send(context: FetchContext, request: InFlightRequest, times = 1): void {
  // a reset lets mutations that were sent reach the server; a mutation that waits for its next attempt is not sent
  if (request.cancelReason !== undefined) return;
  request.sentAt = Math.min(request.sentAt, context.store.time);
  const ms = policyOf(context, request.endpoint, 'timeout') ?? 0;
  const attempt =
    ms > 0
      ? withTimeout(context, request, ms, (own) => sendOnce(context, request, own))
      : sendOnce(context, request, request);
  // an endpoint may return no promise
  void Promise.resolve(attempt).then(
    (response) => receive(context, request, response),
    (error: unknown) => sendAgain(context, request, error, times),
  );
}

async function receive(
  context: FetchContext,
  request: InFlightRequest,
  response: unknown,
): Promise<void> {
  const { complete } = request;
  if (complete === undefined) return settle(context, request, handleResponse, response);
  try {
    settle(context, request, handleResponse, await complete(response));
  } catch (error) {
    settle(context, request, handleFailure, error);
  }
}

async function sendAgain(
  context: FetchContext,
  request: InFlightRequest,
  error: unknown,
  times: number,
): Promise<void> {
  const outcome = request.exchange?.outcomeOfError(error);
  if (outcome === 'again') return send(context, request, times);
  if (outcome !== undefined) return settle(context, request, outcome);
  if (request.fetchAllPages && isNotFound(error)) {
    request.fetchAllPages();
    return send(context, request, times);
  }
  try {
    if (request.cancelReason !== undefined) throw error;
    const delay = retryDelay(context, request.endpoint, error, times);
    const attempt = times + 1;
    context.events?.emit('retry', () => ({ ...requestEvent(request), attempt, delay, error }));
    await withTimeout(context, request, delay);
    send(context, request, attempt);
  } catch (reason) {
    settle(context, request, handleFailure, reason);
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
    request.timer = timer = clock.after(ms, () => {
      if (work === undefined) return resolve(undefined);
      end(new TimeoutError(ms, { endpoint: titleOf(request.endpoint), key: request.key }));
    });
    if (request.isAwaited) request.keepProcess();
    // an endpoint may return no promise
    if (work !== undefined) Promise.resolve(work(own)).then(resolve, reject);
  }).finally(() => {
    clock.clear(timer);
    request.removeEventListener('abort', quit);
  });
}

/** One attempt. `abort` belongs to the attempt, or to the whole request. An exception becomes a rejection. */
function sendOnce(
  context: FetchContext,
  request: InFlightRequest,
  abort: LazyAbortController,
): Promise<unknown> {
  const call = request.firstCall ?? request;
  const { endpoint, args } = call;
  try {
    const http = policyOf(context, endpoint, 'http');
    const open = http ? importedOption<CreateExchange>('http', http, 'httpCache') : undefined;
    const exchange = (request.exchange = open?.(context, request));
    if (exchange !== undefined) networks.set(abort.signal, exchange.fetch);
    // endpoints read the signal as an option; plain functions with a key cannot receive one
    const { extend } = endpoint as Partial<Endpoint>;
    const needsSignal = extend !== undefined && !(abort.neverAborts && exchange === undefined);
    return context.send(endpoint, args, () =>
      needsSignal ? callWithSignal(abort, endpoint as Endpoint, call.args) : endpoint(...call.args),
    );
  } catch (error) {
    return Promise.reject(error);
  }
}

type CreateExchange = (context: FetchContext, request: InFlightRequest) => Exchange;

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
