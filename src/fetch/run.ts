/** One request from top to bottom: sent once, answered, laid out, committed, handed back as readers see it. */
import { quote, SignalboxError } from '../diagnostics.ts';
import type { EndpointInterface } from '../endpoint/Endpoint.ts';
import { keyOf } from '../endpoint/keyOf.ts';
import type { Args, Node } from '../schema/schema.ts';
import type { ResultRecord } from '../store/ResultRecord.ts';
import type { Laid } from '../store/Store.ts';
import { answered } from './answered.ts';
import type { Leave } from './Abort.ts';
import { Asked } from './Asked.ts';
import type { Via } from './Asked.ts';
import { commit, requestOf, writeOf } from './commit.ts';
import type { Desk } from './Desk.ts';
import type { Write } from './Events.ts';
import { foretell, rollBack } from './foretell.ts';
import { listBehind } from './listBehind.ts';
import { outdate, revalidate } from './outdate.ts';
import { reasonOf } from './reasonOf.ts';
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
  { left, holder, key = keyOf(endpoint, args) }: Via = {},
): Promise<unknown> {
  const read = !endpoint.sideEffect;
  const signals = signalsOf(endpoint.signal, left);
  const gone = signals.find(({ aborted }) => aborted);
  if (gone !== undefined) return Promise.reject(reasonOf(gone));
  if (read) {
    const since = desk.store.horizon(desk.store.result(key, endpoint.schema, args));
    const joined = desk.inflight.joinable(key, since);
    if (joined !== undefined) return desk.inflight.attend(joined, signals);
  }
  const [issued, fetchedAt] = [desk.store.tick(), desk.clock.now()];
  const asked = new Asked({ endpoint, args, key, read, issued, fetchedAt, holder });
  desk.inflight.start(asked);
  desk.emit('request', () => requestOf(asked));
  if (!read) foretell(desk, asked);
  const shared = { flight: asked, promise: answered(desk, asked, { accept, fail }) };
  if (read) desk.inflight.share(shared);
  return desk.inflight.attend(shared, signals);
}

const NO_SIGNALS: readonly Leave[] = [];

function signalsOf(own: Leave | undefined, left: Leave | undefined): readonly Leave[] {
  if (own === undefined) return left === undefined ? NO_SIGNALS : [left];
  return left === undefined ? [own] : [own, left];
}

function accept(desk: Desk, asked: Asked, value: unknown): unknown {
  const { store, inflight } = desk;
  const { endpoint, args, key, read, shown, holder } = asked;
  const { schema } = endpoint;
  inflight.end(asked);
  const result = read ? store.result(key, schema, args) : undefined;
  let laid: Laid;
  const writes: Write[] = [];
  try {
    if (holder !== undefined) return holder.hold(asked, value);
    laid = lay(desk, asked, { value, result, writes });
  } catch (error) {
    return fail(desk, asked, error);
  }
  let lost: Error | undefined;
  const orElse = () => {
    const failure = failureOf(
      desk,
      endpoint,
      (lost = unreadable(asked, value, laid)),
      asked.issued,
    );
    writes.push({ key, endpoint, schema, args, failure });
    return failure;
  };
  const again = isEmpty(value) && !read ? new Set<ResultRecord>() : undefined;
  const change = () => {
    // what a reader throws from here on is not an error of the request
    const written = store.accept(laid, { result, orElse, layer: shown?.layer });
    shown?.begun.confirm(laid.node);
    if (again !== undefined) writes.push(outdate(store, { schema, args }, again));
    return written;
  };
  commit(desk, 'answer', change, { key, asked: [asked], writes, again });
  if (lost !== undefined) refuse(desk, asked, lost);
  if (result !== undefined) return result.data(store);
  if (again !== undefined) revalidate(desk, again);
  return store.show(schema, isEmpty(value) ? value : laid.node, args);
}

/** What came. */
interface Answer {
  readonly value: unknown;
  /** Of a read. */
  readonly result: ResultRecord | undefined;
  /** Takes what is told of it. */
  readonly writes: Write[];
}

function lay(desk: Desk, asked: Asked, { value, result, writes }: Answer): Laid {
  const { store } = desk;
  const { endpoint, args, key, title, shown } = asked;
  const { schema } = endpoint;
  const layer = shown?.layer;
  if (result !== undefined) result.list = listBehind(store, endpoint, args);
  const stamp = stampOf(desk, asked, result);
  // an empty answer confirms what was expected
  const confirms = isEmpty(value) && layer !== undefined;
  const told = confirms ? layer.answer(store) : value;
  const mint = confirms ? layer.namer() : undefined;
  writes.push({ key: result && key, endpoint, schema, args, value: told, stamp });
  const change = (node: Node) => {
    const updates = updatesOf(store, asked, node);
    for (const other of updates)
      writes.push({ ...writeOf(other.result), value: other.value, stamp });
    return updates;
  };
  const others = endpoint.update && change;
  return store.lay({ value: told, mint, schema, args, stamp, endpoint: title, layer, others });
}

/** 204, or a body with nothing in it. */
function isEmpty(value: unknown): boolean {
  return value === null || value === undefined;
}

/** An answer came and yet there is nothing to read: without an error the key would be asked for ever. */
function unreadable({ title, key }: Asked, value: unknown, { draft }: Laid): SignalboxError {
  let reason = 'a needed entity is missing or deleted';
  if (value === undefined) reason = 'the endpoint gave undefined';
  else if (draft.removes)
    reason = 'process() gave undefined for a needed entity, or its schema deletes it';
  return new SignalboxError('F2', { key, reason }, { status: 404, endpoint: title, key });
}

/** Remembers the error of a read, and rejects with it. */
function fail(desk: Desk, asked: Asked, thrown: unknown): never {
  const { store, inflight } = desk;
  const { endpoint, args, key, read } = asked;
  inflight.end(asked);
  rollBack(desk, asked, thrown);
  if (asked.lost !== undefined) giveUp(desk, asked);
  const error = asError(thrown);
  if (read) {
    const failure = failureOf(desk, endpoint, error, asked.issued);
    const result = store.result(key, endpoint.schema, args);
    const change = () => store.commit(() => result.fail(failure, store));
    const writes = [{ ...writeOf(result), endpoint, failure }];
    commit(desk, 'error', change, { key, asked: [asked], writes });
  }
  refuse(desk, asked, error);
}

function refuse(desk: Desk, asked: Asked, error: Error): never {
  desk.emit('error', () => ({ ...requestOf(asked), error }));
  throw error;
}

/** What was aborted or reset has not happened. */
function giveUp(desk: Desk, asked: Asked): never {
  desk.emit('abort', () => ({ ...requestOf(asked), reason: asked.lost }));
  throw asked.lost;
}

/** Whatever was thrown, as an error; its status decides how it is shown. */
function asError(thrown: unknown): Error {
  if (thrown instanceof Error) return thrown;
  const error = new Error(quote(thrown, 200), { cause: thrown });
  const { status } = (thrown ?? {}) as { status?: unknown };
  return typeof status === 'number' ? Object.assign(error, { status }) : error;
}
