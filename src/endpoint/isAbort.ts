/** How an abort is told from a failure. */

/** True for what aborts throw: of fetch (its signal had no reason of its own), of `throwIfAborted`, of React Native. */
export function isAbort(thrown: unknown): boolean {
  return (thrown as { name?: unknown } | undefined | null)?.name === 'AbortError';
}
