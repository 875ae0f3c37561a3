/** One request from top to bottom: sent once, answered, laid out, committed, handed back as readers see it. */
import type { Clock } from '../clock.ts';
import { quote, SignalboxError } from '../diagnostics.ts';
import type { EndpointInterface, Policies } from '../endpoint/Endpoint.ts';
import { keyOf } from '../endpoint/keyOf.ts';
import type { Args } from '../schema/schema.ts';
import type { Stamp } from '../store/order.ts';
import type { Failure, ResultRecord } from '../store/ResultRecord.ts';
import type { Laid, Store } from '../store/Store.ts';
import type { Flight, Inflight } from './Inflight.ts';
import { listBehind } from './listBehind.ts';
import type { Watched } from './live.ts';
import { outdate } from './outdate.ts';
import { retry } from './retry.ts';
import type { Course } from './retry.ts';
import { settle } from './settle.ts';

/** What happens to requests and to the store, for whoever listens: devtools, logs, tests. */
export interface Events {
  /** One per request, however many attempts it takes. */
  request: { readonly endpoint: EndpointInterface; readonly args: Args; readonly key: string };
  retry: {
    readonly endpoint: EndpointInterface;
    readonly args: Args;
    readonly key: string;
    /** The attempt that follows: 2 is the first retry. */
    readonly attempt: number;
    /** In how many milliseconds. */
    readonly delay: number;
    /** What the attempt before failed with, as it was thrown. */
    readonly error: unknown;
  };
  commit: {
    readonly cause: 'answer' | 'set' | 'error' | 'invalidate' | 'expire' | 'reset';
    /** The request that caused it, if one did. */
    readonly key: string | undefined;
    /** How many signals it wrote. */
    readonly written: number;
  };
  error: { readonly key: string; readonly error: Error };
  reset: { readonly generation: number };
}

/** What a request needs from above: lent by the controller. */
export interface Desk {
  readonly store: Store;
  readonly inflight: Inflight;
  readonly clock: Clock;
  readonly policies: Policies;
  /** How a request leaves: `leave` sends it. */
  readonly send: Send;
  emit<E extends keyof Events>(event: E, detail: Events[E]): void;
  /** What somebody shows, or polls: it asks again when everything expires. */
  readonly watched: Iterable<Watched> & Record<'add' | 'delete', (shown: Watched) => void>;
}

/** Stands between the library and the network: calls `leave`, or answers by itself. */
export type Send = (
  endpoint: EndpointInterface,
  args: Args,
  leave: () => Promise<unknown>,
) => Promise<unknown>;

interface Asked extends Flight {
  readonly endpoint: EndpointInterface;
  readonly args: Args;
}

/**
 * Sends a mutation, or joins or sends a read. The promise resolves with the value that readers see, once they can see
 * it; it rejects with the error that the store remembers, with ResetError after a reset, or with the abort's reason.
 * `left`, or the endpoint's own signal, says that this caller waits no longer.
 */
export function run(
  desk: Desk,
  endpoint: EndpointInterface,
  args: Args,
  left?: AbortSignal,
): Promise<unknown> {
  const key = keyOf(endpoint, args);
  const read = !endpoint.sideEffect;
  const signals = [endpoint.signal, left].filter((signal) => signal !== undefined);
  const gone = signals.find(({ aborted }) => aborted);
  if (gone !== undefined) return Promise.reject(gone.reason as Error);
  if (read) {
    const since = desk.store.horizon(desk.store.result(key, endpoint.schema, args));
    const joined = desk.inflight.joinable(key, since);
    if (joined !== undefined) return desk.inflight.attend(joined, signals);
  }
  const issued = desk.store.tick();
  const abort = new AbortController();
  const asked: Asked = { endpoint, args, key, read, issued, abort, cancel: () => {} };
  desk.inflight.start(asked);
  desk.emit('request', { endpoint, args, key });
  const promise = answered(desk, asked).then(
    (value) => accept(desk, asked, value),
    (error: unknown) => fail(desk, asked, error),
  );
  const shared = { flight: asked, promise };
  if (read) desk.inflight.share(shared);
  return desk.inflight.attend(shared, signals);
}

/**
 * The answer; a reset or an abort settles it at once, whatever the network does. However often it is sent, it is the
 * one request of its first issue: what it brings may be newer than that, never older, and a read that was issued before
 * an invalidation or an own write is neither joined nor believed after it, also where a later attempt is answered.
 */
function answered(desk: Desk, asked: Asked): Promise<unknown> {
  const { endpoint, args, key } = asked;
  const { policies, clock } = desk;
  const { signal } = asked.abort;
  return new Promise((resolve, reject) => {
    // a listener to the request may have ended it
    if (asked.lost !== undefined) return reject(asked.lost);
    asked.cancel = reject;
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    const about = { endpoint: titleOf(endpoint), key };
    const tell: Course['tell'] = (attempt, error, delay) =>
      desk.emit('retry', { endpoint, args, key, attempt, delay, error });
    const send = async (own: AbortSignal) =>
      desk.send(endpoint, args, () => withSignal(endpoint, own)(...args));
    retry({ endpoint, policies, clock, signal, about, tell }, send).then(resolve, reject);
  });
}

