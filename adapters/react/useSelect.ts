/** Reads a value derived from an endpoint's data, and re-renders the component only when this value changes. */
import type { ArgsOf, DataOf } from '../../src/Controller.ts';
import type { EndpointInterface, ReadEndpoint } from '../../src/endpoint/Endpoint.ts';
import { liveResult } from '../../src/live/liveResult.ts';
import { snapshot } from '../../src/live/snapshot.ts';
import { replaceEqualDeep } from '../../src/schema/equal.ts';
import { computed } from '../../src/signals.ts';
import type { ReadonlySignal } from '../../src/signals.ts';
import type { Reader } from '../../src/view/Reader.ts';
import type { EmptyOf, NullableArgs, SelectArgs } from '../EmptyOf.ts';
import { useControllerFor } from './Provider.ts';
import {
  statusOnly,
  suspend,
  suspensePromise,
  useResult,
  useRetain,
} from './concurrent/useResult.ts';
import { useEffect, useState, useSyncExternalStore } from './react.ts';
import { subscribeSelected } from './useSignalValue.ts';
import { useMemo } from 'react';

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
