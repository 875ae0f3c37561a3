/** Reads the error of an endpoint, and never fetches. */
import type { ReadEndpoint } from '../../src/endpoint/Endpoint.ts';
import type { UnknownError } from '../../src/errors.ts';
import { liveResult } from '../../src/live/liveResult.ts';
import { computed } from '../../src/signals.ts';
import type { NullableArgs } from '../EmptyOf.ts';
import { useReader, useTracking } from './useQueryHandle.ts';
import { useMemo } from 'preact/hooks';

/** The error that `useSuspense` would throw; undefined without an error: there are data, or nothing was fetched. */
export function useError<E extends ReadEndpoint>(
  endpoint: E,
  ...args: NullableArgs<E>
): UnknownError | undefined {
  useTracking();
  const reader = useReader('useError', endpoint, args);
  // changes of data do not notify readers of the error
  const error = useMemo(() => computed(() => liveResult(reader).value.error), [reader]);
  return error.value;
}
