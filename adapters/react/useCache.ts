/** Reads the stored data of an endpoint, and never fetches. */
import type { ArgsOf, DataOf } from '../../src/Controller.ts';
import type { ReadEndpoint } from '../../src/endpoint/Endpoint.ts';
import { dataOf } from '../../src/store/StorePort.ts';
import { dataOrEmpty } from '../EmptyOf.ts';
import type { CachedOf, NullableArgs } from '../EmptyOf.ts';
import { useControllerFor } from './Provider.ts';
import { fullResult, useResult } from './concurrent/useResult.ts';
import { useId } from 'react';

/**
 * The data of `endpoint(...args)` if there are any; else undefined, or the empty value of a schema that is an object.
 * Null as first argument returns the schema's empty value, also that of a list. Errors of requests are not thrown,
 * exceptions of the schema's own functions are.
 */
export function useCache<E extends ReadEndpoint>(
  endpoint: E,
  ...args: NullableArgs<E>
): DataOf<E> | CachedOf<E['schema']> {
  const controller = useControllerFor('useCache');
  const reader = controller.view(endpoint, ...(args as ArgsOf<E>));
  return dataOrEmpty(
    endpoint,
    dataOf(useResult(controller, reader, fullResult, useId()).result),
  ) as DataOf<E>;
}
