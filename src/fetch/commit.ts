/** One change of the store, and what is told of it. */
import type { ResultRecord } from '../store/ResultRecord.ts';
import type { Asked } from './Asked.ts';
import type { Desk } from './Desk.ts';
import type { Commit, Issued, Write } from './Events.ts';

/** What it is about. */
interface About {
  readonly key?: string | undefined;
  readonly asked?: readonly Asked[];
  /** The change may add to them. */
  readonly writes?: readonly Write[];
  /** Results that must be asked again by it. */
  readonly again?: Iterable<ResultRecord> | undefined;
}

const NONE: readonly never[] = [];

/** `change` makes the commit, and gives the number of signals it wrote. */
export function commit(
  desk: Desk,
  cause: Commit['cause'],
  change: () => number,
  { key, asked = NONE, writes = NONE, again = NONE }: About = {},
): void {
  const { store, clock, inflight } = desk;
  // readers that run at its end may go on from here
  const { time } = store;
  const written = change();
  desk.emit('commit', () => ({
    cause,
    key,
    written,
    ids: asked.map(({ issued }) => issued),
    at: clock.now(),
    time,
    pending: Array.from(inflight.flights as ReadonlySet<Asked>, requestOf),
    writes: [...writes, ...Array.from(again, writeOf)],
  }));
}

/** As events name a request. */
export function requestOf({ issued, endpoint, args, key, read, fetchedAt }: Asked): Issued {
  return { id: issued, endpoint, args, key, read, at: fetchedAt };
}

/** As events name a result that must be asked again. */
export function writeOf({ key, schema, args }: ResultRecord): Write {
  return { key, schema, args };
}
