/** One change of the store, and what is told of it. */
import type { ResultRecord } from '../store/ResultRecord.ts';
import type { InFlightRequest } from './InFlightRequest.ts';
import type { Desk } from './Desk.ts';
import type { Commit, Issued, Write } from './Events.ts';
import { expireLists } from './expireLists.ts';
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
export function change(desk: Desk, cause: Commit['cause'], work: () => void, about?: About): void {
  commit(desk, cause, () => desk.store.commit(work), about);
}

/** `make` makes the commit, and gives the number of signals it wrote. */
export function commit(
  desk: Desk,
  cause: Commit['cause'],
  make: () => number,
  { key, by, asked = by ? [by] : [], writes = [], again = [] }: About = {},
): void {
  // readers that run at its end may go on from here
  const { time } = desk.store;
  const written = make();
  const policies = asked[0]?.endpoint ?? {};
  const lists = expireLists(desk.store, policyOf(desk, policies, 'revalidateLists') !== false);
  desk.events.emit('commit', () => ({
    cause,
    key: key ?? by?.key,
    written,
    ids: asked.map(({ issued }) => issued),
    at: desk.clock.now(),
    time,
    pending: Array.from(desk.inflight.flights, requestOf),
    writes: [...writes, ...Array.from(new Set([...again, ...lists]), writeOf)],
  }));
  revalidate(desk, lists);
}

/** Results that must be fetched again. `invalidate`: their readers suspend. `expire`: the data are shown meanwhile. */
export function outdateResults(
  desk: Desk,
  how: 'invalidate' | 'expire',
  records: readonly ResultRecord[],
): void {
  const time = desk.store.tick();
  const work = () => records.forEach((record) => record[how](time));
  change(desk, how, work, { again: records });
}

/** As events name a request. */
export function requestOf({
  issued,
  endpoint,
  args,
  key,
  read,
  fetchedAt,
}: InFlightRequest): Issued {
  return { id: issued, endpoint, args, key, read, at: fetchedAt };
}

/** As events name a result that must be asked again. */
export function writeOf({ key, schema, args }: ResultRecord): Write {
  return { key, schema, args };
}
