/** Who shows what on the screen, so that who comes later shows the same. */
import type { Result } from '../../src/store/ResultRecord.ts';
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
}

/**
 * While a transition is under way, the store is ahead of the screen. A component that mounts meanwhile shows what the
 * others of the same key show, and goes on when they do: a transition of its own would end before or after theirs.
 */
export class Audience {
  readonly #rows = new WeakMap<Reader, Row>();

  /** The data that somebody shows of `reader`. */
  drawn(reader: Reader): Result | undefined {
    for (const { drawn } of this.#rows.get(reader)?.seats ?? []) {
      if (drawn?.status === 'success') return drawn;
    }
    return undefined;
  }

  /** Gives back how to leave: at unmount, and when the screen hides it. */
  enter(reader: Reader, seat: Seat): () => void {
    const row = this.#row(reader);
    row.seats.add(seat);
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
