/** What one controller committed, written into another: a second tab, a store read from a disk. */
import type { ResultRecord } from '../store/ResultRecord.ts';
import type { StagedWrite } from '../store/Store.ts';
import { cancelAll } from '../fetch/cancel.ts';
import { contextOf } from '../fetch/FetchContext.ts';
import type { FetchContext } from '../fetch/FetchContext.ts';
import { registerRemoteRequest } from './registerRemoteRequest.ts';
import type { Commit, Issued } from '../fetch/Events.ts';
import { stageAll } from './stageAll.ts';
import { parentListResult } from '../fetch/parentListResult.ts';
import { expireAffected, expireLists } from '../fetch/expireAffected.ts';
import { policyOf } from '../fetch/policyOf.ts';
import { revalidate } from '../fetch/revalidate.ts';
import { writeDraft } from '../store/writeDraft.ts';

/**
 * Writes a commit that another controller told of (`on('commit', …)`) into `controller`, which then shows what that has
 * confirmed. Writes keep their logical times, and the clock of `controller` goes on behind them; told of each `request`,
 * too, it knows that what it writes from then on is newer. What two controllers wrote at the same logical time, before
 * they heard of each other, stands in the order in which each heard of it.
 * What is only expected of mutations (`optimistic`) is not replayed. `controller` tells of the commit as `replayed`.
 * What must be asked again is asked at once where somebody shows it here, as after `expireAll`.
 * Throws what a value throws that does not fit its schema; nothing is written then.
 */
export function replay(controller: object, told: Commit | Issued): void {
  const context = contextOf(controller);
  const { store } = context;
  if ('id' in told) return store.advanceClock(told.id);
  store.advanceClock(told.time);
  if (told.cause !== 'reset' && told.writes.length === 0) return;
  const again = new Set<ResultRecord>();
  const written = among(context, told, again);
  context.events.emit('commit', () => ({ ...told, written, replayed: true }));
  revalidate(context, again);
}

/** Gives how many signals it wrote. Results that must be asked again are added to `again`. */
function among(context: FetchContext, commit: Commit, again: Set<ResultRecord>): number {
  const { store } = context;
  const { cause, pending } = commit;
  if (cause === 'reset') cancelAll(context);
  const ends = pending.map((request) => registerRemoteRequest(context, request));
  try {
    const written = cause === 'reset' ? store.clear() : write(context, commit, again);
    // lists that this store alone knows; no later commit of its own is to tell of them
    const allowed = policyOf(context, {}, 'revalidateLists') !== false;
    for (const list of expireLists(store, allowed)) again.add(list);
    return written;
  } finally {
    for (const end of ends) end();
  }
}

function write(
  { store }: FetchContext,
  { cause, time, writes }: Commit,
  again: Set<ResultRecord>,
): number {
  const values = writes.flatMap(({ stamp, ...given }) => {
    // what `update` of another request gave
    const keyed = given.key !== undefined && given.endpoint === undefined;
    return stamp === undefined ? [] : [{ ...given, stamp, keyed }];
  });
  const laid: StagedWrite[] = stageAll(store, values);
  return store.commit(() => {
    for (const { draft, node, stamp } of laid) writeDraft(store, draft, stamp, node);
    for (const { key, endpoint, schema, args, stamp, failure } of writes) {
      const known = stamp && laid.shift();
      if (key === undefined) {
        if (known === undefined) expireAffected(store, { schema, args }, again);
        continue;
      }
      const result = store.result(key, schema, args);
      if (endpoint !== undefined) result.list = parentListResult(store, endpoint, args);
      if (known !== undefined)
        result[endpoint === undefined ? 'applyUpdate' : 'setResponse'](known.node, known.stamp);
      else if (failure !== undefined) result.setFailure(failure);
      else if (cause !== 'invalidate') {
        result.expire(Math.max(time, result.expiredAt));
        again.add(result);
      } else if (time > result.stamp.time) result.invalidate(time);
    }
  });
}
