/** What one controller committed, written into another: a second tab, a store read from a disk. */
import { ResetError } from '../diagnostics.ts';
import type { Laid, Store } from '../store/Store.ts';
import { deskOf } from './Desk.ts';
import type { Commit } from './Events.ts';
import type { Flight } from './Inflight.ts';
import { layAll } from './layAll.ts';
import { listBehind } from './listBehind.ts';
import { outdate } from './outdate.ts';

/**
 * Writes a commit that another controller told of (`on('commit', …)`) into `controller`, which then shows what that has
 * confirmed. Each write keeps its logical time: where both controllers write, the later wins in both. What is only
 * expected of mutations (`optimistic`, `rollback`) is not replayed. `controller` tells of the commit as `replayed`.
 * Throws what a value throws that does not fit its schema; nothing is written then.
 */
export function replay(controller: object, commit: Commit): void {
  const desk = deskOf(controller);
  const { store, inflight } = desk;
  const { cause, oldest, time } = commit;
  store.follow(time);
  if (cause !== 'reset' && commit.writes.length === 0) return;
  if (cause === 'reset') inflight.clear((key) => new ResetError({ key }));
  const flight = elsewhere(oldest);
  inflight.start(flight);
  try {
    const written = cause === 'reset' ? store.clear() : write(store, commit);
    desk.emit('commit', () => ({ ...commit, written, replayed: true }));
  } finally {
    inflight.end(flight);
  }
}

/** A request of the other controller: its answer may come here too, and deny what is written now. */
function elsewhere(issued: number): Flight {
  return { key: '', read: false, issued, abort: new AbortController(), cancel: () => {} };
}

function write(store: Store, { cause, time, writes }: Commit): number {
  const values = writes.flatMap(({ stamp, endpoint, ...given }) =>
    stamp === undefined ? [] : [{ ...given, value: given.value, stamp, endpoint: endpoint?.title }],
  );
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
      else if (failure !== undefined) result.fail(failure, store);
      else if (cause === 'invalidate') result.invalidate(time);
      else result.expire(time);
    }
  });
}
