/** Starts the read of an endpoint without waiting for it. */
import type { ReadEndpoint } from '../../src/endpoint/Endpoint.ts';
import type { NullableArgs } from '../EmptyOf.ts';
import type { Ready } from '../../src/view/Ready.ts';
import { createReading } from './createReading.ts';
import type { Params } from './createReading.ts';
import type { Accessor } from './solid.ts';

/**
 * Asks as `useSuspense` would, and suspends nobody: for what is read further below. The promise is the one that readers
 * wait for; it never rejects. Arguments are functions, as with `useSuspense`.
 */
export function useFetch<E extends ReadEndpoint>(
  endpoint: E,
  ...params: Params<NullableArgs<E>>
): Accessor<Ready> {
  const { reader, wait } = createReading('useFetch', endpoint, params, false);
  return () => wait().ready ?? reader().ready;
}
