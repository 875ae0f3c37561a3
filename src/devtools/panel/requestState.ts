/** How a request stands, as its readers would find it. */
import type { FetchContext } from '../../fetch/FetchContext.ts';
import { expiryOf } from '../../store/expiryOf.ts';
import { DIRTY } from '../../store/flags.ts';
import type { ResultRecord } from '../../store/ResultRecord.ts';

/*
 *   on its way   an error   data         state
 *   ─────────────────────────────────────────────────────────────────
 *   yes          any        any          in flight
 *   no           yes        any          error
 *   no           no         none, or invalidated    invalid
 *   no           no         expired      stale
 *   no           no         fresh        valid
 */
export const states = ['in flight', 'error', 'invalid', 'stale', 'valid'] as const;

export type RequestState = (typeof states)[number];

export function requestState(
  record: ResultRecord,
  { inflight, clock }: FetchContext,
): RequestState {
  if (inflight.has(record.key)) return 'in flight';
  if (record.failure !== undefined) return 'error';
  if (record.invalidatedAt !== undefined || !hasData(record)) return 'invalid';
  const now = clock.now();
  return now <= expiryOf(record, now) ? 'valid' : 'stale';
}

/** What is not built yet counts as there: building it would be to read it. */
function hasData({ node, flags, shown }: ResultRecord): boolean {
  return node !== undefined && (shown || (flags & DIRTY) !== 0);
}