/** Endpoints see the signal as an option of theirs; plain functions with a key have no place for it. */
function withSignal(endpoint: EndpointInterface, signal: AbortSignal): EndpointInterface {
  const { extend } = endpoint as { extend?: (options: object) => EndpointInterface };
  return extend?.call(endpoint, { signal }) ?? endpoint;
}

function accept(desk: Desk, asked: Asked, value: unknown): unknown {
  const { store } = desk;
  const { endpoint, args, key, read } = asked;
  // given up between the answer and now
  if (asked.lost !== undefined) throw asked.lost;
  desk.inflight.end(asked);
  const result = read ? store.result(key, endpoint.schema, args) : undefined;
  if (result !== undefined) result.list = listBehind(store, endpoint, args);
  const stamp = stampOf(desk, asked, result);
  let laid: Laid;
  try {
    const { schema } = endpoint;
    laid = store.lay({ schema, args, value, stamp, endpoint: titleOf(endpoint) });
  } catch (error) {
    return fail(desk, asked, error);
  }
  let lost: Error | undefined;
  const orElse = () =>
    failureOf(desk, endpoint, (lost = unreadable(asked, value, laid)), asked.issued);
  // what a reader throws from here on is not an error of the request
  const written = store.accept(laid, result && { result, orElse });
  desk.emit('commit', { cause: 'answer', key, written });
  if (lost !== undefined) {
    desk.emit('error', { key, error: lost });
    throw lost;
  }
  if (result !== undefined) return result.data(store);
  if (value === null || value === undefined) outdate(desk, endpoint.schema, args);
  return store.show(endpoint.schema, laid.node);
}

/** An error as the store remembers it: shown as its policies say, until it expires. `time` is logical. */
export function failureOf(
  { clock, policies }: Desk,
  endpoint: EndpointInterface,
  error: Error & { readonly status?: number },
  time: number,
): Failure {
  const { hard, errorExpiryLength } = settle(endpoint, policies);
  return { error, hard: hard(error), time, expiresAt: clock.now() + errorExpiryLength };
}

/** An answer came and yet there is nothing to read: without an error the key would be asked for ever. */
function unreadable({ endpoint, key }: Asked, value: unknown, { draft }: Laid): SignalboxError {
  let reason = 'a needed entity is missing or deleted';
  if (value === undefined) reason = 'the endpoint gave undefined';
  else if (draft.removes)
    reason = 'process() gave undefined for a needed entity, or its schema deletes it';
  return new SignalboxError(
    'F2',
    { key, reason },
    { status: 404, endpoint: titleOf(endpoint), key },
  );
}

/** When data that arrive now arrived, and when they expire. */
export function lifeOf(
  { clock, policies }: Desk,
  own: Policies,
): Pick<Stamp, 'fetchedAt' | 'expiresAt'> {
  const fetchedAt = clock.now();
  return { fetchedAt, expiresAt: fetchedAt + settle(own, policies).dataExpiryLength };
}

function stampOf(desk: Desk, asked: Asked, result?: ResultRecord): Stamp {
  const { endpoint, args, issued } = asked;
  const { store } = desk;
  const { fetchedAt, expiresAt } = lifeOf(desk, endpoint);
  const confirmed = store.tick();
  if (result !== undefined) {
    // asked before an own write was confirmed: it may be shown, and must be asked again
    const late = issued <= store.horizon(result);
    return { time: issued, fetchedAt, expiresAt: late ? 0 : expiresAt };
  }
  const body: unknown = args.at(-1);
  const names = body !== null && typeof body === 'object' ? Object.keys(body) : [];
  return { time: issued, own: new Set(names), ownTime: confirmed, fetchedAt, expiresAt };
}

/** Remembers the error of a read, and rejects with it. What was aborted or reset has not happened. */
function fail(desk: Desk, asked: Asked, thrown: unknown): never {
  const { store, inflight } = desk;
  const { endpoint, args, key, read } = asked;
  inflight.end(asked);
  if (asked.lost !== undefined) throw asked.lost;
  const error = asError(thrown);
  if (read) {
    const failure = failureOf(desk, endpoint, error, asked.issued);
    const result = store.result(key, endpoint.schema, args);
    const written = store.commit(() => result.fail(failure, store));
    desk.emit('commit', { cause: 'error', key, written });
  }
  desk.emit('error', { key, error });
  throw error;
}

/** Whatever was thrown, as an error; its status decides how it is shown. */
function asError(thrown: unknown): Error {
  if (thrown instanceof Error) return thrown;
  const error = new Error(quote(thrown, 200), { cause: thrown });
  const { status } = (thrown ?? {}) as { status?: unknown };
  return typeof status === 'number' ? Object.assign(error, { status }) : error;
}

/** How messages name an endpoint. */
export function titleOf(endpoint: EndpointInterface): string {
  return endpoint.title ?? endpoint.name;
}
