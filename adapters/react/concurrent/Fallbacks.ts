/** The boundaries of one controller that show a fallback: they render again when data of a reader arrive. */

/*
 * React delays its own retries of suspended children until a fallback has been shown for 300 ms. An update of the
 * boundary is not delayed.
 *
 *   reader suspends ─► fallback is committed ─► data arrive ─► `retry` updates the boundary: the children render
 *                  └─► data arrive ─► fallback is committed ─► `retry` at once, before the fallback is painted
 */
export class Fallbacks {
  readonly #retries = new Set<() => void>();
  /** True if the data of a reader have arrived since a reader suspended last. */
  #hasNewData = false;

  /** Called when a reader suspends, with the promise of its data. */
  onSuspend(wait: Promise<void>): void {
    this.#hasNewData = false;
    void wait.then(() => {
      this.#hasNewData = true;
      for (const retry of this.#retries) retry();
    });
  }

  /** Called when a fallback is committed. Returns the function to call when it is removed. */
  add(retry: () => void): () => void {
    if (this.#hasNewData) retry();
    this.#retries.add(retry);
    return () => void this.#retries.delete(retry);
  }
}
