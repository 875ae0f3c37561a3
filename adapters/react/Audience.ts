/** Who shows what on the screen, so that who comes later shows the same. */
import { systemClock } from '../../src/clock.ts';
import { toNewcomer } from '../../src/store/Result.ts';
import type { Result } from '../../src/store/Result.ts';
import { isServer } from '../../src/surroundings.ts';
import type { Ready } from '../../src/view/Ready.ts';
import type { Reader } from '../../src/view/Reader.ts';

/** The place of one hook of one mounted component. */
export interface Seat {
  reader: Reader | undefined;
  /** What the screen shows of it, or will before the next paint. */
  drawn: Result | undefined;
  /** What React knows or has in its queue. */
  told: Result | undefined;
}

type Follow = (drawn: Result | undefined) => void;

interface Row {
  readonly seats: Set<Seat>;
  readonly followers: Map<Seat, Follow>;
  begun?: Pass | undefined;
}

/** What readers show that render for the first time and are not on the screen yet. */
interface Pass {
  readonly result: Result;
  readonly ready: Ready;
  readonly until: number;
}

// longer than readers take that mount together, ms; a pass that React gave up is forgotten then
const PASS = 1_000;

/**
 * While a transition is under way, the store is ahead of the screen. A component that mounts meanwhile shows what the
 * others of the same key show, and goes on when they do: a transition of its own would end before or after theirs.
 */
export class Audience {
  readonly #rows = new WeakMap<Reader, Row>();

  /** The data that somebody shows of `reader`, and that are for all. */
  drawn(reader: Reader): Result | undefined {
    for (const { drawn } of this.#rows.get(reader)?.seats ?? []) {
      if (drawn?.status === 'success' && toNewcomer(drawn) === drawn) return drawn;
    }
    return undefined;
  }

  /** What the readers show that mount together, in a pass that React slices while the store goes on: `now`, of the first. */
  begun(reader: Reader, now: Result): Result {
    // nothing is ever mounted
    if (isServer()) return now;
    const row = this.#row(reader);
    const time = systemClock.now();
    const { begun } = row;
    const goes = begun !== undefined && time <= begun.until && begun.ready === reader.ready;
    // only data are held: a reader that waits or failed looks at each attempt. Expired data count as waiting: React
    // renders a suspended tree once more before the promise settles
    const isData = now.status === 'success' && reader.ready.status !== 'pending';
    if (isData && goes) return begun.result;
    row.begun = isData ? { result: now, ready: reader.ready, until: time + PASS } : undefined;
    return now;
  }

  /** Gives back how to leave: at unmount, and when the screen hides it. */
  enter(reader: Reader, seat: Seat): () => void {
    const row = this.#row(reader);
    row.seats.add(seat);
    row.begun = undefined;
    return () => {
      row.seats.delete(seat);
      row.followers.delete(seat);
      // nobody is left to be followed
      if (row.seats.size === row.followers.size) this.#go(row, undefined);
    };
  }

  /** Runs `follow` once: when another seat draws something else, or with undefined when all others left. */
  follow(reader: Reader, seat: Seat, follow: Follow): void {
    this.#row(reader).followers.set(seat, follow);
  }

  unfollow(reader: Reader, seat: Seat): void {
    this.#rows.get(reader)?.followers.delete(seat);
  }

  /** A seat drew something else. */
  moved(reader: Reader, seat: Seat): void {
    const row = this.#rows.get(reader);
    if (row !== undefined && !row.followers.has(seat)) this.#go(row, seat.drawn);
  }

  #go({ followers }: Row, drawn: Result | undefined): void {
    if (followers.size === 0) return;
    const all = [...followers.values()];
    followers.clear();
    for (const follow of all) follow(drawn);
  }

  #row(reader: Reader): Row {
    let row = this.#rows.get(reader);
    if (row === undefined)
      this.#rows.set(reader, (row = { seats: new Set(), followers: new Map() }));
    return row;
  }
}
