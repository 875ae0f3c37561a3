/** A mutation that is not going to be sent, as it has been merged with another one. */
import type { Asked } from '../fetch/Asked.ts';
import { requestOf } from '../fetch/commit.ts';
import type { Desk } from '../fetch/Desk.ts';
import { rollBack } from '../fetch/foretell.ts';

/** The reason of callers: a creation that was deleted before it was sent has no entity to give. */
export function cancelReason(): Error {
  const error = new Error('it was merged with a later mutation of the entity');
  return Object.assign(error, { name: 'AbortError' });
}

/** Ends the request as one that has not happened. A deletion resolves: the entity is not there. */
export function cancelRequest(desk: Desk, asked: Asked): void {
  const reason = cancelReason();
  const { method } = asked.endpoint as { readonly method?: string };
  asked.end(() => {
    desk.inflight.end(asked);
    rollBack(desk, asked, reason);
    desk.events.emit('abort', () => ({ ...requestOf(asked), reason }));
    if (method?.toUpperCase() === 'DELETE') return undefined;
    throw reason;
  }, undefined);
}
