/** Reads an endpoint, or the result of a schema, as a signal: can be passed on or bound without a render. */
import type { ArgsOf, DataOf } from '../../src/Controller.ts';
import type { EndpointInterface, ReadEndpoint } from '../../src/endpoint/Endpoint.ts';
import { isEndpoint } from '../../src/endpoint/argumentChecks.ts';
import { liveResult } from '../../src/live/liveResult.ts';
import type { NullableSchemaArgs } from '../../src/schema/SchemaArgs.ts';
import type { Denormalized, Schema } from '../../src/schema/schema.ts';
import { computed } from '../../src/signals.ts';
import type { ReadonlySignal } from '../../src/signals.ts';
import type { Result } from '../../src/store/StorePort.ts';
import type { EmptyOf, NullableArgs } from '../EmptyOf.ts';
import { checkSignalsCopy } from '../FrameworkHooks.ts';
import { useController } from './Provider.ts';
import { useLiveData, useQueryHandle, useRetainedHandle } from './useQueryHandle.ts';
import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';

/**
 * `{status, data, error}` with live data, as a signal: the same signal at every render, also with other arguments. A
 * component that only passes the signal on does not re-render. An endpoint is fetched as with `useSuspense`; the hook
 * never suspends or throws. For a schema (an entity, `new All(Todo)`, `new Query(…)`) the data are the value for the
 * arguments, without a request; create the schema once, outside of the component.
 */
export function useQuery<S extends Schema>(
  schema: S extends EndpointInterface ? never : S,
  ...args: NullableSchemaArgs<S>
): ReadonlySignal<Result<Denormalized<S>>>;
export function useQuery<E extends ReadEndpoint>(
  endpoint: E,
  ...args: Parameters<E>
): ReadonlySignal<Result<DataOf<E>>>;
export function useQuery<E extends ReadEndpoint>(
  endpoint: E,
  ...args: NullableArgs<E>
): ReadonlySignal<Result<DataOf<E> | EmptyOf<E['schema']>>>;
export function useQuery(
  endpointOrSchema: unknown,
  ...args: readonly unknown[]
): ReadonlySignal<Result> {
  checkSignalsCopy('@preact/signals');
  const controller = useController('useQuery');
  const handle = useQueryHandle(
    isEndpoint(endpointOrSchema)
      ? controller.view(endpointOrSchema, ...(args as ArgsOf<EndpointInterface>))
      : controller.query(endpointOrSchema, ...args),
    false,
  );
  const { reader, visibleReader } = handle;
  useRetainedHandle(handle);
  // no render refetches after an invalidation, so each change of the result does
  useEffect(() => reader.listen(() => void reader.ensure(false)), [reader]);
  const result = liveResult(visibleReader);
  // a component may compute from the data instead of the signal
  useLiveData(result.peek().data);
  const current = useSignal(result);
  // a render is a batch: dependent computations run after the render, with the functions of this render
  current.value = result;
  return useMemo(() => computed(() => current.value.value), [current]);
}
