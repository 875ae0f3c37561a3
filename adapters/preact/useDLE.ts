/** Reads an endpoint without suspending: data, loading, error. */
import type { DataOf } from '../../src/Controller.ts';
import type { EndpointInterface, ReadEndpoint } from '../../src/endpoint/Endpoint.ts';
import { liveResult } from '../../src/live/liveResult.ts';
import type { Reader, Ready } from '../../src/view/Reader.ts';
import { LOADING, toDLE } from '../DLE.ts';
import type { DLE } from '../DLE.ts';
import type { EmptyOf, NullableArgs } from '../EmptyOf.ts';
import { usePreviousData } from '../previousData.ts';
import { useController } from './Provider.ts';
import { preactHooks } from './preactHooks.ts';
import {
  useLiveData,
  useQueryHandle,
  useReader,
  useRetainedHandle,
  useShownResult,
} from './useQueryHandle.ts';
import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';

/** As `useSuspense`, but loading and errors are in the result. The data are live. */
export function useDLE<E extends ReadEndpoint>(endpoint: E, ...args: Parameters<E>): DLE<DataOf<E>>;
export function useDLE<E extends ReadEndpoint>(
  endpoint: E,
  ...args: NullableArgs<E>
): DLE<DataOf<E> | EmptyOf<E['schema']>>;
export function useDLE(endpoint: EndpointInterface, ...args: readonly unknown[]): DLE<unknown> {
  const handle = useQueryHandle(useReader('useDLE', endpoint, args), false);
  useRetainedHandle(handle);
  const result = useShownResult(handle.reader, liveResult(handle.visibleReader).value);
  useRenderWhenSettled([handle.wait]);
  const loading = handle.wait !== undefined || result.status === 'pending';
  useLiveData(loading ? undefined : result.data);
  const now: DLE<unknown> = loading ? LOADING : toDLE(result);
  const controller = useController('useDLE');
  const { reader } = handle;
  return usePreviousData(hooks, { controller, endpoint, reader, now });
}

/** The data that `reader` has, if there are any, tracked. */
function useFormerData(reader: Reader | undefined): DLE<unknown> | undefined {
  const result = reader && liveResult(reader).value;
  return result?.status === 'success' ? toDLE(result) : undefined;
}

// a call, unlike a spread, can be dropped with the constant
const hooks = Object.assign({ useFormerData }, preactHooks);

/** Re-renders when one of `waits` has settled, if the response did not do so: it may equal the data before. */
export function useRenderWhenSettled(waits: readonly (Ready | undefined)[]): void {
  const settledCount = useSignal(0);
  const latest = useRef(waits);
  latest.current = waits;
  void settledCount.value;
  const followed = useMemo(() => new WeakSet<Ready>(), []);
  useEffect(() => {
    for (const wait of waits) {
      if (wait === undefined || followed.has(wait)) continue;
      followed.add(wait);
      void wait.then(() => {
        if (latest.current.includes(wait)) settledCount.value++;
      });
    }
  });
}
