/** Polls an endpoint while the component is mounted. */
import type { ReadEndpoint } from '../../src/endpoint/Endpoint.ts';
import type { NullableArgs } from '../EmptyOf.ts';
import { usePolling } from '../FrameworkHooks.ts';
import { preactHooks } from './preactHooks.ts';
import { useController } from './Provider.ts';

/** Refetches every `pollFrequency` ms of the endpoint, except while the page is hidden or offline. Returns no data. */
export function useSubscription<E extends ReadEndpoint>(
  endpoint: E,
  ...args: NullableArgs<E>
): void {
  usePolling(preactHooks, useController('useSubscription'), endpoint, args);
}
