/** Reads an endpoint, and suspends until there are data. */
import type { ArgsOf, Controller, DataOf } from '../../src/Controller.ts';
import type { EndpointInterface, ReadEndpoint } from '../../src/endpoint/Endpoint.ts';
import type { Result } from '../../src/store/Result.ts';
import type { EmptyOf, NullableArgs } from '../EmptyOf.ts';
import type { Ready, Reader } from '../../src/view/Reader.ts';
import { useControllerFor } from './Provider.ts';
import { useReady, suspensePromise } from './useReady.ts';
import { rowsOnly, useRetain, useResult, fullResult } from './useResult.ts';
import type { ResultSelector } from './useResult.ts';

/** A reader with a started request that has not suspended the component yet. */
interface PendingRead {
  readonly result: Result;
  readonly wait: Ready | undefined;
}

function usePendingRead(
  controller: Controller,
  reader: Reader,
  facet: ResultSelector,
): PendingRead {
  const shown = useResult(controller, reader, facet);
  useRetain(reader);
  return { result: shown.result, wait: suspensePromise(reader, shown) };
}

function useData(controller: Controller, { result, wait }: PendingRead): unknown {
  useReady(controller, wait);
  if (result.status === 'error') throw result.error;
  return result.data;
}

/** An endpoint with its arguments. */
export type QueryTuple<E extends EndpointInterface = EndpointInterface> = readonly [
  E,
  ...ArgsOf<E>,
];

type DataOfEach<E extends readonly EndpointInterface[]> = {
  -readonly [K in keyof E]: DataOf<E[K]>;
};

/** The type of `useSuspense`: the data of an endpoint, or its empty value if the first argument may be null. */
export interface UseSuspense {
  <E extends ReadEndpoint>(endpoint: E, ...args: Parameters<E>): DataOf<E>;
  <E extends ReadEndpoint>(endpoint: E, ...args: NullableArgs<E>): DataOf<E> | EmptyOf<E['schema']>;
  /**
   * `const [todo, users] = useSuspense.all([getTodo, {id: 5}], [getUsers])`: all requests are started before the
   * component suspends. The number and order of reads must be the same at each render.
   */
  all<const E extends readonly ReadEndpoint[]>(
    ...reads: { readonly [K in keyof E]: QueryTuple<E[K]> }
  ): DataOfEach<E>;
}

/**
 * The data of `endpoint(...args)` as an immutable snapshot: the same object until any part of it changes. Suspends
 * before the first data; throws the request's error to the nearest boundary. Null as first argument sends no request
 * and returns the schema's empty value.
 */
export const useSuspense: UseSuspense = /* @__PURE__ */ Object.assign(useOne, {
  all: useAll,
}) as never;

function useOne(endpoint: EndpointInterface, ...args: readonly unknown[]): unknown {
  const controller = useControllerFor('useSuspense');
  const reader = controller.view(endpoint, ...(args as ArgsOf<EndpointInterface>));
  return useData(controller, usePendingRead(controller, reader, fullResult));
}

function useAll(...reads: readonly QueryTuple[]): unknown[] {
  const controller = useControllerFor('useSuspense.all');
  const views = reads.map(([endpoint, ...args]) => controller.view(endpoint, ...args));
  // oxlint-disable-next-line react-hooks/rules-of-hooks -- the reads are as many at each render
  const asked = views.map((reader) => usePendingRead(controller, reader, fullResult));
  // oxlint-disable-next-line react-hooks/rules-of-hooks -- as many
  return asked.map((each) => useData(controller, each));
}

/**
 * As useSuspense, for lists of live rows: re-renders when rows are added, removed or moved, not when a field changes.
 */
export function useSuspenseRows(controller: Controller, reader: Reader): unknown {
  return useData(controller, usePendingRead(controller, reader, rowsOnly));
}
