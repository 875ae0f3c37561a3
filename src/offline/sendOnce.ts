/** A single attempt with a timeout: sends a mutation of the log, or fetches the entity that the mutation changes. */
import type { Endpoint, EndpointInterface } from '../endpoint/Endpoint.ts';
import { titleOf } from '../endpoint/argumentChecks.ts';
import { TimeoutError } from '../errors.ts';
import type { FetchContext, FetchMiddleware } from '../request/FetchContext.ts';
import { promiseTry } from '../request/promiseTry.ts';
import { fitHeaders } from '../rest/request.ts';
import type { Args } from '../schema/schema.ts';
import type { MutationResult } from './LogEntry.ts';

// if neither the endpoint nor the controller has a timeout: a response that never comes would block the queue, ms
const TIMEOUT = 60_000;

interface Attempt {
  readonly endpoint: EndpointInterface;
  readonly args: Args;
  /** For a mutation. */
  readonly idempotencyKey?: string;
  /** The ETag that the entity must still have; `''`: any. */
  readonly ifMatch?: string;
  /** Aborted when no caller needs the response any more. */
  readonly signal: AbortSignal;
}

export interface SentMutation {
  readonly result: MutationResult;
  /** The strong ETag of the response; `''`: none. */
  readonly etag: string;
}

/** Sends the attempt with `send`. A timeout is a failure without a response. */
export async function sendOnce(
  context: FetchContext,
  send: FetchMiddleware,
  attempt: Attempt,
): Promise<SentMutation> {
  const { endpoint, args, signal } = attempt;
  const ms = endpoint.timeout ?? context.policies.timeout ?? TIMEOUT;
  const abort = new AbortController();
  const responseHeaders: ResponseHeaders = { etag: '' };
  const attemptEndpoint = withHeaders(attempt, abort.signal, responseHeaders);
  const onAbort = () => abort.abort(signal.reason);
  signal.addEventListener('abort', onAbort);
  const onTimeout = () => abort.abort(new TimeoutError(ms, { endpoint: titleOf(endpoint) }));
  const timer = ms > 0 ? context.clock.after(ms, onTimeout) : undefined;
  try {
    // rejects independently of the network, and of the middleware
    const aborted = new Promise<never>((_, reject) => {
      abort.signal.addEventListener('abort', () => reject(abort.signal.reason as Error));
    });
    const response = promiseTry(() => send(endpoint, args, () => attemptEndpoint(...args)));
    const value = await Promise.race([response, aborted]);
    return { result: { value }, etag: responseHeaders.etag };
  } catch (error) {
    return { result: { error }, etag: '' };
  } finally {
    if (timer !== undefined) context.clock.clear(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

/** The headers of the response that are used. */
interface ResponseHeaders {
  etag: string;
}

/** A step of a request, which the application may override, so the result can be anything. */
type FetchResponse = (
  this: unknown,
  input: unknown,
  init?: RequestInit,
) => Promise<{ readonly headers?: Headers } | undefined>;

/**
 * The endpoint for an attempt. A `fetch` of the application has `idempotencyKey` and `signal` as members of `this`;
 * plain functions with a key have no place for these members.
 */
function withHeaders(
  { endpoint, idempotencyKey, ifMatch }: Attempt,
  signal: AbortSignal,
  responseHeaders: ResponseHeaders,
): EndpointInterface {
  const { extend, fetchResponse } = endpoint as Partial<Endpoint> & {
    fetchResponse?: FetchResponse;
  };
  if (extend === undefined) return endpoint;
  const attemptOptions = { signal, ...(idempotencyKey !== undefined && { idempotencyKey }) };
  if (fetchResponse === undefined) return extend.call(endpoint, attemptOptions);
  const headers: Record<string, string> = {};
  // a structured field of the type String (RFC 9651), as in the IETF draft "The Idempotency-Key HTTP Header Field"
  if (idempotencyKey !== undefined) headers['Idempotency-Key'] = `"${idempotencyKey}"`;
  if (ifMatch) headers['If-Match'] = ifMatch;
  const options: object = {
    ...attemptOptions,
    async fetchResponse(this: unknown, input: unknown, init?: RequestInit) {
      const sent: RequestInit = { ...init, headers: addHeaders(init?.headers ?? {}, headers) };
      // a read must not be served from the browser's cache
      if (idempotencyKey === undefined) sent.cache = 'no-cache';
      const response = await fetchResponse.call(this, input, sent);
      responseHeaders.etag = strongETag(response?.headers?.get('etag'));
      return response;
    },
  };
  return extend.call(endpoint, options);
}

/** A plain object stays plain: a `fetchResponse` that sends a second attempt may spread the object. */
function addHeaders(given: HeadersInit, more: Record<string, string>): HeadersInit {
  if (!(Symbol.iterator in given)) return fitHeaders({ ...given, ...more });
  const headers = new Headers(fitHeaders(given));
  for (const [name, value] of Object.entries(more)) headers.set(name, value);
  return headers;
}

/** A strong ETag (RFC 9110, 8.8.1); `''` for a weak or missing ETag. */
export function strongETag(etag: string | null | undefined): string {
  return etag?.startsWith('"') === true ? etag : '';
}
