/** The hooks of Rest Hooks 3 to 6, over the hooks of Data Client. */
import type { DataOfRead } from '../../adapters/CombinedReader.ts';
import { useStatus } from '../../adapters/react/useCache.ts';
import { useSuspenseAll } from '../../adapters/react/useSuspense.ts';
import type { ArgsOf, DataOf } from '../Controller.ts';
import type { EndpointInterface, ReadEndpoint } from '../endpoint/Endpoint.ts';
import type { UnknownError } from '../errors.ts';
import type { Denormalized } from '../schema/schema.ts';
import type { DataClientController } from './DataClientController.ts';
import { endpointOf } from './endpointOf.ts';
import type { EndpointOf, PlainShape } from './endpointOf.ts';
import { shapeOf } from './storedDataOf.ts';
import { useController, useDLE, useFetch } from './useSuspense.ts';
import type { ReadArgs, SuspenseReturn } from './useSuspense.ts';

type DataOfAll<R> = { -readonly [K in keyof R]: DataOfRead<R[K]> };

/** Params may be passed to an endpoint that has none. */
type OlderArgs<E extends EndpointInterface> =
  Parameters<E> extends readonly [] ? readonly [params?: object] : Parameters<E>;

/** `useResource(Article.detail(), { id })`, or several reads in parallel: `useResource([a, { id }], [b, {}])`. */
export function useResource<E extends ReadEndpoint>(endpoint: E, ...args: OlderArgs<E>): DataOf<E>;
export function useResource<E extends ReadEndpoint, A extends ReadArgs<E>>(
  endpoint: E,
  ...args: A
): SuspenseReturn<E, A>;
/** A shape of Rest Hooks 3 and 4. */
// any: shapes of every schema
export function useResource<S>(shape: PlainShape<S>, params: object | null): Denormalized<S>;
// `unknown`: endpoints as the constraint would replace the default types of `Article.list()`
export function useResource<const R extends readonly (readonly [unknown, ...unknown[]])[]>(
  ...reads: R
): DataOfAll<R>;
export function useResource(first: unknown, ...rest: readonly unknown[]): unknown {
  const isSingle = !Array.isArray(first);
  const calls = (isSingle ? [[first, ...rest]] : [first, ...rest]) as [unknown, ...unknown[]][];
  const reads = calls.map(([read, ...args]) => [endpointOf(read), ...args]);
  const data = useSuspenseAll(reads as never) as readonly unknown[];
  if (!isSingle) return data;
  return rest[0] === null ? shapeOf((first as EndpointInterface).schema) : data[0];
}

/** The older name of `useDLE`. */
export const useStatefulResource: typeof useDLE = ((read: unknown, ...args: readonly [never]) =>
  useDLE(endpointOf(read), ...args)) as never;

/** The older name of `useFetch`. */
export const useRetrieve: typeof useFetch = ((read: unknown, ...args: readonly [never]) =>
  useFetch(endpointOf(read), ...args)) as never;

// any begin: the arguments and stored values of other endpoints
/** A change of another result by the response: the endpoint, the params, a function of response and present value. */
export type UpdateParams = readonly (readonly [
  EndpointInterface,
  any,
  (response: any, present: any) => any,
])[];

/** Sends the request: `fetch(params, body)`, or with changes of other results as a third argument. */
export type Fetcher<E extends EndpointInterface> = {
  (...args: ArgsOf<E>): Promise<DataOf<E>>;
  (params: any, body: any, updates?: UpdateParams): Promise<DataOf<E>>;
};
// any end

/** `const update = useFetcher(Article.partialUpdate())`. Reads in flight are always shared. */
export function useFetcher<E extends EndpointInterface | PlainShape>(
  read: E,
  _throttle?: boolean,
): Fetcher<EndpointOf<E>> {
  type Read = EndpointOf<E>;
  const controller = useController();
  const endpoint = endpointOf(read);
  return (...call: readonly unknown[]): Promise<DataOf<Read>> => {
    const [updates] = call.slice(2) as [UpdateParams?];
    const hasNoBody = call.length > 1 && call[1] === undefined && endpoint.length < 2;
    const args = call.slice(0, hasNoBody ? 1 : 2) as ArgsOf<Read>;
    return controller.fetch(updates ? withUpdates(endpoint, updates) : endpoint, ...args);
  };
}

function withUpdates<E extends EndpointInterface>(endpoint: E, updates: UpdateParams): E {
  const update = (response: unknown) =>
    Object.fromEntries(
      updates.map(([other, params, change]) => [
        other.key(params),
        (present: unknown): unknown => change(response, present),
      ]),
    );
  return (endpoint as unknown as { extend(options: object): E }).extend({ update });
}

/** `const invalidate = useInvalidator(Article.detail())` */
export function useInvalidator<E extends EndpointInterface | PlainShape>(
  endpoint: E,
): (...args: ArgsOf<EndpointOf<E>>) => void {
  const controller = useController();
  return (...args) => void controller.invalidate(endpointOf(endpoint), ...args);
}

/** `const reset = useResetter()` */
export function useResetter(): () => void {
  const controller = useController();
  return () => void controller.resetEntireStore();
}

/** When a response was stored, and its error. */
export interface Meta {
  /** Wall time in milliseconds. */
  readonly date: number;
  readonly expiresAt: number;
  readonly error?: UnknownError | undefined;
}

/** The times of the stored response of `endpoint(...args)`; null without a response. */
export function useMeta<E extends ReadEndpoint>(read: E, ...args: ReadArgs<E>): Meta | null {
  const controller = useController();
  const endpoint = endpointOf(read);
  const { fetchedAt, error } = useStatus(endpoint, ...(args as readonly [null]));
  if (args[0] === null || (fetchedAt === undefined && error === undefined)) return null;
  const { expiresAt } = controller.getResponse(endpoint, ...(args as never));
  return { date: fetchedAt ?? 0, expiresAt, ...(error !== undefined && { error }) };
}

/** `const dispatch = useFetchDispatcher(); dispatch(Article.update(), params, body)` */
export function useFetchDispatcher(): DataClientController['fetch'] {
  const controller = useController();
  return (endpoint: EndpointInterface, ...args: readonly [null]) =>
    controller.fetch(endpointOf(endpoint), ...args) as never;
}

/** `const invalidate = useInvalidateDispatcher(); invalidate(Article.list(), {})` */
export function useInvalidateDispatcher(): DataClientController['invalidate'] {
  const controller = useController();
  return (endpoint, ...args) => controller.invalidate(endpointOf(endpoint), ...(args as never));
}
