/** Reads an endpoint, and suspends until there are data. */
import type { ArgsOf, Controller, DataOf } from '../../src/Controller.ts';
import type { EndpointInterface, ReadEndpoint } from '../../src/endpoint/Endpoint.ts';
import type { Reader } from '../../src/view/Reader.ts';
import type { EmptyOf, NullableArgs } from '../EmptyOf.ts';
import { useControllerFor } from './Provider.ts';
import {
  fullResult,
  suspend,
  suspensePromise,
  useResult,
  useRetain,
} from './concurrent/useResult.ts';
import type { ResultSelector } from './concurrent/useResult.ts';

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
