/** Reads that suspend until there are data: of an endpoint, of several, a derived value, a promise of the data. */
import { useMemo } from 'react';
import type { ArgsOf, Controller, DataOf } from '../../src/Controller.ts';
import type { EndpointInterface, ReadEndpoint } from '../../src/endpoint/Endpoint.ts';
import { snapshot } from '../../src/live/LiveObject.ts';
import { liveResult } from '../../src/live/liveResult.ts';
import { replaceEqualDeep } from '../../src/schema/equal.ts';
import { computed } from '../../src/signals.ts';
import type { ReadonlySignal } from '../../src/signals.ts';
import type { Reader } from '../../src/view/Reader.ts';
import { combineReaders, findReaders } from '../CombinedReader.ts';
import type { AnyReads, DataOfReads, ReadsOf } from '../CombinedReader.ts';
import type { EmptyOf, NullableArgs, SelectArgs } from '../EmptyOf.ts';
import { dataPromise, isPromiseUsed } from '../dataPromise.ts';
import { useControllerFor } from './Provider.ts';
import {
  fullResult,
  snapshotResult,
  statusOnly,
  subscribeSelected,
  suspend,
  suspensePromise,
  useResult,
  useRetain,
} from './concurrent/useResult.ts';
import type { ResultSelector } from './concurrent/useResult.ts';
import { useEffect, useState, useSyncExternalStore } from './react.ts';

/**
 * The data of `endpoint(...args)` as an immutable snapshot: the same object until any part of it changes. Suspends
 * before the first data; throws the request's error to the nearest boundary. Null as first argument sends no request
 * and returns the schema's empty value.
 */
export function useSuspense<E extends ReadEndpoint>(endpoint: E, ...args: Parameters<E>): DataOf<E>;
export function useSuspense<E extends ReadEndpoint>(
  endpoint: E,
  ...args: NullableArgs<E>
): DataOf<E> | EmptyOf<E['schema']>;
export function useSuspense(endpoint: EndpointInterface, ...args: readonly unknown[]): unknown {
  const controller = useControllerFor('useSuspense');
  const reader = controller.view(endpoint, ...(args as ArgsOf<EndpointInterface>));
  return useSuspendedData(controller, reader, fullResult);
}

/** The selected data of a reader: suspends before the first data, and throws the error. */
export function useSuspendedData(
  controller: Controller,
  reader: Reader,
  selector: ResultSelector,
): unknown {
  const shown = useResult(controller, reader, selector);
  useRetain(reader);
  suspend(controller, suspensePromise(reader, shown));
  if (shown.result.status === 'error') throw shown.result.error;
  return shown.result.data;
}

/**
 * `const [todo, users] = useSuspenseAll([[getTodo, { id: 5 }], [getUsers]])`, or `useSuspenseAll(ids.map((id) =>
 * [getTodo, { id }]))`: the data of each read, as from `useSuspense`. All requests are started before the component
 * suspends, once. The number and the order of the reads may change with each render; only reads that are new then are
 * fetched. The first error is thrown.
 */
export function useSuspenseAll<const R extends AnyReads>(reads: ReadsOf<R>): DataOfReads<R> {
  const controller = useControllerFor('useSuspenseAll');
  const reader = combineReaders(findReaders(controller, reads), snapshotResult);
  const data = useSuspendedData(controller, reader, fullResult) as object;
  return useMemo(() => Object.values(data), [data]) as DataOfReads<R>;
}

/** The selected value, or the exception of the function. */
interface SelectedValue {
  readonly value: unknown;
  readonly thrown?: { readonly error: unknown };
}

/** The last value that a component rendered: arrays and plain objects with the same members keep their reference. */
interface LastSelection {
  selection: SelectedValue | undefined;
}

/**
 * `const left = useSelect(getTodos, { userId }, (todos) => todos.filter((todo) => !todo.completed).length)`. The
 * function gets live data: the component re-renders only when a change of a field that the function has read changes
 * its result. Entities in the result are snapshots. The function is called at each render, unless it has the same
 * identity. Suspends and throws as `useSuspense` does. Null as first argument sends no request and selects from the
 * empty value.
 */
