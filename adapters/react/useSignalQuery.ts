/** Reads an endpoint, or the result of a schema, as a signal: can be passed on or rendered without a re-render. */
import type { ArgsOf, DataOf } from '../../src/Controller.ts';
import type { EndpointInterface, ReadEndpoint } from '../../src/endpoint/Endpoint.ts';
import { isEndpoint } from '../../src/endpoint/argumentChecks.ts';
import type { NullableSchemaArgs } from '../../src/schema/SchemaArgs.ts';
import type { Denormalized, Schema } from '../../src/schema/schema.ts';
import { computed, signal } from '../../src/signals.ts';
import type { ReadonlySignal, Signal } from '../../src/signals.ts';
import type { Result } from '../../src/store/StorePort.ts';
import type { Reader } from '../../src/view/Reader.ts';
import type { EmptyOf, NullableArgs } from '../EmptyOf.ts';
import { checkSignalsCopy } from '../FrameworkHooks.ts';
import { useControllerFor } from './Provider.ts';
import { useRetain } from './concurrent/useResult.ts';
import { useEffect, useState, useIsomorphicLayoutEffect } from './react.ts';
import { useMemo } from 'react';

/**
 * `{status, data, error}` with snapshots, as a signal. Signals of former arguments follow to the present ones. A
 * component that only passes the signal on does not re-render. An endpoint is fetched after mount, and after each
 * invalidation; the hook never suspends or throws. For a schema (an entity, `new All(Todo)`, `new Query(…)`) the data
 * are its value for the arguments, without a request; create the schema once, outside of the component.
 */
export function useSignalQuery<S extends Schema>(
  schema: S extends EndpointInterface ? never : S,
  ...args: NullableSchemaArgs<S>
): ReadonlySignal<Result<Denormalized<S>>>;
export function useSignalQuery<E extends ReadEndpoint>(
  endpoint: E,
  ...args: Parameters<E>
): ReadonlySignal<Result<DataOf<E>>>;
export function useSignalQuery<E extends ReadEndpoint>(
  endpoint: E,
  ...args: NullableArgs<E>
): ReadonlySignal<Result<DataOf<E> | EmptyOf<E['schema']>>>;
export function useSignalQuery(
  endpointOrSchema: unknown,
  ...args: readonly unknown[]
): ReadonlySignal<Result> {
  checkSignalsCopy('@preact/signals-react');
  const controller = useControllerFor('useSignalQuery');
  const reader = isEndpoint(endpointOrSchema)
    ? controller.view(endpointOrSchema, ...(args as ArgsOf<EndpointInterface>))
    : controller.query(endpointOrSchema, ...args);
  useRetain(reader);
  // no render refetches after an invalidation, so each change of the result does
  useEffect(() => reader.listen(() => void reader.ensure(false)), [reader]);
  const [current] = useState(() => signal<Current>({ reader }));
  const result = useMemo(() => createFollowing(reader, current), [reader, current]);
  // what was computed from the signal of the former arguments runs again. Not while rendering: that would update other
  // components, and the render may be discarded
  useIsomorphicLayoutEffect(() => {
    current.value = { reader };
  }, [reader, current]);
  return result;
}

interface Current {
  readonly reader: Reader;
}

/** The result of `reader` until a render is committed, then that of the reader of the latest commit. */
function createFollowing(reader: Reader, current: Signal<Current>): ReadonlySignal<Result> {
  const atCreation = current.peek();
  return computed(() => {
    const latest = current.value;
    return (latest === atCreation ? reader : latest.reader).result.value;
  });
}
