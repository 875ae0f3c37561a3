/** Writes the commits of a controller into another: a second tab, or a store read from a disk. */
import { checkObject, DEV } from '../errors.ts';
import type { Store } from '../store/Store.ts';
import type { Stamp } from '../store/records/versioning.ts';
import { pagesFrom, followingArgs } from '../store/results/LoadedPages.ts';
import type { PlacedResponse } from '../store/results/LoadedPages.ts';
import { applyUpdate } from '../store/results/ResultRecord.ts';
import type { ResultRecord } from '../store/results/ResultRecord.ts';
import type { Draft, StagedWrite } from '../store/writes/Draft.ts';
import { placePages } from '../store/writes/placePages.ts';
import type { Commit, Issued, Write } from './Events.ts';
import { contextOf } from './FetchContext.ts';
import type { FetchContext } from './FetchContext.ts';
import { cancelAll, registerRemoteRequest } from './InFlightRequest.ts';
import { revalidate, stageAll, toEventWrite } from './commit.ts';
import { expireAffected, expireLists } from './expireAffected.ts';
import { endInvalidations } from './put.ts';
import { listResultOfPage } from './queryStore.ts';

/**
 * Writes a commit event of another controller (`on('commit', …)`) into `controller`, which then shows the data
 * confirmed by the commit. Writes keep their logical times, and the logical clock of `controller` advances beyond them.
 * If each `request` event is replayed as well, later writes of `controller` count as newer than that request. If two
 * controllers wrote at the same logical time, before either received the other's event, each keeps the order in which
 * the events arrived. Optimistic writes (`optimistic`) are not replayed. `controller` emits the commit event with
 * `replayed`. Results to refetch are refetched at once where mounted, as after `expireAll`. Throws if a value does not
 * fit the schema; nothing is written then.
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
  if (DEV) checkObject('replay', told, 'a commit or a request of another controller');
  const { store } = context;
  store.advanceTo('id' in told ? told.id : told.time);
  if ('id' in told) return;
  const commit = withSelectedWrites(store, told);
  if (commit.cause !== 'reset' && commit.writes.length === 0) return;
  const again = new Set<ResultRecord>();
  const written = replayCommit(context, commit, again, prepare);
  context.events?.emit('commit', () => ({ ...commit, written, replayed: true }));
  revalidate(context, again);
}

/** Adds the results that the other store did not have, and that the commit's `invalidateAll` or `expireAll` selects. */
function withSelectedWrites({ results }: Store, commit: Commit): Commit {
  const { test, writes, time, cause } = commit;
  if (test === undefined) return commit;
  const told = new Set(writes.map(({ key }) => key));
  const isDone = ({ stamp, expiredAt, invalidatedAt = 0 }: ResultRecord) =>
    stamp.time > time || (cause === 'expire' ? expiredAt : invalidatedAt) >= time;
  const selected = [...results.values()]
    .filter((result) => !told.has(result.key) && test.testKey?.(result.key) && !isDone(result))
    .map(toEventWrite);
  return { ...commit, writes: [...writes, ...selected] };
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
    // a mutation without a schema was made, of unknown extent
    if (commit.writes.some(({ key, schema }) => key === undefined && schema === undefined))
      context.inflight.setOpaqueWriteTime(store.tick());
    // lists that only this store has, taken now, so that no later commit of this store reports the same lists
    if (store.affectedLists) for (const list of expireLists(context, undefined)) again.add(list);
    return written;
  } finally {
    for (const end of ends) end();
  }
}

/**
 * False for pages that continue other pages, which this store does not have, or that leave out pages of this store: the
 * first page alone says nothing of the rows behind, unless the next page has the first page's cursor.
 */
function canPlacePages(store: Store, { key = '', endpoint, pages, value }: Write): boolean {
  // the result of an `update` function
  if (endpoint === undefined) return true;
  const loaded = store.findResult(key)?.pages?.pages ?? [];
  if (pages === undefined) {
    const [first, second] = loaded;
    if (first?.address !== 'list' || second === undefined) return true;
    return Array.isArray(second.address) && followingArgs(second, value) === second.args;
  }
  const { start, images } = pages;
  if (loaded.length > start + images.length) return false;
  const before = loaded.slice(0, start);
  return before.length === start && before.every(({ rows }) => rows !== undefined);
}

function replayWrites(
  { store }: FetchContext,
  { cause, time, writes }: Commit,
  again: Set<ResultRecord>,
  prepare: BeforeWrite,
): number {
  const unplaceable = new Set(writes.filter((write) => !canPlacePages(store, write)));
  const values = writes.flatMap((write) => {
    if (unplaceable.has(write)) return [];
    const { stamp, ...given } = write;
    // an entry with a key but no endpoint comes from the `update` of another request
    const mayHavePks = given.key !== undefined && given.endpoint === undefined;
    const { pages } = given;
    const fetchedPages = pages && { ...pages, pages: pagesFrom(pages.images, stamp?.time ?? 0) };
    return stamp === undefined ? [] : [{ ...given, stamp, mayHavePks, fetchedPages }];
  });
  const laid: StagedWrite[] = stageAll(store, values);
  return store.commit(() => {
    const placed = new Map<StagedWrite, PlacedResponse | undefined>();
    for (const each of laid) {
      const { key, endpoint, schema, args } = each.request as Write;
      if (key !== undefined && endpoint !== undefined) {
        const result = store.result(key, schema, args);
        result.listResult = listResultOfPage(store, { endpoint, args });
        placed.set(each, placePages(result, each));
      }
      prepare(each.draft, each.stamp);
      each.write();
    }
    for (const write of writes) {
      const { key, endpoint, schema, args, stamp, failure } = write;
      const known = stamp && !unplaceable.has(write) ? laid.shift() : undefined;
      if (key === undefined) {
        if (known === undefined) expireAffected(store, { schema, args }, again);
        else if (known.stamp.isPush) endInvalidations(store, known.node, known.stamp.time);
        continue;
      }
      const result = store.result(key, schema, args);
      if (known !== undefined && endpoint === undefined)
        applyUpdate(result, known.node, known.stamp);
      else if (known !== undefined) result.setResponse(known.node, known.stamp, placed.get(known));
      else if (failure !== undefined) result.setFailure(failure);
      else if (cause !== 'invalidate') {
        result.expire(time);
        again.add(result);
      } else if (time > result.stamp.time) result.invalidate(time);
    }
  });
}
