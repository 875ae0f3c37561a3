/** An AbortController that makes its AbortSignal when it is first read: most requests never need one, and it is costly. */

/** The part of an AbortSignal that the library uses. */
export interface AbortSignalLike {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** The reason of an aborted signal. Never undefined: React Native's signals have no `reason`, and no `DOMException`. */
export function abortReason(signal: { readonly reason: unknown }): unknown {
  return signal.reason ?? Object.assign(new Error('aborted'), { name: 'AbortError' });
}

export class LazyAbortController implements AbortSignalLike {
  aborted = false;
  reason: unknown = undefined;
  /** True where nothing can abort it: the endpoint gets no signal. */
  uncancellable = false;
  #listeners: Set<() => void> | undefined;
  #controller: AbortController | undefined;

  /** The platform's signal, made when it is first read. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.aborted) this.#controller.abort(this.reason);
    }
    return this.#controller.signal;
  }

  /** Without a reason the platform gives its own one. */
  abort(reason?: unknown): void {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = reason;
    this.#controller?.abort(reason);
    // the platform makes one where none is given
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
