/** A request that was issued goes out; what its callers wait for is made. */
import { soon } from '../clock.ts';
import { DEV } from '../diagnostics.ts';
import { isTemporary, issuesKeys } from '../schema/EntityPlan.ts';
import { swapKeys } from '../schema/swapKeys.ts';
import { ignore } from './Asked.ts';
import type { Asked, Become } from './Asked.ts';
import { unnamed } from './Creations.ts';
import type { Desk } from './Desk.ts';
import { fail } from './fail.ts';
import { rollBack } from './foretell.ts';
import { retry } from './retry.ts';

/**
 * A reset or an abort settles it at once, whatever the network does. However often it is sent, it is the one request of
 * its first issue: what it brings may be newer than that, never older, and a read that was issued before an invalidation
 * or an own write is neither joined nor believed after it, also where a later attempt is answered.
 */
export function begin(desk: Desk, asked: Asked): void {
  asked.promise = new Promise((resolve, reject) => {
    const end = (become: Become, outcome: unknown) => {
      asked.forget();
      try {
        resolve(become(desk, asked, outcome));
      } catch (error) {
        reject(error);
      }
    };
    asked.end = end;
    asked.cancel = (reason) => {
      // what the network says does not matter any more
      asked.cancel = asked.end = ignore;
      // what an abort takes back, it takes back at once; a reset empties everything itself
      if (asked.aborted) rollBack(desk, asked, reason);
      void soon(() => end(fail, reason));
    };
  });
  // a listener to the request may have ended it
  if (asked.lost !== undefined) return asked.cancel(asked.lost);
  const named = desk.creations.real(asked.args);
  if (named === undefined) return leave(desk, asked);
  // with the server's primary keys in the place of ours as soon as they are known
  asked.waits = true;
  named.then(
    (real) => {
      asked.waits = false;
      asked.args = real;
      leave(desk, asked);
    },
    (reason) => asked.end(fail, reason),
  );
}

/** No server knows our keys: none that was forgotten, or comes from another page, leaves it. */
function leave(desk: Desk, asked: Asked): void {
  const found: string[] = [];
  if (issuesKeys()) swapKeys(asked.args, (key) => void (isTemporary(key) && found.push(key)));
  const [pk] = found;
  if (pk === undefined) return retry(desk, asked);
  const reason = DEV ? 'its creation is not known here' : 'unknown';
  void soon(() => asked.end(fail, unnamed(pk, reason)));
}
