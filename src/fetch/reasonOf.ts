/** Why a signal was aborted, also where the platform does not keep it. */

/** Never undefined: React Native's signals have no `reason`, and no `DOMException` to make one of. */
export function reasonOf(signal: { readonly reason: unknown }): unknown {
  return signal.reason ?? Object.assign(new Error('aborted'), { name: 'AbortError' });
}
