/** Refetches mounted results. */
import type { ResultRecord } from '../store/ResultRecord.ts';
import type { InFlightRequest } from './InFlightRequest.ts';
import type { FetchContext } from './FetchContext.ts';

/** Makes each mounted view of these results refetch. */
export function revalidate(
  { store, activeViews }: FetchContext,
  results: ReadonlySet<ResultRecord>,
): void {
  if (results.size === 0) return;
  for (const view of activeViews) {
    if (results.has(store.results.get(view.key) as ResultRecord)) view.revalidate();
  }
}

/** Refetches `result` for its mounted views if an `update` changed it after this response was requested. */
export function refetchIfUpdated(
  context: FetchContext,
  { issued }: InFlightRequest,
  result: ResultRecord,
): void {
  if (issued < result.updateAppliedAt) revalidate(context, new Set([result]));
}
