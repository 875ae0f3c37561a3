/** Polls an endpoint while the component is mounted. */
import type { ReadEndpoint } from '../../src/endpoint/Endpoint.ts';
import type { NullableArgs } from '../EmptyOf.ts';
import { usePolling } from '../hooks.ts';
import { lent } from './lent.ts';
import { useController } from './Provider.ts';

/** Asks again every `pollFrequency` ms of the endpoint, not while the page is hidden or offline. It reads nothing. */
export function useSubscription<E extends ReadEndpoint>(
  endpoint: E,
  ...args: NullableArgs<E>
): void {
  usePolling(lent, useController('useSubscription'), endpoint, args);
}
