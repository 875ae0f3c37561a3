/** The interface between the versions of Solid and the shared bodies of hooks, and the bodies of hooks that read. */
import { createContext, createMemo, createSignal, mapArray, untrack, useContext } from 'solid-js';
import type { Context } from 'solid-js';
import type { ArgsOf, Controller } from '../../src/Controller.ts';
import { systemClock } from '../../src/clock.ts';
import type { EndpointInterface, ReadEndpoint } from '../../src/endpoint/Endpoint.ts';
import { argumentChecks, refuseMutation } from '../../src/endpoint/argumentChecks.ts';
import { DEV, SignalboxError } from '../../src/errors.ts';
import type { UnknownError } from '../../src/errors.ts';
import { liveResult } from '../../src/live/liveResult.ts';
import { isServer } from '../../src/page.ts';
import type { KeyTest } from '../../src/request/Events.ts';
import type { ReadonlySignal } from '../../src/signals.ts';
import { dataOf, toNewReaderResult } from '../../src/store/StorePort.ts';
import type { Result } from '../../src/store/StorePort.ts';
import type { Reader, Ready } from '../../src/view/Reader.ts';
import { FetchingCountCell, NO_STATUS, statusOf } from '../../src/view/Status.ts';
import type { Status } from '../../src/view/Status.ts';
import { abortIfUnused } from '../Cancellable.ts';
import type { Cancellable, CancellableRequest } from '../Cancellable.ts';
import type { AnyReads } from '../CombinedReader.ts';
import { PreviousData } from '../DLE.ts';
import type { TrackedDLE } from '../DLE.ts';
import { dataOrEmpty } from '../EmptyOf.ts';
import { dataPromise } from '../dataPromise.ts';
import { createInfiniteActions, createInfiniteResult, listCallOf, pagingOf } from '../infinite.ts';
import type { Infinite, InfiniteInputs } from '../infinite.ts';
import { keepPolling } from '../keepPolling.ts';

/** A value that is read by calling it, tracked. */
export type Accessor<T> = () => T;

/** The arguments of an endpoint, each as a function. */
export type Params<A extends readonly unknown[]> = { readonly [K in keyof A]: () => A[K] };

/** Params of any endpoint, as passed to the implementations of hooks: functions. */
export type AnyParams = readonly unknown[];

/** A hook that reads an endpoint. */
export type ReadHook<T> = (endpoint: ReadEndpoint, ...params: readonly Accessor<unknown>[]) => T;

/** A request, as long as the params name that request. */
export interface ActiveRead {
  readonly reader: Reader;
  /** The present params; null first if the params name no request yet. */
  readonly args: readonly unknown[];
  /** The result if the params threw. */
  readonly paramsFailure?: Result | undefined;
  /** True once data were rendered: rendered data stay when the entity is deleted. */
  hadData?: boolean;
}

/** The state of a reading hook. */
export interface QueryHandle {
  readonly reader: Accessor<Reader>;
  readonly result: Accessor<Result>;
  /** The promise to wait for, before the first data. */
  readonly wait: Accessor<Ready | undefined>;
}

/** The functions that differ between Solid 1.9 and Solid 2. All others are imported from `solid-js`. */
export interface SolidRuntime {
  /**
   * Runs `apply`, untracked, after the first render and after each change of the value of `compute`. Before the next
   * run, and at the end, the function that `apply` has returned is called.
   */
  createEffect<T>(compute: Accessor<T>, apply: (value: T) => void | (() => void)): void;
  startTransition(change: () => void): void;
  /** The value of a signal of the store, tracked. */
  readTracked<T>(signal: ReadonlySignal<T>): T;
  /** True on a server, and while server markup is hydrated. */
  createHydrating(): Accessor<boolean>;
  /** While hydrating: a reader of the result that the server has rendered, if different from the present result. */
  createServerReader(reader: Accessor<Reader>): Accessor<Reader | undefined>;
  /** The request that the params name now; a new object at each evaluation of the params. */
  createActiveRead(
    hook: string,
    endpoint: EndpointInterface,
    params: AnyParams,
  ): Accessor<ActiveRead>;
}

/** What a provider provides. */
export interface ProvidedController {
  readonly controller: Controller;
  /** Solid 2: how often boundaries below the provider were reset. Readers then refetch expired errors. */
  readonly resets?: Accessor<number>;
  readonly countReset?: () => void;
}

export const SolidControllerContext: Context<ProvidedController | null> =
  /* @__PURE__ */ createContext<ProvidedController | null>(null);

/** The value of the provider above. Throws A1 without a provider. */
export function useControllerContext(hook: string): ProvidedController {
  const value = useContext(SolidControllerContext);
  if (value === null) throw new SignalboxError('A1', { hook });
  return value;
}

/**
 * The controller for a hook that reads an endpoint. Throws E7 at once: an exception in a memo would be hidden by later
 * ones.
 */
export function useReadingController(hook: string, endpoint: EndpointInterface): Controller {
  refuseMutation(endpoint);
  return useControllerContext(hook).controller;
}

