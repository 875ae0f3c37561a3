/** One change of the store, with its `commit` event and the refetches that follow from it. */
import type { ResultRecord } from '../store/ResultRecord.ts';
import type { InFlightRequest } from './InFlightRequest.ts';
import type { FetchContext } from './FetchContext.ts';
import type { Commit, Issued, Write } from './Events.ts';
import { expireLists } from './expireAffected.ts';
import { revalidate } from './revalidate.ts';
import { policyOf } from './policyOf.ts';
import { NO_POLICIES } from './responseStamp.ts';

/** The context of a commit. */
interface CommitContext {
  readonly key?: string | undefined;
  /** `request`: the single request that caused the commit. `requests`: all requests, for example of a transaction. */
  readonly causedBy?: InFlightRequest | undefined;
  readonly requests?: readonly InFlightRequest[];
  /** The change may add entries. */
  readonly writes?: readonly Write[] | undefined;
  /** Results to refetch because of the commit. */
  readonly toRefetch?: Iterable<ResultRecord> | undefined;
}

const NO_CONTEXT: CommitContext = {};

/** Commits the writes of `work`. */
export function commitChange(
  context: FetchContext,
  cause: Commit['cause'],
  work: () => void,
  about?: CommitContext,
): void {
  commit(context, cause, () => context.store.commit(work), about);
}

/** `make` performs the commit and returns the number of signals it wrote. */
export function commit(
  context: FetchContext,
  cause: Commit['cause'],
  make: () => number,
  about: CommitContext = NO_CONTEXT,
): void {
  // readers that run at the end of the commit may advance the logical time
  const { time } = context.store;
  const written = make();
  const changes = context.store.affectedLists.takeAll();
  const { endpoint = NO_POLICIES } = about.requests?.[0] ?? about.causedBy ?? {};
  const lists =
    changes && policyOf(context, endpoint, 'revalidateLists') !== false
      ? expireLists(context.store, changes)
      : undefined;
  context.events.emit('commit', () => {
    const {
      key,
      causedBy,
      requests = causedBy ? [causedBy] : [],
      writes = [],
      toRefetch = [],
    } = about;
    return {
      cause,
      key: key ?? causedBy?.key,
      written,
      ids: requests.map(({ issued }) => issued),
      at: context.clock.now(),
      time,
      pending: Array.from(context.inflight.allRequests, requestEvent),
      writes: [
        ...writes,
        ...Array.from(new Set([...toRefetch, ...(lists ?? [])]), invalidationEvent),
      ],
    };
  });
  if (lists !== undefined) revalidate(context, lists);
}

/** Marks results for refetching. `invalidate`: their readers suspend. `expire`: readers show the data meanwhile. */
export function invalidateResults(
  context: FetchContext,
  how: 'invalidate' | 'expire',
  records: readonly ResultRecord[],
): void {
  const time = context.store.tick();
  const work = () => records.forEach((record) => record[how](time));
  commitChange(context, how, work, { toRefetch: records });
}

/** A request as events represent it. */
export function requestEvent(request: InFlightRequest): Issued {
  const { issued: id, endpoint, args, key, read, fetchedAt: at } = request;
  return { id, endpoint, args, key, read, at };
}

/** A result to refetch, as events represent it. */
export function invalidationEvent({ key, schema, args }: ResultRecord): Write {
  return { key, schema, args };
}
