/** Reads what is stored of an endpoint, and never asks. */
import type { DataOf } from '../../src/Controller.ts';
import type { EndpointInterface } from '../../src/endpoint/Endpoint.ts';
import { dataOf } from '../../src/store/thrownResult.ts';
import type { NullableArgs } from '../../src/view/EmptyOf.ts';
import { useReader, useTracking } from './useReading.ts';

/** The live data of `endpoint(...args)` where there are some to show, else undefined. */
export function useCache<E extends EndpointInterface>(
  endpoint: E,
  ...args: NullableArgs<E>
): DataOf<E> | undefined {
  useTracking();
  return dataOf(useReader('useCache', endpoint, args).live.value) as DataOf<E> | undefined;
}
