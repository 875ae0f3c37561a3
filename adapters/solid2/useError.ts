/** Reads the error of an endpoint, and never fetches. */
import type { ReadEndpoint } from '../../src/endpoint/Endpoint.ts';
import type { NullableArgs } from '../EmptyOf.ts';
import { liveResult } from '../../src/live/liveResult.ts';
import { look } from './bridge.ts';
import { createReader } from './createReading.ts';
import type { Params } from './createReading.ts';
import { createMemo } from './solid.ts';
import type { Accessor } from './solid.ts';

/**
 * The error that `useSuspense` would throw; undefined without an error: there are data, or nothing was fetched.
 * Arguments are functions, as with `useSuspense`.
 */
export function useError<E extends ReadEndpoint>(
  endpoint: E,
  ...params: Params<NullableArgs<E>>
): Accessor<Error | undefined> {
  const reader = createReader('useError', endpoint, params);
  // changes of data do not notify readers of the error
  return createMemo(() => look(liveResult(reader())).error);
}
