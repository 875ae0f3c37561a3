/** Ends a mutation that is not going to be sent, because another mutation includes it. */
import { requestEvent } from '../request/commit.ts';
import type { FetchContext } from '../request/FetchContext.ts';
import type { InFlightRequest } from '../request/InFlightRequest.ts';
import { settle } from '../request/settle.ts';

/** The error for callers: a creation that was deleted before it was sent has no entity to return. */
export function cancelReason(): Error {
  const error = new Error('it was merged with a later mutation of the entity');
  return Object.assign(error, { name: 'AbortError' });
}

/** Ends the request like an aborted one. A deletion resolves: the entity does not exist. */
export function cancelRequest(context: FetchContext, request: InFlightRequest): void {
  const reason = cancelReason();
  const { method } = request.endpoint as { readonly method?: string };
  settle(context, request, () => {
    context.optimistic?.rollback(context, request, reason);
    context.events?.emit('abort', () => ({ ...requestEvent(request), reason }));
    if (method?.toUpperCase() === 'DELETE') return undefined;
    throw reason;
  });
}
