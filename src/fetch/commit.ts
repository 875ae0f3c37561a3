/** One change of the store, and what is told of it. */
import type { ResultRecord } from '../store/ResultRecord.ts';
import type { InFlightRequest } from './InFlightRequest.ts';
import type { FetchContext } from './FetchContext.ts';
import type { Commit, Issued, Write } from './Events.ts';
import { expireLists } from './expireAffected.ts';
import { revalidate } from './revalidate.ts';
import { policyOf } from './policyOf.ts';

/** What it is about. */
interface About {
  readonly key?: string | undefined;
  /** The one request that caused it, or all of a transaction's. */
  readonly by?: InFlightRequest | undefined;
  readonly asked?: readonly InFlightRequest[];
  /** The change may add to them. */
  readonly writes?: readonly Write[] | undefined;
  /** Results that must be asked again by it. */
  readonly again?: Iterable<ResultRecord> | undefined;
}

/** One commit of what `work` writes. */
export function commitChange(
  context: FetchContext,
  cause: Commit['cause'],
  work: () => void,
  about?: About,
): void {
  commit(context, cause, () => context.store.commit(work), about);
}

/** `make` makes the commit, and gives the number of signals it wrote. */
export function commit(
  context: FetchContext,
  cause: Commit['cause'],
  make: () => number,
  { key, by, asked = by ? [by] : [], writes = [], again = [] }: About = {},
): void {
  // readers that run at its end may go on from here
  const { time } = context.store;
  const written = make();
  const policies = asked[0]?.endpoint ?? {};
  const lists = expireLists(
    context.store,
    policyOf(context, policies, 'revalidateLists') !== false,
  );
  context.events.emit('commit', () => ({
    cause,
    key: key ?? by?.key,
    written,
    ids: asked.map(({ issued }) => issued),
    at: context.clock.now(),
    time,
    pending: Array.from(context.inflight.flights, requestEvent),
    writes: [...writes, ...Array.from(new Set([...again, ...lists]), invalidationEvent)],
  }));
  revalidate(context, lists);
}

/** Results that must be fetched again. `invalidate`: their readers suspend. `expire`: the data are shown meanwhile. */
export function invalidateResults(
  context: FetchContext,
  how: 'invalidate' | 'expire',
  records: readonly ResultRecord[],
): void {
  const time = context.store.tick();
  const work = () => records.forEach((record) => record[how](time));
  commitChange(context, how, work, { again: records });
}

/** As events name a request. */
export function requestEvent(request: InFlightRequest): Issued {
  const { issued: id, endpoint, args, key, read, fetchedAt: at } = request;
  return { id, endpoint, args, key, read, at };
}

/** As events name a result that must be asked again. */
export function invalidationEvent({ key, schema, args }: ResultRecord): Write {
  return { key, schema, args };
}
