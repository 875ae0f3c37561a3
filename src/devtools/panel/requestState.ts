/** The state of a request, as its readers see it. */
import type { FetchContext } from '../../request/FetchContext.ts';
import { expiryOf } from '../../store/results/expiryOf.ts';
import { DIRTY } from '../../store/records/flags.ts';
import type { ResultRecord } from '../../store/results/ResultRecord.ts';

/*
 *   in flight    an error   data         state
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

/** Data that are not built yet count as present, because building them would count as a read. */
function hasData({ node, flags, wasReadable }: ResultRecord): boolean {
  return node !== undefined && (wasReadable || (flags & DIRTY) !== 0);
}
