/** When what arrives now was known to be true, and until when it counts: answers, pushes, errors. */
import type { EndpointInterface, Policies } from '../endpoint/Endpoint.ts';
import type { Stamp } from '../store/order.ts';
import type { Failure, ResultRecord } from '../store/ResultRecord.ts';
import type { Asked } from './Asked.ts';
import type { Desk } from './Desk.ts';
import { freshFor, settle } from './settle.ts';

/** When data that arrive now arrived, and when they expire. */
export function lifeOf(
  { clock, policies }: Desk,
  own: Policies,
): Pick<Stamp, 'fetchedAt' | 'expiresAt'> {
  const fetchedAt = clock.now();
  return { fetchedAt, expiresAt: fetchedAt + freshFor(own, policies) };
}

export function stampOf(desk: Desk, asked: Asked, result?: ResultRecord): Stamp {
  const { endpoint, args, issued } = asked;
  const { store } = desk;
  const { fetchedAt, expiresAt } = lifeOf(desk, endpoint);
  const confirmed = store.tick();
  if (result !== undefined) {
    // asked before an own write was confirmed: it may be shown, and must be asked again
    const late = issued <= store.horizon(result);
    return { time: issued, fetchedAt, expiresAt: late ? 0 : expiresAt };
  }
  const body: unknown = args.at(-1);
  const names = body !== null && typeof body === 'object' ? Object.keys(body) : [];
  return { time: issued, own: new Set(names), ownTime: confirmed, fetchedAt, expiresAt };
}

/** An error as the store remembers it: shown as its policies say, until it expires. `time` is logical. */
export function failureOf(
  { clock, policies }: Desk,
  endpoint: EndpointInterface,
  error: Error & { readonly status?: number },
  time: number,
): Failure {
  const { hard, errorExpiryLength } = settle(endpoint, policies);
  return { error, hard: hard(error), time, expiresAt: clock.now() + errorExpiryLength };
}
