/** Who shows something, and is told when the user or the network comes back. */
import type { Return, Surroundings } from '../surroundings.ts';

/** Something that is shown, or kept up to date. */
export interface Refetchable {
  readonly key: string;
  /** Asks again where what is there is stale. */
  revalidate(): void;
  /** The user or the network came back. */
  onReturn(what: Return): void;
}

/** The surroundings are listened to from the first until the last. */
export class ActiveViews implements Iterable<Refetchable> {
  readonly #surroundings: Surroundings;
  readonly #shown: Set<Refetchable> = new Set();
  #deafen: (() => void) | undefined;

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings;
  }

  /** A copy: who is told to ask may come or go. */
  [Symbol.iterator](): Iterator<Refetchable> {
    return [...this.#shown].values();
  }

  add(shown: Refetchable): void {
    this.#shown.add(shown);
    this.#deafen ??= this.#surroundings.listen((what) => {
      // without a network the user's return changes nothing: that of the network will
      if (!this.#surroundings.offline) for (const each of this) each.onReturn(what);
    });
  }

  delete(shown: Refetchable): void {
    this.#shown.delete(shown);
    if (this.#shown.size > 0) return;
    this.#deafen?.();
    this.#deafen = undefined;
  }
}
