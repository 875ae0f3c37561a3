/** Reads an endpoint as a signal, to be passed on or bound without a render. */
import { useEffect } from 'preact/hooks';
import type { DataOf } from '../../src/Controller.ts';
import type { EndpointInterface } from '../../src/endpoint/Endpoint.ts';
import type { ReadonlySignal } from '../../src/reactive.ts';
import type { Result } from '../../src/store/ResultRecord.ts';
import type { EmptyOf, NullableArgs } from '../../src/view/EmptyOf.ts';
import { useReading, useShown } from './useReading.ts';

/**
 * `{status, data, error}` of `endpoint(...args)` with live data, as a signal. It asks as `useSuspense` does; it never
 * suspends nor throws, and the component that only passes it on does not run when it changes.
 */
export function useQuery<E extends EndpointInterface>(
  endpoint: E,
  ...args: Parameters<E>
): ReadonlySignal<Result<DataOf<E>>>;
export function useQuery<E extends EndpointInterface>(
  endpoint: E,
  ...args: NullableArgs<E>
): ReadonlySignal<Result<DataOf<E> | EmptyOf<E['schema']>>>;
export function useQuery(
  endpoint: EndpointInterface,
  ...args: readonly unknown[]
): ReadonlySignal<Result> {
  const reading = useReading('useQuery', endpoint, args);
  const { reader } = reading;
  useShown(reading);
  // no render asks again after an invalidation, so each change of the result does
  useEffect(() => reader.listen(() => void reader.ensure(false)), [reader]);
  return reader.live;
}
