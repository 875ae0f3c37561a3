/** Reads the error of an endpoint, and never fetches. */
import type { UnknownError } from '../../src/store/results/Result.ts';
import type { ReadEndpoint } from '../../src/endpoint/Endpoint.ts';
import type { NullableArgs } from '../EmptyOf.ts';
import { liveResult } from '../../src/live/liveResult.ts';
import { readTracked } from './trackInSolid.ts';
import { createObserver } from './createQueryHandle.ts';
import type { Params } from './createQueryHandle.ts';
import { createMemo } from './solid.ts';
import type { Accessor } from './solid.ts';

/**
 * The error that `useSuspense` would throw; undefined without an error: there are data, or nothing was fetched.
 * Arguments are functions, as with `useSuspense`.
 */
export function useError<E extends ReadEndpoint>(
  endpoint: E,
  ...params: Params<NullableArgs<E>>
): Accessor<UnknownError | undefined> {
  const reader = createObserver('useError', endpoint, params);
  // changes of data do not notify readers of the error
  return createMemo(() => readTracked(liveResult(reader())).error);
}
