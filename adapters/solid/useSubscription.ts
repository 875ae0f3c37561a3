/** Polls an endpoint while its owner lives. */
import { createEffect, createMemo, onCleanup, untrack } from 'solid-js';
import type { Accessor } from 'solid-js';
import type { ReadEndpoint } from '../../src/endpoint/Endpoint.ts';
import type { NullableArgs } from '../EmptyOf.ts';
import { keepPolling } from '../keepPolling.ts';
import { activeRead } from './createQueryHandle.ts';
import type { Params } from './createQueryHandle.ts';
import { useReadingController } from './Provider.ts';

/**
 * Fetches every `pollFrequency` ms of the endpoint, and at the start if the stored data are older than that, except
 * while the page is hidden or offline. Returns no data. Arguments are functions, as with `useSuspense`. Without a
 * `pollFrequency`, and with null as first argument, nothing is sent.
 */
export function useSubscription<E extends ReadEndpoint>(
  endpoint: E,
  ...params: Params<NullableArgs<E>>
): void {
  const controller = useReadingController('useSubscription', endpoint);
  const stay = createMemo(() => activeRead(controller, endpoint, params as Accessor<unknown>[]));
  createEffect(() => {
    const { args } = stay();
    onCleanup(untrack(() => keepPolling(controller, endpoint, args)));
  });
}
