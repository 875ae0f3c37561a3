/** A mutation that is not going to be sent, as it has been merged with another one. */
import { rollback } from '../fetch/applyOptimistic.ts';
import { requestEvent } from '../fetch/commit.ts';
import type { FetchContext } from '../fetch/FetchContext.ts';
import type { InFlightRequest } from '../fetch/InFlightRequest.ts';

/** The reason of callers: a creation that was deleted before it was sent has no entity to give. */
export function cancelReason(): Error {
  const error = new Error('it was merged with a later mutation of the entity');
  return Object.assign(error, { name: 'AbortError' });
}

/** Ends the request as one that has not happened. A deletion resolves: the entity is not there. */
export function cancelRequest(desk: FetchContext, request: InFlightRequest): void {
  const reason = cancelReason();
  const { method } = request.endpoint as { readonly method?: string };
  desk.inflight.settle(request, () => {
    rollback(desk, request, reason);
    desk.events.emit('abort', () => ({ ...requestEvent(request), reason }));
    if (method?.toUpperCase() === 'DELETE') return undefined;
    throw reason;
  });
}
