/** Polls an endpoint while the component is mounted. */
import type { ReadEndpoint } from '../../src/endpoint/Endpoint.ts';
import type { NullableArgs } from '../EmptyOf.ts';
import { usePolling } from '../FrameworkHooks.ts';
import { useControllerFor } from './Provider.ts';
import { ScreenContext } from './ScreenContext.ts';
import { useContext } from './react.ts';

/** Refetches every `pollFrequency` ms of the endpoint, except while the page is hidden or offline. Returns no data. */
export function useSubscription<E extends ReadEndpoint>(
  endpoint: E,
  ...args: NullableArgs<E>
): void {
  usePolling(useContext(ScreenContext), useControllerFor('useSubscription'), endpoint, args);
}
