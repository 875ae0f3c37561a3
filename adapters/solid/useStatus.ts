/** Reads the status of an endpoint, and never fetches. */
import { createMemo } from 'solid-js';
import type { Accessor } from 'solid-js';
import type { ReadEndpoint } from '../../src/endpoint/Endpoint.ts';
import type { NullableArgs } from '../EmptyOf.ts';
import { NO_STATUS, statusOf } from '../../src/view/Status.ts';
import type { Status } from '../../src/view/Status.ts';
import { tracked } from '../tracked.ts';
import { readTracked } from './trackInSolid.ts';
import { createHydrating } from './createHydrating.ts';
import { activeRead } from './createQueryHandle.ts';
import type { Params } from './createQueryHandle.ts';
import { useReadingController } from './Provider.ts';

/**
 * `{isFetching, isStale, fetchedAt, error}` of the request, as an object with tracked members; must not be
 * destructured. No request is sent. Arguments are functions, as with `useSuspense`; null, a server, and hydration
 * return the status without a request.
 */
export function useStatus<E extends ReadEndpoint>(
  endpoint: E,
  ...params: Params<NullableArgs<E>>
): Status {
  const controller = useReadingController('useStatus', endpoint);
  const hydrating = createHydrating();
  const stay = createMemo(() => activeRead(controller, endpoint, params as Accessor<unknown>[]));
  const status = createMemo(() => {
    const { reader, failed } = stay();
    if (hydrating()) return NO_STATUS;
    const now = readTracked(statusOf(controller, reader));
    return failed === undefined ? now : { ...now, error: failed.error };
  });
  return tracked(status, Object.keys(NO_STATUS) as (keyof Status)[]);
}
