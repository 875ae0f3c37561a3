/** The table of cache states as a pure function: what a reader of a request must do. */

/** Invalid: ask and wait. Stale: show and ask. Valid: show. */
export type Freshness = 'invalid' | 'stale' | 'valid';

/** What is known of a request when somebody reads it. Times are wall time in ms; inclusive: at the limit it holds. */
export interface Facts {
  /** Data are there, whole, and not invalidated. */
  readonly readable: boolean;
  /** Until when the data count as fresh. */
  readonly expiresAt: number;
  readonly invalidIfStale: boolean;
  readonly failure: { readonly hard: boolean; readonly expiresAt: number } | undefined;
}

/*
 *   readable   failure              data         state
 *   ─────────────────────────────────────────────────────────────
 *   no         none, or expired     any          invalid
 *   no         remembered           any          valid    (the error is shown)
 *   yes        hard, remembered     any          valid    (the error is shown)
 *   yes        hard, expired        any          invalid  (a boundary was reset)
 *   yes        soft, remembered     any          valid    (the data are shown, nobody asks again yet)
 *   yes        none, or soft exp.   fresh        valid
 *   yes        none, or soft exp.   expired      stale, or invalid with invalidIfStale
 */
export function freshness(facts: Facts, now: number): Freshness {
  const { readable, failure } = facts;
  if (failure !== undefined && now <= failure.expiresAt) return 'valid';
  if (!readable || failure?.hard === true) return 'invalid';
  if (now <= facts.expiresAt) return 'valid';
  return facts.invalidIfStale ? 'invalid' : 'stale';
}