/** A signal that may be written while a computation runs. `T` must not be a function. */
export function createWritable<T>(value: T): readonly [Accessor<T>, (value: T) => void] {
  // Solid 1.9 ignores the option
  const [read, write] = createSignal(value, { ownedWrite: true } as object);
  return [read, write];
}

/** The visible result of a read, or of `reader` in its place. */
export function shownResult(
  { readTracked }: Pick<SolidRuntime, 'readTracked'>,
  read: ActiveRead,
  reader: Reader = read.reader,
): Result {
  // a server renders once: nothing follows single fields
  const result = readTracked(isServer() ? reader.result : liveResult(reader));
  const shown = read.hadData ? result : toNewReaderResult(result);
  if (shown.status === 'success') read.hadData = true;
  return shown;
}

/** `current` returns the present object; `names` are its members. The result must not be destructured. */
export function trackedObject<T extends object>(
  current: Accessor<T>,
  names: readonly (keyof T)[],
): T {
  const members = names.map((name) => [name, { get: () => current()[name], enumerable: true }]);
  return Object.defineProperties({}, Object.fromEntries(members) as PropertyDescriptorMap) as T;
}

/** The present arguments, tracked. */
export function evaluateAll(params: AnyParams): unknown[] {
  return (params as readonly Accessor<unknown>[]).map((param) => param());
}

/** `useCache`. */
export function createCachedData(
  solid: SolidRuntime,
  endpoint: EndpointInterface,
  params: AnyParams,
): Accessor<unknown> {
  const controller = useReadingController('useCache', endpoint);
  const read = createMemo<ActiveRead>((last) => {
    const args = evaluateAll(params) as ArgsOf<EndpointInterface>;
    const reader = untrack(() => controller.view(endpoint, ...args));
    return last?.reader === reader ? last : { reader, args };
  });
  const served = solid.createServerReader(() => read().reader);
  return () => dataOrEmpty(endpoint, dataOf(shownResult(solid, read(), served())));
}

/** `useQuery`. */
export function createSchemaData(
  solid: SolidRuntime,
  schema: unknown,
  params: AnyParams,
): Accessor<unknown> {
  if (DEV) argumentChecks?.schema(schema);
  const controller = useControllerContext('useQuery').controller;
  const reader = createMemo((): Reader => {
    const args = evaluateAll(params);
    return untrack(() => controller.query<unknown>(schema, ...args));
  });
  return () => dataOf(solid.readTracked(liveResult(reader())));
}

/** `useError`. */
export function createError(
  solid: SolidRuntime,
  endpoint: EndpointInterface,
  params: AnyParams,
): Accessor<UnknownError | undefined> {
  const read = solid.createActiveRead('useError', endpoint, params);
  // changes of data do not notify readers of the error
  return createMemo(() => {
    const { reader, paramsFailure } = read();
    return (paramsFailure ?? solid.readTracked(liveResult(reader))).error;
  });
}

/** `useStatus`. */
export function createStatus(
  solid: SolidRuntime,
  endpoint: EndpointInterface,
  params: AnyParams,
): Status {
  const read = solid.createActiveRead('useStatus', endpoint, params);
  const controller = useControllerContext('useStatus').controller;
  const isHydrating = solid.createHydrating();
  const status = createMemo(() => {
    const { reader, paramsFailure } = read();
    if (isHydrating()) return NO_STATUS;
    const stored = solid.readTracked(statusOf(controller, reader));
    return paramsFailure === undefined ? stored : { ...stored, error: paramsFailure.error };
  });
  return trackedObject(status, Object.keys(NO_STATUS) as (keyof Status)[]);
}

/** `useIsFetching`. */
export function createFetchingCount(
  solid: SolidRuntime,
  endpoint: KeyTest | undefined,
): Accessor<number> {
  const { controller } = useControllerContext('useIsFetching');
  const count = new FetchingCountCell(controller, endpoint);
  const isHydrating = solid.createHydrating();
  return () => (isHydrating() ? 0 : solid.readTracked(count));
}

/** `useFetch`. */
export function createDataPromise({ reader, wait }: QueryHandle): Accessor<Promise<unknown>> {
  return () => {
    const current = reader();
    return dataPromise(
      current,
      wait(),
      untrack(() => current.result.peek()),
    );
  };
}

/** `useSubscription`. */
export function createPolling(
  solid: SolidRuntime,
  endpoint: EndpointInterface,
  params: AnyParams,
): void {
  const read = solid.createActiveRead('useSubscription', endpoint, params);
  const { controller } = useControllerContext('useSubscription');
  // params with equal values do not subscribe again, which would resume a polling that a response has ended
  const reader = createMemo(() => read().reader);
  solid.createEffect(reader, () => keepPolling(controller, endpoint, untrack(read).args));
}

