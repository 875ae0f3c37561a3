/** Polls an endpoint while its owner lives. */
import type { ReadEndpoint } from '../../src/endpoint/Endpoint.ts';
import type { NullableArgs } from '../EmptyOf.ts';
import { createPolling } from '../solid-shared/SolidRuntime.ts';
import type { Params } from '../solid-shared/SolidRuntime.ts';
import { solidRuntime } from './solidRuntime.ts';

/**
 * Fetches every `pollFrequency` ms of the endpoint, and at the start if the stored data are older than that, except
 * while the page is hidden or offline. Returns no data. Arguments are functions, as with `useSuspense`. Without a
 * `pollFrequency`, and with null as first argument, nothing is sent.
 */
export function useSubscription<E extends ReadEndpoint>(
  endpoint: E,
  ...params: Params<NullableArgs<E>>
): void {
  createPolling(solidRuntime, endpoint, params);
}
