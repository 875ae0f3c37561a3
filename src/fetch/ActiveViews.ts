/** The mounted views and polls, which are notified when the user or the network comes back. */
import type { Return, Surroundings } from '../surroundings.ts';

/** A mounted view, or a poll. */
export interface Refetchable {
  readonly key: string;
  /** Refetches if the stored data are stale. */
  revalidate(): void;
  /** The user or the network came back. */
  onReturn(what: Return): void;
}

/** Listens to the surroundings from the first `add` until the last `delete`. */
export class ActiveViews implements Iterable<Refetchable> {
  readonly #surroundings: Surroundings;
  readonly #views: Set<Refetchable> = new Set();
  #stopListening: (() => void) | undefined;

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings;
  }

  /** Iterates over a copy: a view that refetches may add or delete others. */
  [Symbol.iterator](): Iterator<Refetchable> {
    return [...this.#views].values();
  }

  add(view: Refetchable): void {
    this.#views.add(view);
    this.#stopListening ??= this.#surroundings.listen((what) => {
      // while offline, a refetch cannot succeed; the return of the network triggers another one
      if (!this.#surroundings.offline) for (const each of this) each.onReturn(what);
    });
  }

  delete(view: Refetchable): void {
    this.#views.delete(view);
    if (this.#views.size > 0) return;
    this.#stopListening?.();
    this.#stopListening = undefined;
  }
}
