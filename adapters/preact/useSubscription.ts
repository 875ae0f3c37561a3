/** Polls an endpoint while the component is mounted. */
import type { ReadEndpoint } from '../../src/endpoint/Endpoint.ts';
import type { NullableArgs } from '../EmptyOf.ts';
import { usePolling } from '../keepPolling.ts';
import { preactHooks } from './preactHooks.ts';
import { useController } from './Provider.ts';

/**
 * Fetches every `pollFrequency` ms of the endpoint, and at mount if the stored data are older than that, except while
 * the page is hidden or offline. Returns no data. Without a `pollFrequency`, and with null as first argument, nothing
 * is sent.
 */
export function useSubscription<E extends ReadEndpoint>(
  endpoint: E,
  ...args: NullableArgs<E>
): void {
  usePolling(preactHooks, useController('useSubscription'), endpoint, args);
}
