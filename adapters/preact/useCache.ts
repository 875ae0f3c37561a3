/** Reads what is stored of an endpoint, and never asks. */
import type { DataOf } from '../../src/Controller.ts';
import type { EndpointInterface } from '../../src/endpoint/Endpoint.ts';
import type { NullableArgs } from '../../src/view/EmptyOf.ts';
import { useReader, useSeen, useTracking } from './useReading.ts';

/** The live data of `endpoint(...args)` where there are some to show, else undefined. */
export function useCache<E extends EndpointInterface>(
  endpoint: E,
  ...args: NullableArgs<E>
): DataOf<E> | undefined {
  useTracking();
  const reader = useReader('useCache', endpoint, args);
  return useSeen(reader, reader.live.value).data as DataOf<E> | undefined;
}
