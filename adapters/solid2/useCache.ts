/** Reads what is stored of an endpoint, and never asks. */
import type { DataOf } from '../../src/Controller.ts';
import type { EndpointInterface } from '../../src/endpoint/Endpoint.ts';
import { dataOf } from '../../src/store/thrownResult.ts';
import type { NullableArgs } from '../../src/view/EmptyOf.ts';
import { look } from './bridge.ts';
import { createReader } from './createReading.ts';
import type { Params } from './createReading.ts';
import type { Accessor } from './solid.ts';

/** The live data where there are some to show, else undefined. Arguments are functions, as with `useSuspense`. */
export function useCache<E extends EndpointInterface>(
  endpoint: E,
  ...params: Params<NullableArgs<E>>
): Accessor<DataOf<E> | undefined> {
  const reader = createReader('useCache', endpoint, params);
  return () => dataOf(look(reader().live)) as DataOf<E> | undefined;
}
