/** Reads the status of an endpoint, and never fetches. */
import type { ReadEndpoint } from '../../src/endpoint/Endpoint.ts';
import type { Status } from '../../src/view/Status.ts';
import type { NullableArgs } from '../EmptyOf.ts';
import { createStatus } from '../solid-shared/SolidRuntime.ts';
import type { Params } from '../solid-shared/SolidRuntime.ts';
import { solidRuntime } from './solidRuntime.ts';

/**
 * `{isFetching, isStale, fetchedAt, error}` of the request, as an object with tracked members; must not be
 * destructured. No request is sent. Arguments are functions, as with `useSuspense`; null, a server, and hydration
 * return the status without a request.
 */
export function useStatus<E extends ReadEndpoint>(
  endpoint: E,
  ...params: Params<NullableArgs<E>>
): Status {
  return createStatus(solidRuntime, endpoint, params);
}
