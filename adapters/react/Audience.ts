/** Who shows what on the screen, so that who comes later shows the same. */
import type { Result } from '../../src/store/ResultRecord.ts';
import type { Reader } from '../../src/view/View.ts';

/** The place of one hook of one mounted component. */
export interface Seat {
  reader: Reader | undefined;
  /** What the screen shows of it, or will before the next paint. */
  drawn: Result | undefined;
  /** What React knows or has in its queue. */
  told: Result | undefined;
}

/**
 * While a transition is under way, the store is ahead of the screen. A component that mounts meanwhile follows what
 * the mounted ones of the same key show, and goes on with them.
 */
export class Audience {
  readonly #seats = new WeakMap<Reader, Set<Seat>>();

  /** The data that somebody shows of `reader`. */
  drawn(reader: Reader): Result | undefined {
    for (const { drawn } of this.#seats.get(reader) ?? []) {
      if (drawn?.status === 'success') return drawn;
    }
    return undefined;
  }

  /** Gives back how to leave: at unmount, and when the screen hides it. */
  enter(reader: Reader, seat: Seat): () => void {
    let seats = this.#seats.get(reader);
    if (seats === undefined) this.#seats.set(reader, (seats = new Set()));
    seats.add(seat);
    return () => void seats.delete(seat);
  }
}
