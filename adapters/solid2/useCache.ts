/** Reads the stored data of an endpoint, and never fetches. */
import type { DataOf } from '../../src/Controller.ts';
import type { ReadEndpoint } from '../../src/endpoint/Endpoint.ts';
import { dataOf } from '../../src/store/results/thrownResult.ts';
import { cached } from '../cached.ts';
import type { CachedOf, NullableArgs } from '../EmptyOf.ts';
import { createObserver, createShownResult } from './createQueryHandle.ts';
import type { Params } from './createQueryHandle.ts';
import type { Accessor } from './solid.ts';

/**
 * The live data if there are any; else undefined, or the empty value of a schema that is an object. Arguments are
 * functions, as with `useSuspense`; null as first argument gives the schema's empty value, also that of a list. Errors
 * of requests are not thrown, exceptions of the schema's own functions are.
 */
export function useCache<E extends ReadEndpoint>(
  endpoint: E,
  ...params: Params<NullableArgs<E>>
): Accessor<DataOf<E> | CachedOf<E['schema']>> {
  const seen = createShownResult(createObserver('useCache', endpoint, params));
  return () => cached(endpoint, dataOf(seen())) as DataOf<E>;
}
