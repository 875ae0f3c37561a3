/** Reads an endpoint, or what a schema finds, as a signal: to be passed on or drawn without a render. */
import type { ArgsOf, DataOf } from '../../src/Controller.ts';
import type { EndpointInterface, ReadEndpoint } from '../../src/endpoint/Endpoint.ts';
import { isEndpoint } from '../../src/endpoint/isEndpoint.ts';
import type { ReadonlySignal } from '../../src/reactive.ts';
import type { Denormalized, Schema } from '../../src/schema/schema.ts';
import type { Result } from '../../src/store/Result.ts';
import type { EmptyOf, NullableArgs } from '../EmptyOf.ts';
import { checkCopies } from '../hooks.ts';
import { useLent } from './Provider.ts';
import { useEffect } from './react.ts';
import { useKept } from './useResult.ts';

/**
 * `{status, data, error}` with snapshots, as a signal; the component that only passes it on does not run when it
 * changes. An endpoint is asked once the component is mounted, and after each invalidation; it never suspends nor throws.
 * Of a schema (an entity, `new All(Todo)`, `new Query(…)`) it is what the arguments find, and nothing is asked; make the
 * schema once, outside of the component.
 */
export function useSignalQuery<S extends Schema>(
  schema: S extends EndpointInterface ? never : S,
  ...args: readonly unknown[]
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
  const controller = useLent('useSignalQuery');
  const reader = isEndpoint(what)
    ? controller.view(what, ...(args as ArgsOf<EndpointInterface>))
    : controller.query(what, ...args);
  useKept(reader);
  // no render asks again after an invalidation, so each change of the result does
  useEffect(() => reader.listen(() => void reader.ensure(false)), [reader]);
  return reader.result;
}