export function useSelect<E extends ReadEndpoint, T>(
  endpoint: E,
  ...args: SelectArgs<Parameters<E>, (data: DataOf<E>) => T>
): T;
export function useSelect<E extends ReadEndpoint, T>(
  endpoint: E,
  ...args: readonly [...NullableArgs<E>, select: (data: DataOf<E> | EmptyOf<E['schema']>) => T]
): T;
export function useSelect(endpoint: EndpointInterface, ...rest: readonly unknown[]): unknown {
  const controller = useControllerFor('useSelect');
  const select = rest.at(-1) as (data: unknown) => unknown;
  const reader = controller.view(endpoint, ...(rest.slice(0, -1) as ArgsOf<EndpointInterface>));
  // whether there are data is React state, as in useSuspense: a transition keeps the rendered content
  const shown = useResult(controller, reader, statusOnly);
  const [last] = useState((): LastSelection => ({ selection: undefined }));
  const store = useMemo(
    () => createSelectionStore(reader, (from) => createSelectionSignal(from, select, last)),
    [reader, select, last],
  );
  const selection = useSyncExternalStore(store.subscribe, store.peek, store.serverPeek);
  useEffect(() => {
    Object.assign(last, { selection });
  }, [last, selection]);
  useRetain(reader);
  suspend(controller, suspensePromise(reader, shown));
  if (shown.result.status === 'error') throw shown.result.error;
  if (selection.thrown !== undefined) throw selection.thrown.error;
  return selection.value;
}

interface SelectionStore {
  readonly subscribe: (listener: () => void) => () => void;
  readonly peek: () => SelectedValue;
  /** While hydrating: selected from the data that the server rendered. */
  readonly serverPeek: () => SelectedValue;
}

function createSelectionStore(
  reader: Reader,
  createSignal: (reader: Reader) => ReadonlySignal<SelectedValue>,
): SelectionStore {
  const signal = createSignal(reader);
  let served: ReadonlySignal<SelectedValue> | undefined;
  return {
    subscribe: (listener) => subscribeSelected(signal, () => signal.peek(), listener),
    peek: () => signal.peek(),
    serverPeek: () => (served ??= createSignal(reader.serverReader?.() ?? reader)).peek(),
  };
}

function createSelectionSignal(
  reader: Reader,
  select: (data: unknown) => unknown,
  last: LastSelection,
): ReadonlySignal<SelectedValue> {
  let before = last.selection;
  return computed(() => {
    const { status, data } = liveResult(reader).value;
    if (status !== 'success') return (before ??= { value: undefined });
    try {
      const value = replaceEqualDeep(before?.value, snapshot(select(data)));
      if (before === undefined || before.thrown || before.value !== value) before = { value };
    } catch (error) {
      // an exception in a signal would reach the writer
      before = { value: undefined, thrown: { error } };
    }
    return before;
  });
}

/** A component that only starts the read does not re-render for the data. */
const resultOfUsedPromise: ResultSelector = {
  sources: /* @__PURE__ */ new WeakMap(),
  peek: (reader) => fullResult.peek(reader),
  listen: (reader, listener) =>
    reader.listen(() => {
      if (isPromiseUsed(reader)) listener();
    }),
};

/**
 * `const todo = use(useFetch(getTodo, { id }))`: the data, as with `useSuspense`, and the component re-renders when the
 * data change. `void useFetch(a); void useFetch(b);` above two `useSuspense` sends both requests in parallel, and
 * re-renders for neither. The promise is the same until the data change. A rejection has the error that `useSuspense`
 * would throw, and need not be handled. Null as first argument sends no request: the promise resolves with the schema's
 * empty value.
 */
export function useFetch<E extends ReadEndpoint>(
  endpoint: E,
  ...args: Parameters<E>
): Promise<DataOf<E>>;
export function useFetch<E extends ReadEndpoint>(
  endpoint: E,
  ...args: NullableArgs<E>
): Promise<DataOf<E> | EmptyOf<E['schema']>>;
export function useFetch(
  endpoint: EndpointInterface,
  ...args: readonly unknown[]
): Promise<unknown> {
  const controller = useControllerFor('useFetch');
  const reader = controller.view(endpoint, ...(args as ArgsOf<EndpointInterface>));
  const shown = useResult(controller, reader, resultOfUsedPromise);
  useRetain(reader);
  if (isPromiseUsed(reader))
    return dataPromise(reader, suspensePromise(reader, shown), shown.result);
  // nothing of the reader is rendered that a transition would have to keep
  return dataPromise(reader, reader.ensure(shown.first, shown.waiter), reader.result.peek());
}
