/** Reads the status of an endpoint, and never fetches. */
import type { ReadEndpoint } from '../../src/endpoint/Endpoint.ts';
import { isServer } from '../../src/page.ts';
import type { NullableArgs } from '../EmptyOf.ts';
import { NO_STATUS, statusOf } from '../../src/view/Status.ts';
import type { Status } from '../../src/view/Status.ts';
import { useController } from './Provider.ts';
import { useReader, useTracking } from './useQueryHandle.ts';

/**
 * `{isFetching, isStale, fetchedAt, error}` of `endpoint(...args)`: the component re-renders when one of these changes,
 * not when data change. No request is sent. Null as first argument, and a server, return the status without a request.
 */
export function useStatus<E extends ReadEndpoint>(endpoint: E, ...args: NullableArgs<E>): Status {
  useTracking();
  const reader = useReader('useStatus', endpoint, args);
  const status = statusOf(useController(), reader);
  return isServer() ? NO_STATUS : status.value;
}
