/** An AbortController that creates the costly AbortSignal on first access: most requests never need a signal. */

/** The part of an AbortSignal that the library uses. */
export interface AbortSignalLike {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** The reason of an aborted signal, never undefined: React Native's signals have no `reason`, and no `DOMException`. */
export function abortReason(signal: { readonly reason: unknown }): unknown {
  return signal.reason ?? Object.assign(new Error('aborted'), { name: 'AbortError' });
}

export class LazyAbortController implements AbortSignalLike {
  aborted = false;
  reason: unknown;
  /** True if nothing can abort the request: the endpoint gets no signal. */
  neverAborts = false;
  #listeners: Set<() => void> | undefined;
  #controller: AbortController | undefined;

  /** The platform's signal, created on first access. */
  get signal(): AbortSignal {
    const controller = (this.#controller ??= new AbortController());
    if (this.aborted) controller.abort(this.reason);
    return controller.signal;
  }

  /** If `reason` is omitted, the platform creates a reason. */
  abort(reason?: unknown): void {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = reason;
    this.#controller?.abort(reason);
    if (reason === undefined) this.reason = abortReason(this.signal);
    for (const listener of this.#listeners ?? []) listener();
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    (this.#listeners ??= new Set()).add(listener);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners?.delete(listener);
  }
}
