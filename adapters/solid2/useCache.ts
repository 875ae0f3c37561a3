/** Reads what is stored of an endpoint, and never asks. */
import type { DataOf } from '../../src/Controller.ts';
import type { EndpointInterface } from '../../src/endpoint/Endpoint.ts';
import type { NullableArgs } from '../../src/view/EmptyOf.ts';
import { createReader, createSeen } from './createReading.ts';
import type { Params } from './createReading.ts';
import type { Accessor } from './solid.ts';

/** The live data where there are some to show, else undefined. Arguments are functions, as with `useSuspense`. */
export function useCache<E extends EndpointInterface>(
  endpoint: E,
  ...params: Params<NullableArgs<E>>
): Accessor<DataOf<E> | undefined> {
  const seen = createSeen(createReader('useCache', endpoint, params));
  return () => seen().data as DataOf<E> | undefined;
}
