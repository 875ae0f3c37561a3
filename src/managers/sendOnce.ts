/** One attempt to send a mutation of the log: under its key, and within its time. */
import { TimeoutError } from '../diagnostics.ts';
import type { Endpoint, EndpointInterface } from '../endpoint/Endpoint.ts';
import { titleOf } from '../endpoint/titleOf.ts';
import { attempt } from '../fetch/attempt.ts';
import type { Desk, Send } from '../fetch/Desk.ts';
import { lastOfEachName } from '../rest/request.ts';
import type { Args } from '../schema/schema.ts';
import type { MutationResult } from './MutationResult.ts';

// where neither the endpoint nor the controller sets a timeout: a response that never comes would stop its queue, ms
const TIMEOUT = 60_000;

export interface Attempt {
  readonly endpoint: EndpointInterface;
  readonly args: Args;
  readonly idempotencyKey: string;
  /** Aborted: nobody wants it any more. */
  readonly signal: AbortSignal;
}

/** Sends it by `send`. A time that is over is a failure without an answer. */
export async function sendOnce(
  desk: Desk,
  send: Send,
  { endpoint, args, idempotencyKey, signal }: Attempt,
): Promise<MutationResult> {
  const ms = endpoint.timeout ?? desk.policies.timeout ?? TIMEOUT;
  const abort = new AbortController();
  const own = keyed(endpoint, { idempotencyKey, signal: abort.signal });
  const giveUp = () => abort.abort(signal.reason);
  signal.addEventListener('abort', giveUp);
  const late = () => abort.abort(new TimeoutError(ms, { endpoint: titleOf(endpoint) }));
  const timer = ms > 0 ? desk.clock.after(ms, late) : undefined;
  try {
    // whatever the network does, and whoever stands before it
    const given = new Promise<never>((_, reject) => {
      abort.signal.addEventListener('abort', () => reject(abort.signal.reason as Error));
    });
    const answer = attempt(() => send(endpoint, args, () => own(...args)));
    return { value: await Promise.race([answer, given]) };
  } catch (error) {
    return { error };
  } finally {
    if (timer !== undefined) desk.clock.clear(timer);
    signal.removeEventListener('abort', giveUp);
  }
}

/** What a `fetch` of one's own finds as members of `this`. */
interface Keyed {
  readonly idempotencyKey: string;
  readonly signal: AbortSignal;
}

type FetchResponse = (this: unknown, input: unknown, init?: RequestInit) => Promise<unknown>;

/** The endpoint for one attempt; plain functions with a key have no place for either. */
function keyed(endpoint: EndpointInterface, own: Keyed): EndpointInterface {
  const { extend, fetchResponse } = endpoint as Partial<Endpoint> & {
    fetchResponse?: FetchResponse;
  };
  if (extend === undefined) return endpoint;
  const options: object = fetchResponse
    ? { ...own, fetchResponse: withKey(fetchResponse, own.idempotencyKey) }
    : own;
  return extend.call(endpoint, options);
}

/** A structured field of the type String (RFC 9651), as the IETF draft "The Idempotency-Key HTTP Header Field" has it. */
function withKey(previous: FetchResponse, key: string): FetchResponse {
  const name = 'Idempotency-Key';
  return function (input, init) {
    const given = init?.headers ?? {};
    let headers: HeadersInit;
    if (Array.isArray(given) || given instanceof Headers) {
      headers = new Headers(given);
      headers.set(name, `"${key}"`);
    } else {
      // A plain object stays one: a fetchResponse that sends a second attempt may spread it.
      headers = lastOfEachName({ ...given, [name]: `"${key}"` });
    }
    return previous.call(this, input, { ...init, headers });
  };
}
