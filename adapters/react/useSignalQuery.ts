/** Reads an endpoint, or the result of a schema, as a signal: can be passed on or rendered without a re-render. */
import type { ArgsOf, DataOf } from '../../src/Controller.ts';
import type { EndpointInterface, ReadEndpoint } from '../../src/endpoint/Endpoint.ts';
import { isEndpoint } from '../../src/endpoint/isEndpoint.ts';
import type { ReadonlySignal } from '../../src/reactive.ts';
import type { Denormalized, Schema } from '../../src/schema/schema.ts';
import type { NullableSchemaArgs } from '../../src/schema/SchemaArgs.ts';
import type { Result } from '../../src/store/Result.ts';
import type { EmptyOf, NullableArgs } from '../EmptyOf.ts';
import { checkCopies } from '../FrameworkHooks.ts';
import { useControllerFor } from './Provider.ts';
import { useEffect } from './react.ts';
import { useRetain } from './useResult.ts';

/**
 * `{status, data, error}` with snapshots, as a signal. A component that only passes the signal on does not re-render.
 * An endpoint is fetched after mount, and after each invalidation; the hook never suspends or throws. For a schema (an
 * entity, `new All(Todo)`, `new Query(…)`) the data are its value for the arguments, without a request; create the
 * schema once, outside of the component.
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
export function useSignalQuery(what: unknown, ...args: readonly unknown[]): ReadonlySignal<Result> {
  checkCopies('@preact/signals-react');
  const controller = useControllerFor('useSignalQuery');
  const reader = isEndpoint(what)
    ? controller.view(what, ...(args as ArgsOf<EndpointInterface>))
    : controller.query(what, ...args);
  useRetain(reader);
  // no render refetches after an invalidation, so each change of the result does
  useEffect(() => reader.listen(() => void reader.ensure(false)), [reader]);
  return reader.result;
}
