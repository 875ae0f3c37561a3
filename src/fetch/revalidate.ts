/** Refetches what is mounted. */
import type { ResultRecord } from '../store/ResultRecord.ts';
import type { InFlightRequest } from './InFlightRequest.ts';
import type { FetchContext } from './FetchContext.ts';

/** Requests for these results are sent again by the views that show them. */
export function revalidate(
  { store, activeViews }: FetchContext,
  results: ReadonlySet<ResultRecord>,
): void {
  if (results.size === 0) return;
  for (const view of activeViews) {
    if (results.has(store.results.get(view.key) as ResultRecord)) view.revalidate();
  }
}

/** Fetches what is shown of `result` again, where its response was requested before an `update` changed it. */
export function refetchAmended(
  context: FetchContext,
  { issued }: InFlightRequest,
  result: ResultRecord,
): void {
  if (issued < result.amendedAt) revalidate(context, new Set([result]));
}
