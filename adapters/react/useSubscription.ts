/** Polls an endpoint while the component is mounted. */
import { useEffect } from 'react';
import type { EndpointInterface } from '../../src/endpoint/Endpoint.ts';
import type { NullableArgs } from '../../src/view/EmptyOf.ts';
import { keepPolling } from '../../src/view/keepPolling.ts';
import { useLent } from './Provider.ts';

/** Asks again every `pollFrequency` ms of the endpoint, not while the page is hidden or offline. It reads nothing. */
export function useSubscription<E extends EndpointInterface>(
  endpoint: E,
  ...args: NullableArgs<E>
): void {
  const controller = useLent('useSubscription');
  const key = args[0] === null ? null : endpoint.key(...args);
  useEffect(
    () => keepPolling(controller, endpoint, args),
    // the key stands for endpoint and arguments, which may be made anew for each render
    // eslint-disable-next-line react/exhaustive-deps
    [controller, key, endpoint.pollFrequency],
  );
}
