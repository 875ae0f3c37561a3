/** Reads the stored data of an endpoint, and never fetches. */
import type { DataOf } from '../../src/Controller.ts';
import type { ReadEndpoint } from '../../src/endpoint/Endpoint.ts';
import { liveResult } from '../../src/live/liveResult.ts';
import { dataOf } from '../../src/store/StorePort.ts';
import { dataOrEmpty } from '../EmptyOf.ts';
import type { CachedOf, NullableArgs } from '../EmptyOf.ts';
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
