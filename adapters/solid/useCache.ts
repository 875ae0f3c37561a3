/** Reads the stored data of an endpoint, and never fetches. */
import type { DataOf } from '../../src/Controller.ts';
import type { ReadEndpoint } from '../../src/endpoint/Endpoint.ts';
import type { CachedOf, NullableArgs } from '../EmptyOf.ts';
import { createCachedData } from '../solid-shared/SolidRuntime.ts';
import type { Accessor, Params } from '../solid-shared/SolidRuntime.ts';
import { solidRuntime } from './solidRuntime.ts';

/**
 * The live data if there are any; else undefined, or the empty value of a schema that is an object. Arguments are
 * functions, as with `useSuspense`; null as first argument gives the schema's empty value, also that of a list. Errors
 * of requests are not thrown, exceptions of the schema's own functions are.
 */
export function useCache<E extends ReadEndpoint>(
  endpoint: E,
  ...params: Params<NullableArgs<E>>
): Accessor<DataOf<E> | CachedOf<E['schema']>> {
  return createCachedData(solidRuntime, endpoint, params) as Accessor<DataOf<E>>;
}
