/** Reads an endpoint without suspending: data, loading, error. */
import type { ArgsOf, DataOf } from '../../src/Controller.ts';
import type { EndpointInterface, ReadEndpoint } from '../../src/endpoint/Endpoint.ts';
import { noop } from '../../src/request/promiseTry.ts';
import type { Reader, Ready } from '../../src/view/Reader.ts';
import { LOADING, toDLE } from '../DLE.ts';
import type { DLE } from '../DLE.ts';
import type { EmptyOf, NullableArgs } from '../EmptyOf.ts';
import { usePreviousData } from '../previousData.ts';
import { useControllerFor } from './Provider.ts';
import {
  fullResult,
  suspensePromise,
  useIsHydrating,
  useResult,
  useRetain,
} from './concurrent/useResult.ts';
import { useEffect, useInsertionEffect, useState, useSyncExternalStore } from './react.ts';
import { reactHooks } from './reactHooks.ts';
import { useCallback, useId } from 'react';

/**
 * `{data, loading, error}` of `endpoint(...args)`, without suspending or throwing: data and error as stored, `loading`
 * before the first data. Missing or stale data are fetched. Null as first argument sends no request, and `data` is the
 * schema's empty value.
 */
export function useDLE<E extends ReadEndpoint>(endpoint: E, ...args: Parameters<E>): DLE<DataOf<E>>;
export function useDLE<E extends ReadEndpoint>(
  endpoint: E,
  ...args: NullableArgs<E>
): DLE<DataOf<E> | EmptyOf<E['schema']>>;
export function useDLE(endpoint: EndpointInterface, ...args: readonly unknown[]): DLE<unknown> {
  const controller = useControllerFor('useDLE');
  const reader = controller.view(endpoint, ...(args as ArgsOf<EndpointInterface>));
  const shown = useResult(controller, reader, fullResult, useId());
  // on a server nothing would render the response: missing data are fetched when the page is hydrated
  const fetches = !useIsHydrating();
  const [isPending] = usePendingReaders(
    [reader],
    [fetches ? suspensePromise(reader, shown) : undefined],
  );
  const loading = isPending === true || shown.result.status === 'pending';
  useRetain(reader);
  const now: DLE<unknown> = loading ? LOADING : toDLE(shown.result);
  return usePreviousData(hooks, { controller, endpoint, reader, now });
}

/** The data that `reader` has, if there are any: those of the store, also while a transition is pending. */
function useFormerData(reader: Reader | undefined): DLE<unknown> | undefined {
  const subscribe = useCallback(
    (listener: () => void) => reader?.listen(listener) ?? noop,
    [reader],
  );
  const result = useSyncExternalStore(subscribe, () => reader?.result.peek(), noop);
  return result?.status === 'success' ? toDLE(result) : undefined;
}

// a call, unlike a spread, can be dropped with the constant
const hooks = Object.assign({ useFormerData }, reactHooks);

/** The requests that the committed render waits for. */
type AwaitedRequests = Map<Reader, Ready>;

/** For each reader: true until its promise settles; then re-renders, also if the response equals the data before. */
export function usePendingReaders(
  readers: readonly Reader[],
  waits: readonly (Ready | undefined)[],
): boolean[] {
  const [, rerender] = useState(0);
  const [awaited] = useState((): AwaitedRequests => new Map());
  const loading = readers.map(
    (reader, at) => waits[at] !== undefined || awaited.get(reader)?.status === 'pending',
  );
  // synchronously: the promise may settle before the effects of this commit run, and would cause another render
  useInsertionEffect(() => {
    const waiting = new Set(readers.filter((_, at) => loading[at]));
    for (const reader of awaited.keys()) if (!waiting.has(reader)) awaited.delete(reader);
  });
  useEffect(() => {
    readers.forEach((reader, at) => {
      const wait = waits[at];
      if (wait === undefined || awaited.get(reader) === wait) return;
      awaited.set(reader, wait);
      void wait.then(() => {
        if (awaited.get(reader) === wait) rerender((count) => count + 1);
      });
    });
  });
  return loading;
}
