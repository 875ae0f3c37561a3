/** signalbox for users of @preact/signals-react: fields and results as signals that this package renders and tracks. */
'use client';
// lets React render signals
import '@preact/signals-react/runtime';
// makes signals a ReactNode, in types
// oxlint-disable-next-line unicorn/require-module-specifiers -- an import of nothing is left out of declarations
export type {} from '@preact/signals-react';
import * as React from 'react';
import { useMemo } from 'react';
import type { Context } from 'react';
import type { Controller, ArgsOf, DataOf } from '../../src/Controller.ts';
import type { EndpointInterface, ReadEndpoint } from '../../src/endpoint/Endpoint.ts';
import { isEndpoint } from '../../src/endpoint/argumentChecks.ts';
import { SignalboxError } from '../../src/errors.ts';
import { fields, recordOf } from '../../src/live/LiveObject.ts';
import type { FieldSignals } from '../../src/live/LiveObject.ts';
import { live } from '../../src/live/LiveSource.ts';
import type { NullableSchemaArgs } from '../../src/schema/SchemaArgs.ts';
import type { Denormalized, Schema } from '../../src/schema/schema.ts';
import { computed, signal } from '../../src/signals.ts';
import type { ReadonlySignal, Signal } from '../../src/signals.ts';
import type { Result } from '../../src/store/StorePort.ts';
import type { Reader } from '../../src/view/Reader.ts';
import type { EmptyOf, NullableArgs } from '../EmptyOf.ts';
import { checkSignalsCopy } from '../FrameworkHooks.ts';
import { ControllerContext, useControllerFor } from './Provider.ts';
import { useRetain } from './concurrent/useResult.ts';
import { useEffect, useState } from './react.ts';
import { useIsomorphicLayoutEffect } from './reactHooks.ts';
import { entityClassOf } from './useEntity.ts';

export { fieldsOf as $ };
export type { FieldSignals };

/**
 * `<li>{$(todo).title}</li>`: a new text is written to the DOM, and `$` re-renders no component; a hook that returns the
 * snapshot does. For a snapshot (also an outdated one) `$` must be called while rendering, also in loops and conditions;
 * for a live object anywhere. Nested entities are live. Each signal is created at the first read and stays the same.
 * Throws A1 outside of a provider, A2 for values that are no entity.
 */
function fieldsOf<T extends object>(entity: T): FieldSignals<T> {
  checkSignalsCopy('@preact/signals-react');
  if (recordOf(entity) !== undefined) return fields(entity);
  const Class = entityClassOf('$', entity);
  return fields(live(readController(), Class, entity as never));
}

// only React 19 has `use`; bundlers warn of a missing export if the code names `use`
const readContext = Reflect.get(React, 'use') as (<T>(context: Context<T>) => T) | undefined;

/**
 * Not `useContext`: React counts hooks, and the number of rows varies. In React 18, which will not change, the internal
 * context is read.
 */
function readController(): Controller {
  const controller =
    readContext === undefined
      ? (Reflect.get(ControllerContext, '_currentValue') as Controller | undefined)
      : readContext(ControllerContext);
  if (controller === undefined) throw new SignalboxError('A1', { hook: '$' });
  return controller;
}

/**
 * `{status, data, error}` with snapshots, as a signal. Signals of former arguments follow to the present ones. A
 * component that only passes the signal on does not re-render. An endpoint is fetched after mount, and after each
 * invalidation; the hook never suspends or throws. For a schema (an entity, `new All(Todo)`, `new Query(…)`) the data
 * are the value for the arguments, without a request; create the schema once, outside of the component.
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
