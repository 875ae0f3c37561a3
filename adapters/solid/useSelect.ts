/** Reads a value derived from an endpoint's data: its readers run only when this value changes. */
import type { DataOf } from '../../src/Controller.ts';
import type { EndpointInterface, ReadEndpoint } from '../../src/endpoint/Endpoint.ts';
import type { EmptyOf, NullableArgs, SelectArgs } from '../EmptyOf.ts';
import { replaceEqualDeep } from '../../src/schema/equal.ts';
import { PENDING } from '../../src/store/StorePort.ts';
import type { Result } from '../../src/store/StorePort.ts';
import type { Accessor, Params } from '../solid-shared/SolidRuntime.ts';
import { createPlaceholder } from './createPlaceholder.ts';
import { createQueryHandle, createServerMemo } from './solidRuntime.ts';
import { createShownData, createSuspend, createSuspenseResource } from './useSuspense.ts';

/**
 * `const left = useSelect(getTodos, () => ({ userId }), (todos) => todos.filter((todo) => !todo.completed).length)`: a
 * value that changes when a change of a field that the function has read changes its result; arrays and plain objects
 * with the same members count as equal. The place that reads the value suspends and throws, as with `useSuspense`;
 * before the first data, the function gets the placeholder. Null params send no request and select from the empty value.
 */
export function useSelect<E extends ReadEndpoint, T>(
  endpoint: E,
  ...params: SelectArgs<Params<Parameters<E>>, (data: DataOf<E>) => T>
): Accessor<T>;
export function useSelect<E extends ReadEndpoint, T>(
  endpoint: E,
  ...params: readonly [
    ...Params<NullableArgs<E>>,
    select: (data: DataOf<E> | EmptyOf<E['schema']>) => T,
  ]
): Accessor<T>;
export function useSelect(
  endpoint: EndpointInterface,
  ...rest: readonly unknown[]
): Accessor<unknown> {
  const select = rest.at(-1) as (data: unknown) => unknown;
  const handle = createQueryHandle('useSelect', endpoint, rest.slice(0, -1), true);
  const data = createShownData(handle, createPlaceholder(endpoint.schema));
  // changes of data do not notify the place that reads
  const result = createServerMemo<Result>(handle.revision, () => {
    const now = handle.result();
    return now.status === 'error' ? now : PENDING;
  });
  const suspend = createSuspend({ ...handle, result }, createSuspenseResource(handle));
  const selection = createServerMemo<SelectedValue>(handle.revision, (before) => {
    // as the data: a transition that waits runs this again
    void handle.wait();
    try {
      const value = replaceEqualDeep(before?.value, select(data()));
      return before !== undefined && !before.thrown && before.value === value ? before : { value };
    } catch (reason) {
      // thrown at the place that reads, as errors of the request are
      return { value: before?.value, thrown: { reason } };
    }
  });
  return () => {
    suspend();
    const { value, thrown } = selection();
    // a function may not expect the placeholder
    if (thrown !== undefined && handle.wait() === undefined) throw thrown.reason;
    return value;
  };
}

/** The selected value, or the exception of the function beside the last value. */
interface SelectedValue {
  readonly value: unknown;
  readonly thrown?: { readonly reason: unknown };
}
