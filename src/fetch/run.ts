/** One request from top to bottom: sent once, answered, laid out, committed, handed back as readers see it. */
import type { Clock } from '../clock.ts';
import { quote, SignalboxError } from '../diagnostics.ts';
import type { EndpointInterface, Policies } from '../endpoint/Endpoint.ts';
import { keyOf } from '../endpoint/keyOf.ts';
import type { Args, Node } from '../schema/schema.ts';
import type { Stamp } from '../store/order.ts';
import type { Failure, ResultRecord } from '../store/ResultRecord.ts';
import type { Laid, Store } from '../store/Store.ts';
import type { Flight, Inflight } from './Inflight.ts';
import type { Layer } from '../store/Layer.ts';
import type { Begun, Creations } from './Creations.ts';
import { expect } from './expect.ts';
import { listBehind } from './listBehind.ts';
import type { Watched } from './live.ts';
import { outdate } from './outdate.ts';
import { retry } from './retry.ts';
import type { Course } from './retry.ts';
import { settle } from './settle.ts';
import { updatesOf } from './updatesOf.ts';

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
    readonly cause:
      | 'answer'
      | 'set'
      | 'error'
      | 'invalidate'
      | 'expire'
      | 'reset'
      /** What is expected of a mutation is shown, or taken back. */
      | 'optimistic'
      | 'rollback';
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
  readonly creations: Creations;
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

/** Keeps answers back until others have come. */
export interface Holder {
  hold(asked: Asked, value: unknown): unknown;
}

/** Who calls, if it is not a caller who waits for ever. */
export interface Via {
  /** Says that this caller waits no longer. */
  readonly left?: AbortSignal | undefined;
  readonly holder?: Holder | undefined;
}

export interface Asked extends Flight {
  readonly endpoint: EndpointInterface;
  /** With the server's primary keys, once they are known. */
  args: Args;
  readonly holder: Holder | undefined;
  /** What is shown of a mutation until it ends, and what it is to name. */
  shown?: { readonly layer: Layer; readonly begun: Begun } | undefined;
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
  { left, holder }: Via = {},
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
  const asked: Asked = { endpoint, args, key, read, issued, abort, holder, cancel: () => {} };
  desk.inflight.start(asked);
  desk.emit('request', { endpoint, args, key });
  if (!read) foretell(desk, asked);
  const promise = answered(desk, asked).then(
    (value) => accept(desk, asked, value),
    (error: unknown) => fail(desk, asked, error),
  );
  const shared = { flight: asked, promise };
  if (read) desk.inflight.share(shared);
  return desk.inflight.attend(shared, signals);
}

/** Shows what a mutation is expected to answer. */
function foretell(desk: Desk, asked: Asked): void {
  const { store, clock, creations } = desk;
  const { endpoint, key } = asked;
  const layer = expect(
    store,
    Object.assign(asked, { fetchedAt: clock.now(), title: titleOf(endpoint) }),
  );
  if (layer === undefined) return;
  asked.shown = { layer, begun: creations.begin(layer.made, asked.args) };
  const written = store.commit(() => store.layers.lay(layer));
  desk.emit('commit', { cause: 'optimistic', key, written });
}

/** Takes back what was shown of a mutation that failed. */
function rollBack(desk: Desk, { shown, key }: Asked, reason: unknown): void {
  if (shown === undefined) return;
  shown.begun.fail(reason);
  const { layers } = desk.store;
  if (!layers.has(shown.layer)) return;
  const written = desk.store.commit(() => layers.drop(shown.layer));
  desk.emit('commit', { cause: 'rollback', key, written });
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
    const quit = () => {
      rollBack(desk, asked, signal.reason);
      reject(signal.reason as Error);
    };
    signal.addEventListener('abort', quit, { once: true });
    const about = { endpoint: titleOf(endpoint), key };
    const tell: Course['tell'] = (attempt, error, delay) =>
      desk.emit('retry', { endpoint, args: asked.args, key, attempt, delay, error });
    const send = async (own: AbortSignal) =>
      desk.send(endpoint, asked.args, () => withSignal(endpoint, own)(...asked.args));
    const course = { endpoint, policies, clock, signal, about, tell };
    const named = desk.creations.real(args);
    const sent = named?.then((real) => {
      asked.args = real;
      return retry(course, send);
    });
    (sent ?? retry(course, send)).then(resolve, reject);
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
  const layer = asked.shown?.layer;
  const empty = value === null || value === undefined;
  let laid: Laid;
  try {
    if (asked.holder !== undefined) return asked.holder.hold(asked, value);
    const { schema } = endpoint;
    // an empty answer confirms what was expected
    const confirms = empty && layer !== undefined;
    const told = confirms ? { value: layer.answer(store), mint: layer.namer() } : { value };
    const others = (node: Node) => updatesOf(store, asked, node);
    laid = store.lay({ ...told, schema, args, stamp, endpoint: titleOf(endpoint), layer, others });
  } catch (error) {
    return fail(desk, asked, error);
  }
  let lost: Error | undefined;
  const orElse = () =>
    failureOf(desk, endpoint, (lost = unreadable(asked, value, laid)), asked.issued);
  // what a reader throws from here on is not an error of the request
  const written = store.accept(laid, { result, orElse, layer });
  asked.shown?.begun.confirm(laid.node);
  desk.emit('commit', { cause: 'answer', key, written });
  if (lost !== undefined) {
    desk.emit('error', { key, error: lost });
    throw lost;
  }
  if (result !== undefined) return result.data(store);
  if (empty) outdate(desk, endpoint.schema, args);
  return store.show(endpoint.schema, empty ? value : laid.node, args);
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

export function stampOf(desk: Desk, asked: Asked, result?: ResultRecord): Stamp {
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
  rollBack(desk, asked, thrown);
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
