/** A change of the store: values staged together, the `commit` event, and the resulting refetches. */
import { isUpdate } from '../endpoint/argumentChecks.ts';
import type { Store } from '../store/Store.ts';
import { prepareCreation } from '../store/entities/EntityContent.ts';
import type { EntityRecord } from '../store/entities/EntityRecord.ts';
import type { Stamp } from '../store/records/versioning.ts';
import type { Failure } from '../store/results/Result.ts';
import type { ResultRecord } from '../store/results/ResultRecord.ts';
import { StagedWrite } from '../store/writes/Draft.ts';
import type { WriteRequest } from '../store/writes/Draft.ts';
import type { Commit, Issued, KeyTest, Write } from './Events.ts';
import type { FetchContext } from './FetchContext.ts';
import type { InFlightRequest } from './InFlightRequest.ts';
import { expireLists } from './expireAffected.ts';

/** The context of a commit. */
export interface CommitContext {
  readonly key?: string | undefined;
  /** The single request that caused the commit. */
  readonly causedBy?: InFlightRequest | undefined;
  /** All requests of the transaction that caused the commit. */
  readonly transactionRequests?: readonly InFlightRequest[];
  /** The entries of the commit event. The change may add further ones. */
  readonly eventWrites?: readonly Write[] | undefined;
  readonly test?: KeyTest | undefined;
  /** Results to refetch because of the commit. */
  readonly toRefetch?: Iterable<ResultRecord> | undefined;
}

/** Commits and reports a change of the store. */
export function commit(
  context: FetchContext,
  cause: Commit['cause'],
  change: () => void,
  about?: CommitContext,
): void {
  const { store } = context;
  // readers that run at the end of the commit may advance the logical time
  const { time } = store;
  reportCommit(context, { cause, time, written: store.commit(change) }, about);
}

/** Runs several changes as a single commit. Reads in between include the layers added so far. */
export function batchCommits(store: Store, changes: () => void): number {
  return store.commit(() => {
    const outer = store.isInBatch;
    store.isInBatch = true;
    try {
      changes();
    } finally {
      store.isInBatch = outer;
    }
  });
}

/** Emits the event of a commit, and refetches the lists that the commit has made uncertain. */
export function reportCommit(
  context: FetchContext,
  done: Pick<Commit, 'cause' | 'time' | 'written'>,
  about: CommitContext = {},
): void {
  const lists =
    context.store.affectedLists &&
    expireLists(context, about.transactionRequests?.[0] ?? about.causedBy);
  context.events?.emit('commit', () => {
    const {
      key,
      causedBy,
      transactionRequests = causedBy ? [causedBy] : [],
      eventWrites = [],
      toRefetch = [],
      test,
    } = about;
    return {
      ...done,
      key: key ?? causedBy?.key,
      ids: transactionRequests.map(({ issued }) => issued),
      at: context.clock.now(),
      pending: Array.from(context.inflight.allRequests, requestEvent),
      writes: [
        ...eventWrites,
        ...Array.from(new Set([...toRefetch, ...(lists ?? [])]), toEventWrite),
      ],
      ...(test && { test }),
    };
  });
  if (lists !== undefined) revalidate(context, lists);
}

/** Makes each mounted view of these results refetch. */
export function revalidate(
  { store, activeViews }: FetchContext,
  results: ReadonlySet<ResultRecord>,
): void {
  if (results.size === 0) return;
  for (const view of Array.from(activeViews)) {
    if (results.has(store.results.get(view.key) as ResultRecord)) view.revalidate();
  }
}

/** Refetches `result` for mounted views if an `update` changed it after this response was requested. */
export function refetchIfUpdated({ asOf, context }: InFlightRequest, result: ResultRecord): void {
  if (asOf < result.updateAppliedAt) revalidate(context, new Set([result]));
}

/** Marks results for refetching. `invalidate`: their readers suspend. `expire`: readers show the data meanwhile. */
export function invalidateOrExpire(
  context: FetchContext,
  how: 'invalidate' | 'expire',
  records: readonly ResultRecord[],
  test?: KeyTest,
): void {
  const time = context.store.tick();
  const work = () => records.forEach((record) => record[how](time));
  commit(context, how, work, { toRefetch: records, test });
}

/** Stores an error as the result of a read. */
export function storeFailure(
  context: FetchContext,
  result: ResultRecord,
  failure: Failure,
  { endpoint, causedBy }: Pick<Write, 'endpoint'> & Pick<CommitContext, 'causedBy'>,
): void {
  const eventWrites = [{ ...toEventWrite(result), endpoint, failure }];
  const change = () => result.setFailure(failure);
  commit(context, 'error', change, { key: result.key, causedBy, eventWrites });
}

/** The representation of a request in events. */
export function requestEvent(request: InFlightRequest): Issued {
  const { issued: id, endpoint, args, key, read, fetchedAt: at } = request;
  return { id, endpoint, args, key, read, at };
}

/** The entry of the commit event for a result to refetch. */
export function toEventWrite({ key, schema, args }: ResultRecord): Write {
  return { key, schema, args };
}

interface StampedWrite
  extends Write, Pick<WriteRequest, 'layer' | 'mayHavePks' | 'stageLinkedWrites' | 'fetchedPages'> {
  readonly stamp: Stamp;
}

/** Stages all writes. If any write throws, discards all and rethrows: the store is unchanged. */
export function stageAll(store: Store, writes: readonly StampedWrite[]): StagedWrite[] {
  const laid: StagedWrite[] = [];
  const removed = new Set<EntityRecord>();
  try {
    for (const { endpoint, value, ...write } of writes) {
      const updatesEntityInArgs = endpoint && isUpdate(endpoint, write.args);
      const staged = new StagedWrite(store, { ...write, value, endpoint, updatesEntityInArgs });
      laid.push(staged);
      const { patches, removals } = staged.draft;
      // an entity that an earlier write deletes is created again
      patches.filter(({ record }) => removed.has(record)).forEach(prepareCreation);
      for (const record of removals) removed.add(record);
    }
    return laid;
  } catch (error) {
    for (const each of laid) each.discard();
    throw error;
  }
}
