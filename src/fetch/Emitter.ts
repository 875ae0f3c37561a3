/** Who listens to what happens. */
import { warn } from '../diagnostics.ts';

/** Calls listeners by the name of an event; `Events` maps each name to the detail that its listeners get. */
export class Emitter<Events extends object> {
  readonly #listeners = new Map<keyof Events, Set<(detail: never) => void>>();

  /** The detail is made where somebody listens, of `subject`. */
  emit<E extends keyof Events, S = void>(
    event: E,
    detailOf: (subject: S) => Events[E],
    subject?: S,
  ): void {
    const listeners = this.#listeners.get(event);
    if (!listeners?.size) return;
    const detail = detailOf(subject as S);
    for (const listener of listeners) {
      try {
        listener(detail as never);
      } catch (reason) {
        // who only listens stops nothing
        warn('E4', String(event), { event, reason });
      }
    }
  }

  /** Gives back how to stop. */
  on<E extends keyof Events>(event: E, listener: (detail: Events[E]) => void): () => void {
    let listeners = this.#listeners.get(event);
    if (listeners === undefined) this.#listeners.set(event, (listeners = new Set()));
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }
}
