/** Reads the error of an endpoint, and never fetches. */
import type { UnknownError } from '../../src/store/results/Result.ts';
import { createMemo } from 'solid-js';
import type { Accessor } from 'solid-js';
import type { ReadEndpoint } from '../../src/endpoint/Endpoint.ts';
import type { NullableArgs } from '../EmptyOf.ts';
import { liveResult } from '../../src/live/liveResult.ts';
import { readTracked } from './trackInSolid.ts';
import { activeRead } from './createQueryHandle.ts';
import type { Params } from './createQueryHandle.ts';
import { useReadingController } from './Provider.ts';

/**
 * The error that `useSuspense` would throw; undefined without an error: there are data, or nothing was fetched.
 * Arguments are functions, as with `useSuspense`.
 */
export function useError<E extends ReadEndpoint>(
  endpoint: E,
  ...params: Params<NullableArgs<E>>
): Accessor<UnknownError | undefined> {
  const controller = useReadingController('useError', endpoint);
  const stay = createMemo(() => activeRead(controller, endpoint, params as Accessor<unknown>[]));
  return createMemo(() => (stay().failed ?? readTracked(liveResult(stay().reader))).error);
}
