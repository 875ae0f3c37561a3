/** Reads the status of an endpoint, and never fetches. */
import type { ArgsOf } from '../../src/Controller.ts';
import type { ReadEndpoint } from '../../src/endpoint/Endpoint.ts';
import type { NullableArgs } from '../EmptyOf.ts';
import { NO_STATUS, statusOf } from '../../src/view/Status.ts';
import type { Status } from '../../src/view/Status.ts';
import { useControllerFor } from './Provider.ts';
import { useSignalValue } from './useSignalValue.ts';

/**
 * `{isFetching, isStale, fetchedAt, error}` of `endpoint(...args)`: the component re-renders when one of these changes,
 * not when data change. No request is sent. Null as first argument, a server, and hydration return the status without a
 * request.
 */
export function useStatus<E extends ReadEndpoint>(endpoint: E, ...args: NullableArgs<E>): Status {
  const controller = useControllerFor('useStatus');
  const reader = controller.view(endpoint, ...(args as ArgsOf<E>));
  return useSignalValue(statusOf(controller, reader), NO_STATUS);
}
