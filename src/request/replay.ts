/** Writes the commits of one controller into another: a second tab, or a store read from a disk. */
import type { ResultRecord } from '../store/results/ResultRecord.ts';
import type { Draft } from '../store/writes/Draft.ts';
import type { Stamp } from '../store/records/versioning.ts';
import type { StagedWrite } from '../store/writes/StagedWrite.ts';
import { cancelAll } from './settle.ts';
import { contextOf } from './FetchContext.ts';
import type { FetchContext } from './FetchContext.ts';
import { registerRemoteRequest } from './registerRemoteRequest.ts';
import type { Commit, Issued } from './Events.ts';
import { stageAll } from './stageAll.ts';
import { endInvalidations } from './put.ts';
import { listResultOfPage } from './queryStore.ts';
import { expireAffected, expireLists } from './expireAffected.ts';
import { revalidate } from './commit.ts';

/**
 * Writes a commit event of another controller (`on('commit', …)`) into `controller`, which then shows the data
 * confirmed by it. Writes keep their logical times, and the logical clock of `controller` advances beyond them. If each
 * `request` event is replayed as well, later writes of `controller` count as newer than that request. If two
 * controllers wrote at the same logical time, before either received the other's event, each keeps the order in which
 * it received the events. Optimistic writes (`optimistic`) are not replayed. `controller` emits the commit event with
 * `replayed`. Results to refetch are refetched at once where they are mounted, as after `expireAll`. Throws if a value
 * does not fit its schema; nothing is written then.
 */
export function replay(controller: object, told: Commit | Issued): void {
  replayWith(contextOf(controller), told, () => {});
}

/** Called before each write. */
type BeforeWrite = (draft: Draft, stamp: Stamp) => void;

/** As `replay`, in the context of a controller. */
export function replayWith(
  context: FetchContext,
  told: Commit | Issued,
  prepare: BeforeWrite,
): void {
  const { store } = context;
  store.advanceTo('id' in told ? told.id : told.time);
  if ('id' in told) return;
  if (told.cause !== 'reset' && told.writes.length === 0) return;
  const again = new Set<ResultRecord>();
  const written = replayCommit(context, told, again, prepare);
  context.events?.emit('commit', () => ({ ...told, written, replayed: true }));
  revalidate(context, again);
}

/** Returns how many signals the commit wrote. Results to refetch are added to `again`. */
function replayCommit(
  context: FetchContext,
  commit: Commit,
  again: Set<ResultRecord>,
  prepare: BeforeWrite,
): number {
  const { store } = context;
  const { cause, pending } = commit;
  if (cause === 'reset') cancelAll(context);
  const ends = pending.map((request) => registerRemoteRequest(context, request));
  try {
    const written =
      cause === 'reset' ? store.clear() : replayWrites(context, commit, again, prepare);
    // lists that only this store has; they are taken now, so that no later commit of its own reports them
    if (store.affectedLists) for (const list of expireLists(context, {})) again.add(list);
    return written;
  } finally {
    for (const end of ends) end();
  }
}

function replayWrites(
  { store }: FetchContext,
  { cause, time, writes }: Commit,
  again: Set<ResultRecord>,
  prepare: BeforeWrite,
): number {
  const values = writes.flatMap(({ stamp, ...given }) => {
    // an entry with a key but no endpoint comes from the `update` of another request
    const mayHavePks = given.key !== undefined && given.endpoint === undefined;
    return stamp === undefined ? [] : [{ ...given, stamp, mayHavePks }];
  });
  const laid: StagedWrite[] = stageAll(store, values);
  return store.commit(() => {
    for (const each of laid) {
      prepare(each.draft, each.stamp);
      each.write();
    }
    for (const { key, endpoint, schema, args, stamp, failure } of writes) {
      const known = stamp && laid.shift();
      if (key === undefined) {
        if (known === undefined) expireAffected(store, { schema, args }, again);
        else if (cause === 'set') endInvalidations(store, known.node, known.stamp.time);
        continue;
      }
      const result = store.result(key, schema, args);
      if (endpoint !== undefined) result.listResult = listResultOfPage(store, { endpoint, args });
      if (known !== undefined)
        result[endpoint === undefined ? 'applyUpdate' : 'setResponse'](known.node, known.stamp);
      else if (failure !== undefined) result.setFailure(failure);
      else if (cause !== 'invalidate') {
        result.expire(time);
        again.add(result);
      } else if (time > result.stamp.time) result.invalidate(time);
    }
  });
}
