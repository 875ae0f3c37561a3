/** Reads an endpoint, and suspends until there is something to show. */
import type { ArgsOf, Controller, DataOf } from '../../src/Controller.ts';
import type { EndpointInterface, ReadEndpoint } from '../../src/endpoint/Endpoint.ts';
import type { Result } from '../../src/store/Result.ts';
import type { EmptyOf, NullableArgs } from '../EmptyOf.ts';
import type { Ready } from '../../src/view/Ready.ts';
import type { Reader } from '../../src/view/Reader.ts';
import { useLent } from './Provider.ts';
import { useReady, waited } from './useReady.ts';
import { membership, useKept, useResult, whole } from './useResult.ts';
import type { ResultFacet } from './useResult.ts';

/** A reader that has been asked, and is not waited for yet. */
interface Asked {
  readonly result: Result;
  readonly wait: Ready | undefined;
}

function useAsked(controller: Controller, reader: Reader, facet: ResultFacet): Asked {
  const shown = useResult(controller, reader, facet);
  useKept(reader);
  return { result: shown.result, wait: waited(reader, shown) };
}

function useData(controller: Controller, { result, wait }: Asked): unknown {
  useReady(controller, wait);
  if (result.status === 'error') throw result.error;
  return result.data;
}

/** An endpoint with its arguments. */
export type Read<E extends EndpointInterface = EndpointInterface> = readonly [E, ...ArgsOf<E>];

type DataOfEach<E extends readonly EndpointInterface[]> = {
  -readonly [K in keyof E]: DataOf<E[K]>;
};

/** The type of `useSuspense`: the data of an endpoint, or its empty shape where the first argument may be null. */
export interface UseSuspense {
  <E extends ReadEndpoint>(endpoint: E, ...args: Parameters<E>): DataOf<E>;
  <E extends ReadEndpoint>(endpoint: E, ...args: NullableArgs<E>): DataOf<E> | EmptyOf<E['schema']>;
  /**
   * `const [todo, users] = useSuspense.all([getTodo, {id: 5}], [getUsers])`: all are asked before any is waited for.
   * As many reads at each render, in the same order.
   */
  all<const E extends readonly ReadEndpoint[]>(
    ...reads: { readonly [K in keyof E]: Read<E[K]> }
  ): DataOfEach<E>;
}

/**
 * The data of `endpoint(...args)` as an immutable snapshot: the same object until something in it changes.
 * Suspends while there is nothing to show; throws the request's error to the nearest boundary.
 * Null as first argument asks nothing and gives the schema's empty shape.
 */
export const useSuspense: UseSuspense = /* @__PURE__ */ Object.assign(useOne, {
  all: useAll,
}) as never;

function useOne(endpoint: EndpointInterface, ...args: readonly unknown[]): unknown {
  const controller = useLent('useSuspense');
  const reader = controller.view(endpoint, ...(args as ArgsOf<EndpointInterface>));
  return useData(controller, useAsked(controller, reader, whole));
}

function useAll(...reads: readonly Read[]): unknown[] {
  const controller = useLent('useSuspense.all');
  const views = reads.map(([endpoint, ...args]) => controller.view(endpoint, ...args));
  // oxlint-disable-next-line react-hooks/rules-of-hooks -- the reads are as many at each render
  const asked = views.map((reader) => useAsked(controller, reader, whole));
  // oxlint-disable-next-line react-hooks/rules-of-hooks -- as many
  return asked.map((each) => useData(controller, each));
}

/** As useSuspense, for lists of live rows: runs when rows come, go or move, not when a field of one changes. */
export function useMembers(controller: Controller, reader: Reader): unknown {
  return useData(controller, useAsked(controller, reader, membership));
}
