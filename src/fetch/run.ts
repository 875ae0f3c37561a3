/** One request from top to bottom: joined or issued, foretold, sent; what becomes of it is in `accept` and `fail`. */
import type { EndpointInterface } from '../endpoint/Endpoint.ts';
import { keyOf } from '../endpoint/keyOf.ts';
import type { Args } from '../schema/schema.ts';
import { Asked } from './Asked.ts';
import type { Via } from './Asked.ts';
import { begin } from './begin.ts';
import { requestOf } from './commit.ts';
import type { Desk } from './Desk.ts';
import { currentArgs } from './currentArgs.ts';
import { foretell } from './foretell.ts';
import { reasonOf } from './reasonOf.ts';

const ALONE: Via = {};

/**
 * Sends a mutation, or joins or sends a read. The promise resolves with the value that readers see, once they can see
 * it; it rejects with the error that the store remembers, with ResetError after a reset, or with the abort's reason.
 * `left`, or the endpoint's own signal, says that this caller waits no longer.
 */
export function run(
  desk: Desk,
  endpoint: EndpointInterface,
  args: Args,
  { left, holder, key: own, signal = endpoint.signal, issued }: Via = ALONE,
): Promise<unknown> {
  const { store, inflight } = desk;
  const read = !endpoint.sideEffect;
  const key = read ? (own ?? keyOf(endpoint, args)) : undefined;
  const signals = [signal, left].filter((leave) => leave !== undefined && leave !== null);
  const gone = signals.find(({ aborted }) => aborted);
  if (gone !== undefined) return Promise.reject(reasonOf(gone));
  if (key !== undefined) {
    const joined = inflight.joinable(key, store.horizon(store.result(key, endpoint.schema, args)));
    if (joined !== undefined) return inflight.attend(joined, signals);
  }
  const now = currentArgs(store, endpoint, args);
  const asked = new Asked(endpoint, now, issued ?? store.tick(), { key, holder });
  asked.fetchedAt = desk.clock.now();
  asked.lasting = !read && signals.length === 0;
  inflight.flights.add(asked);
  desk.events.emit('request', requestOf, asked);
  if (!read) foretell(desk, asked);
  begin(desk, asked);
  if (read) inflight.share(asked);
  return inflight.attend(asked, signals);
}
