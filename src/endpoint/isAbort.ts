/** Distinguishes aborts from failures. */

/** True for an abort error: of fetch (if its signal had no custom reason), of `throwIfAborted`, of React Native. */
export function isAbort(thrown: unknown): boolean {
  return (thrown as { name?: unknown } | undefined | null)?.name === 'AbortError';
}
