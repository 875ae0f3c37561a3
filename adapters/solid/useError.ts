/** Reads the error of an endpoint, and never fetches. */
import { createMemo } from 'solid-js';
import type { Accessor } from 'solid-js';
import type { ReadEndpoint } from '../../src/endpoint/Endpoint.ts';
import type { NullableArgs } from '../EmptyOf.ts';
import { liveResult } from '../../src/live/liveResult.ts';
import { look } from './bridge.ts';
import { stayAt } from './createReading.ts';
import type { Params } from './createReading.ts';
import { useReadingController } from './Provider.ts';

/**
 * The error that `useSuspense` would throw; undefined without an error: there are data, or nothing was fetched.
 * Arguments are functions, as with `useSuspense`.
 */
export function useError<E extends ReadEndpoint>(
  endpoint: E,
  ...params: Params<NullableArgs<E>>
): Accessor<Error | undefined> {
  const controller = useReadingController('useError', endpoint);
  const stay = createMemo(() => stayAt(controller, endpoint, params as Accessor<unknown>[]));
  return createMemo(() => (stay().failed ?? look(liveResult(stay().reader))).error);
}
