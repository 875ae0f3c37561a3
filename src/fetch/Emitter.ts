/** Event listeners by name. */
import { warn } from '../diagnostics.ts';

/** Calls listeners by the name of an event; `Events` maps each name to the detail that its listeners get. */
export class Emitter<Events extends object> {
  readonly #listeners = new Map<keyof Events, Set<(detail: never) => void>>();

  /** Calls `detailOf` for the detail only if the event has listeners. */
  emit<E extends keyof Events>(event: E, detailOf: () => Events[E]): void {
    const listeners = this.#listeners.get(event);
    if (!listeners?.size) return;
    const detail = detailOf();
    for (const listener of listeners) {
      try {
        listener(detail as never);
      } catch (reason) {
        // an exception of a listener stops neither the emitter nor other listeners
        warn('E4', event as string, { event, reason });
      }
    }
  }

  /** Returns the function that removes the listener. */
  on<E extends keyof Events>(event: E, listener: (detail: Events[E]) => void): () => void {
    let listeners = this.#listeners.get(event);
    if (listeners === undefined) this.#listeners.set(event, (listeners = new Set()));
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }
}
