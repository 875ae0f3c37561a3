/** Starts the read of an endpoint without waiting for it. */
import type { ReadEndpoint } from '../../src/endpoint/Endpoint.ts';
import type { NullableArgs } from '../EmptyOf.ts';
import type { Ready } from '../../src/view/Ready.ts';
import { useReader, useReading, useShown } from './useReading.ts';

/**
 * `void useFetch(a); void useFetch(b);` above two `useSuspense` sends both at once. The promise is the one that they
 * wait for: stable, and it never rejects; errors are thrown by who reads.
 */
export function useFetch<E extends ReadEndpoint>(endpoint: E, ...args: NullableArgs<E>): Ready {
  const reading = useReading(useReader('useFetch', endpoint, args), true);
  useShown(reading);
  return reading.wait ?? reading.reader.ready;
}
