/** Polls an endpoint while its owner lives. */
import type { ReadEndpoint } from '../../src/endpoint/Endpoint.ts';
import type { NullableArgs } from '../EmptyOf.ts';
import { keepPolling } from '../keepPolling.ts';
import type { Params } from './createQueryHandle.ts';
import { useReadingContext } from './Provider.ts';
import { createEffect } from './solid.ts';
import type { Accessor } from './solid.ts';

/**
 * Fetches every `pollFrequency` ms of the endpoint, and at the start if the stored data are older than that, except
 * while the page is hidden or offline. Returns no data. Arguments are functions, as with `useSuspense`. Without a
 * `pollFrequency`, and with null as first argument, nothing is sent.
 */
export function useSubscription<E extends ReadEndpoint>(
  endpoint: E,
  ...params: Params<NullableArgs<E>>
): void {
  const { controller } = useReadingContext('useSubscription', endpoint);
  createEffect(
    () => (params as readonly Accessor<unknown>[]).map((param) => param()),
    (args) => keepPolling(controller, endpoint, args),
  );
}
