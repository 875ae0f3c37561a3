/** What one controller committed, written into another: a second tab, a store read from a disk. */
import type { Laid, Store } from '../store/Store.ts';
import { Asked } from './Asked.ts';
import { deskOf } from './Desk.ts';
import type { Desk } from './Desk.ts';
import type { Commit, Issued } from './Events.ts';
import { layAll } from './layAll.ts';
import { listBehind } from './listBehind.ts';
import { outdate } from './outdate.ts';

/**
 * Writes a commit that another controller told of (`on('commit', …)`) into `controller`, which then shows what that has
 * confirmed. Writes keep their logical times, and the clock of `controller` goes on behind them; told of each `request`,
 * too, it knows that what it writes from then on is newer. What two controllers wrote at the same logical time, before
 * they heard of each other, stands in the order in which each heard of it.
 * What is only expected of mutations (`optimistic`) is not replayed. `controller` tells of the commit as `replayed`.
 * Throws what a value throws that does not fit its schema; nothing is written then.
 */
export function replay(controller: object, told: Commit | Issued): void {
  const desk = deskOf(controller);
  const { store } = desk;
  if ('id' in told) return store.follow(told.id);
  store.follow(told.time);
  if (told.cause !== 'reset' && told.writes.length === 0) return;
  const written = among(desk, told);
  desk.events.emit('commit', () => ({ ...told, written, replayed: true }));
}

/** Gives how many signals it wrote. */
function among({ store, inflight }: Desk, commit: Commit): number {
  const { cause, pending } = commit;
  if (cause === 'reset') inflight.clear();
  const flights = pending.map((request) => elsewhere(store, request));
  for (const flight of flights) inflight.flights.add(flight);
  try {
    return cause === 'reset' ? store.clear() : write(store, commit);
  } finally {
    for (const flight of flights) inflight.end(flight);
  }
}

/** A request of the other controller. Its answer may come here too: what it is about takes note of what is written now. */
function elsewhere(store: Store, { id, at, ...request }: Issued): Asked {
  const { endpoint, args, key, read } = request;
  if (read) store.result(key, endpoint.schema, args);
  return Object.assign(new Asked(endpoint, args, id, { key }), { read, fetchedAt: at });
}

function write(store: Store, { cause, time, writes }: Commit): number {
  const values = writes.flatMap(({ stamp, ...given }) => {
    // what `update` of another request gave
    const keyed = given.key !== undefined && given.endpoint === undefined;
    return stamp === undefined ? [] : [{ ...given, stamp, keyed }];
  });
  const laid: Laid[] = layAll(store, values);
  return store.commit(() => {
    for (const { draft, node, stamp } of laid) draft.write(stamp, node);
    for (const { key, endpoint, schema, args, stamp, failure } of writes) {
      const known = stamp && laid.shift();
      if (key === undefined) {
        if (known === undefined) outdate(store, { schema, args }, new Set());
        continue;
      }
      const result = store.result(key, schema, args);
      if (endpoint !== undefined) result.list = listBehind(store, endpoint, args);
      if (known !== undefined) result.answer(known.node, known.stamp);
      else if (failure !== undefined) result.fail(failure);
      else if (cause === 'invalidate') result.invalidate(time);
      else result.expire(time);
    }
  });
}
