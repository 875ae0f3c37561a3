/** Reads the status of an endpoint, and never fetches. */
import type { ReadEndpoint } from '../../src/endpoint/Endpoint.ts';
import { isServer } from '../../src/page.ts';
import type { NullableArgs } from '../EmptyOf.ts';
import { NO_STATUS, statusOf } from '../../src/view/Status.ts';
import type { Status } from '../../src/view/Status.ts';
import { tracked } from '../tracked.ts';
import { readTracked } from './trackInSolid.ts';
import { createObserver } from './createQueryHandle.ts';
import type { Params } from './createQueryHandle.ts';
import { useReadingContext } from './Provider.ts';
import { createMemo } from './solid.ts';

/**
 * `{isFetching, isStale, fetchedAt, error}` of the request, as an object with tracked members; must not be
 * destructured. No request is sent. Arguments are functions, as with `useSuspense`; null, and a server, return the
 * status without a request.
 */
export function useStatus<E extends ReadEndpoint>(
  endpoint: E,
  ...params: Params<NullableArgs<E>>
): Status {
  const { controller } = useReadingContext('useStatus', endpoint);
  const reader = createObserver('useStatus', endpoint, params);
  const status = createMemo(() =>
    isServer() ? NO_STATUS : readTracked(statusOf(controller, reader())),
  );
  return tracked(status, Object.keys(NO_STATUS) as (keyof Status)[]);
}
