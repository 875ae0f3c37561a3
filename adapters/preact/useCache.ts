/** Reads of what is stored or in flight, which never fetch: data, error, status. */
import { useMemo } from 'preact/hooks';
import type { DataOf } from '../../src/Controller.ts';
import type { ReadEndpoint } from '../../src/endpoint/Endpoint.ts';
import type { UnknownError } from '../../src/errors.ts';
import { liveResult } from '../../src/live/liveResult.ts';
import { isServer } from '../../src/page.ts';
import type { KeyTest } from '../../src/request/Events.ts';
import { computed } from '../../src/signals.ts';
import { dataOf } from '../../src/store/StorePort.ts';
import { FetchingCountCell, NO_STATUS, statusOf } from '../../src/view/Status.ts';
import type { Status } from '../../src/view/Status.ts';
import { dataOrEmpty } from '../EmptyOf.ts';
import type { CachedOf, NullableArgs } from '../EmptyOf.ts';
import { checkSignalsCopy } from '../FrameworkHooks.ts';
import { useController } from './Provider.ts';
import { useLiveData, useReader, useShownResult, useTracking } from './useQueryHandle.ts';

/**
 * The live data of `endpoint(...args)` if there are any; else undefined, or the empty value of a schema that is an
 * object. Null as first argument returns the schema's empty value, also that of a list. Errors of requests are not
 * thrown, exceptions of the schema's own functions are.
 */
export function useCache<E extends ReadEndpoint>(
  endpoint: E,
  ...args: NullableArgs<E>
): DataOf<E> | CachedOf<E['schema']> {
  useTracking();
  const reader = useReader('useCache', endpoint, args);
  const data = dataOf(useShownResult(reader, liveResult(reader).value));
  return useLiveData(dataOrEmpty(endpoint, data)) as DataOf<E>;
}

/** The error that `useSuspense` would throw; undefined without an error: there are data, or nothing was fetched. */
export function useError<E extends ReadEndpoint>(
  endpoint: E,
  ...args: NullableArgs<E>
): UnknownError | undefined {
  useTracking();
  const reader = useReader('useError', endpoint, args);
  // changes of data do not notify readers of the error
  const error = useMemo(() => computed(() => liveResult(reader).value.error), [reader]);
  return error.value;
}

/**
 * `{isFetching, isStale, fetchedAt, error}` of `endpoint(...args)`: the component re-renders when a member of the
 * status changes, not when data change. No request is sent. Null as first argument, and a server, return the status
 * without a request.
 */
export function useStatus<E extends ReadEndpoint>(endpoint: E, ...args: NullableArgs<E>): Status {
  useTracking();
  const reader = useReader('useStatus', endpoint, args);
  const status = statusOf(useController(), reader);
  return isServer() ? NO_STATUS : status.value;
}

/** How many reads are in flight, of `endpoint` or of all endpoints; 0 on a server. */
export function useIsFetching(endpoint?: KeyTest): number {
  checkSignalsCopy('@preact/signals');
  useTracking();
  const controller = useController('useIsFetching');
  const count = useMemo(() => new FetchingCountCell(controller, endpoint), [controller, endpoint]);
  return isServer() ? 0 : count.value;
}
