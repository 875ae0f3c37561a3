/** An AbortController without an AbortSignal: most requests end with nobody having asked for theirs, and one is dear. */
import { reasonOf } from './reasonOf.ts';

/** Says that somebody waits no longer. An AbortSignal is one, too. */
export interface Leave {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** As of a controller that is given no reason. React Native has none then, nor `AbortSignal.abort`. */
function unsaid(): unknown {
  const made = new AbortController();
  made.abort();
  return reasonOf(made.signal);
}

export class Abort implements Leave {
  aborted = false;
  reason: unknown = undefined;
  /** Nobody can abort it: what is sent has no signal. */
  lasting = false;
  #listeners: Set<() => void> | undefined;
  #controller: AbortController | undefined;

  /** The true signal of it, from when it is first asked for. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.aborted) this.#controller.abort(this.reason);
    }
    return this.#controller.signal;
  }

  abort(reason: unknown = unsaid()): void {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = reason;
    for (const listener of this.#listeners ?? []) listener();
    this.#controller?.abort(reason);
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    (this.#listeners ??= new Set()).add(listener);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners?.delete(listener);
  }
}
