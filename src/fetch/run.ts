/** One request from top to bottom: sent once, answered, laid out, committed, handed back as readers see it. */
import { quote, SignalboxError } from '../diagnostics.ts';
import type { EndpointInterface } from '../endpoint/Endpoint.ts';
import { keyOf } from '../endpoint/keyOf.ts';
import { titleOf } from '../endpoint/titleOf.ts';
import type { Args, Node } from '../schema/schema.ts';
import type { Laid } from '../store/Store.ts';
import { answered } from './answered.ts';
import type { Asked, Via } from './Asked.ts';
import type { Desk } from './Desk.ts';
import { foretell, rollBack } from './foretell.ts';
import { listBehind } from './listBehind.ts';
import { outdate } from './outdate.ts';
import { failureOf, stampOf } from './stampOf.ts';
import { updatesOf } from './updatesOf.ts';

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