/** `useCancelling`. The endpoint object stays the same; its `signal` is the signal of the present arguments. */
export function createAbortOnChange<E extends Cancellable>(
  solid: SolidRuntime,
  endpoint: E,
  params: AnyParams,
): E {
  const read = solid.createActiveRead('useCancelling', endpoint, params);
  // 1 while this component reads the request: this effect runs and waits together with the effect that retains the
  // reader
  const ownReaders = new WeakMap<CancellableRequest, number>();
  const request = createMemo<CancellableRequest>((last) => {
    const { reader } = read();
    if (last?.reader === reader) return last;
    // the effects have run by then
    if (last !== undefined) queueMicrotask(() => abortIfUnused(last, ownReaders.get(last)));
    return { key: reader.key, reader, abort: new AbortController() };
  });
  solid.createEffect(request, (current) => {
    ownReaders.set(current, 1);
    return () => void ownReaders.delete(current);
  });
  const signal = { get: () => untrack(request).abort.signal, configurable: true };
  return Object.defineProperty(endpoint.extend({}) as E, 'signal', signal);
}

/** `useDLE`: `settled`, or the data of the former arguments while `settled` returns undefined. */
export function createPreviousData(
  solid: SolidRuntime,
  endpoint: EndpointInterface,
  reader: Accessor<Reader>,
  settled: Accessor<Result | undefined>,
): Accessor<Result | undefined> {
  const { controller } = useControllerContext('useDLE');
  const previous = new PreviousData<Result>();
  return createMemo(() => {
    const now = settled();
    const current = reader();
    const former =
      now === undefined ? previous.formerReader(controller, endpoint, current) : undefined;
    const present = former && solid.readTracked(liveResult(former));
    const shown =
      former === undefined
        ? now
        : previous.show(present?.status === 'success' ? present : undefined);
    const kept = shown?.status === 'success' ? shown : undefined;
    if (shown !== undefined) previous.keep(controller, endpoint, former ?? current, kept);
    return shown;
  });
}

/** `useInfinite`; `createDLE`: the hook that reads the list. */
export function createInfinite(
  solid: SolidRuntime,
  createDLE: ReadHook<TrackedDLE<unknown>>,
  { endpoint, options }: Pick<InfiniteInputs, 'endpoint' | 'options'>,
  params: Accessor<object | null>,
): Infinite<EndpointInterface> {
  const controller = useReadingController('useInfinite', endpoint);
  const inputs = createMemo((): InfiniteInputs => {
    const value = params();
    const { endpoint: list, args } = listCallOf(endpoint, value);
    const viewArgs = args as ArgsOf<EndpointInterface>;
    const reader = untrack(() => controller.view(list, ...viewArgs));
    return { controller, endpoint, params: value, options, reader };
  });
  const listEndpoint = createMemo(() => listCallOf(endpoint, params()).endpoint);
  const listParams = () => listCallOf(endpoint, params()).args[0];
  const list = createMemo(() => {
    const read = listEndpoint() as ReadEndpoint;
    return untrack(() => createDLE(read, listParams));
  });
  const infinite = createMemo(() => {
    const paging = solid.readTracked(pagingOf(controller, inputs().reader));
    return createInfiniteResult(inputs(), list() as never, paging);
  });
  const names = [
    'data',
    'loading',
    'error',
    'hasNextPage',
    'hasPreviousPage',
    'isFetchingNextPage',
    'isFetchingPreviousPage',
  ] as const;
  const actions = createInfiniteActions(() => untrack(inputs));
  return Object.assign(trackedObject(infinite, names), actions);
}

/** `useDebounce`. */
export function createDebouncedValue<T>(
  solid: SolidRuntime,
  value: Accessor<T>,
  delay: number,
  updatable: Accessor<boolean>,
): [Accessor<T>, Accessor<boolean>] {
  // in an object: Solid calls a bare function
  const [settled, settle] = createWritable({ value: untrack(value) });
  const isPending = (): boolean => !Object.is(settled().value, value());
  let target = untrack(value);
  solid.createEffect(
    () => ({ next: value(), waits: updatable() && isPending(), isSettled: !isPending() }),
    ({ next, waits, isSettled }) => {
      const change = () => {
        target = next;
        solid.startTransition(() => settle({ value: next }));
      };
      // a transition to another value may wait for the new data: `value` was restored meanwhile
      if (isSettled && !Object.is(target, next)) change();
      if (!waits) return undefined;
      const timer = systemClock.after(delay, change);
      return () => systemClock.clear(timer);
    },
  );
  return [() => settled().value, isPending];
}

/** A list of reads with the reader of each. */
export interface ListedReads {
  readonly reads: AnyReads;
  readonly readers: readonly Reader[];
}

/**
 * The hooks of a list of reads: a hook for each reader, kept while the list contains that reader. `createRead`: the
 * hook of a read.
 */
export function createReads<T>(
  listed: Accessor<ListedReads>,
  createRead: ReadHook<T>,
): Accessor<readonly T[]> {
  const known = new WeakMap<Reader, AnyReads[number]>();
  const distinct = createMemo(() => {
    const { reads, readers } = listed();
    return readers.map((reader, at) => {
      if (!known.has(reader)) known.set(reader, reads[at] as AnyReads[number]);
      return known.get(reader) as AnyReads[number];
    });
  });
  // a memo: requests start before anything is read
  return createMemo(
    mapArray(distinct, ([endpoint, ...args]) =>
      createRead(endpoint, ...args.map((arg) => () => arg)),
    ),
  );
}
