/** The functions of Solid 1.9 for the shared bodies of hooks: a resource suspends, so reads find out when to wait. */
import {
  createComputed,
  createEffect,
  createMemo,
  createSignal,
  createUniqueId,
  getListener,
  getOwner,
  onCleanup,
  sharedConfig,
  startTransition,
  untrack,
} from 'solid-js';
import type { Accessor, Owner, Signal } from 'solid-js';
import { isServer } from 'solid-js/web';
import type { ArgsOf, Controller } from '../../src/Controller.ts';
import type { EndpointInterface } from '../../src/endpoint/Endpoint.ts';
import type { Reader, Ready } from '../../src/view/Reader.ts';
import { findReaders } from '../CombinedReader.ts';
import type { AnyReads } from '../CombinedReader.ts';
import { createInterop } from '../signalInterop.ts';
import type { SignalInterop } from '../signalInterop.ts';
import {
  createReads,
  evaluateAll,
  shownResult,
  useControllerContext,
  useReadingController,
} from '../solid-shared/SolidRuntime.ts';
import type {
  ActiveRead,
  AnyParams,
  QueryHandle,
  ReadHook,
  SolidRuntime,
} from '../solid-shared/SolidRuntime.ts';
import { toError } from '../toError.ts';

/** The signals of the store as Solid's: a signal for each cell that is read in a computation of Solid's. */
export const solidInterop: SignalInterop = /* @__PURE__ */ createInterop({
  isTracking: () => getListener() !== null && getOwner() !== null,
  createSignal: () => createSignal(0),
  onCleanup,
});

/** The controller of the provider above. Throws A1 without a provider. */
export function useController(hook = 'useController'): Controller {
  return useControllerContext(hook).controller;
}

/** A query handle whose readers suspend by hand. */
export interface SuspendingHandle extends QueryHandle {
  /** Must be set when `wait` has settled: `wait` is computed again. */
  readonly revision: Signal<object>;
  /** As for a first read: the promise to wait for if the error has expired. */
  readonly retry: () => Ready | undefined;
  /** Sends the request, whatever is stored. */
  readonly refetch: () => Promise<unknown>;
}

/** A read that may wait for the read of another component. */
interface DependentRead extends ActiveRead {
  /** The promise of another read that the params depend on. */
  readonly dependency: Ready | undefined;
  /** True once there was a result to render. */
  wasReady?: boolean;
}

/** The evaluation of params that is running. */
interface Evaluation {
  readonly owner: Owner | null;
  dependency: Ready | undefined;
}

let evaluation: Evaluation | undefined;

/**
 * Called by a read without data: params computed from a placeholder are invalid, so the read with these params waits,
 * too.
 */
export function suspendParams(wait: Ready): void {
  if (evaluation !== undefined) evaluation.dependency = wait;
}

/** True for a read by the params themselves: the place that reads the params' request suspends, not this read. */
export function isReadByParams(): boolean {
  return evaluation !== undefined && evaluation.owner === getOwner();
}

/** Evaluated params. */
interface EvaluatedParams<T, R> {
  readonly value?: T;
  /** The result of `resolve` for `value`. */
  readonly resolved?: R;
  /** The promise of a read that has no data yet: `value` is made of placeholders. */
  readonly dependency?: Ready;
  readonly error?: Error;
}

/** Evaluates params, and passes the values to `resolve` unless the params wait for another read. */
function evaluateParams<T, R>(
  params: Accessor<T>,
  resolve: (value: T) => R,
): EvaluatedParams<T, R> {
  const outer = evaluation;
  const current: Evaluation = (evaluation = { owner: getOwner(), dependency: undefined });
  try {
    const value = params();
    return current.dependency === undefined
      ? { value, resolved: untrack(() => resolve(value)) }
      : { value, dependency: current.dependency };
  } catch (thrown) {
    return { error: toError(thrown) };
  } finally {
    evaluation = outer;
  }
}

/** The request that the params name now. An exception in the params is kept for the place that reads. */
function evaluateRead(
  controller: Controller,
  endpoint: EndpointInterface,
  params: AnyParams,
): DependentRead {
  const find = (args: readonly unknown[]) => ({
    reader: controller.view(endpoint, ...(args as ArgsOf<EndpointInterface>)),
    args,
  });
  const { resolved, dependency, error } = evaluateParams<readonly unknown[], ActiveRead>(
    () => evaluateAll(params),
    find,
  );
  const paramsFailure = error && ({ status: 'error', data: undefined, error } as const);
  return { ...(resolved ?? untrack(() => find([null]))), dependency, paramsFailure };
}

/** A memo. On a server, where Solid runs each memo only once, the function runs again after each revision. */
export function createServerMemo<T>(
  revision: Signal<object>,
  compute: (last: T | undefined) => T,
  first?: T,
): Accessor<T> {
  if (!isServer) return createMemo(compute, first);
  let computedAt: object | undefined;
  let last = first;
  return () => {
    const now = revision[0]();
    if (computedAt !== now) last = compute(last);
    computedAt = now;
    return last as T;
  };
}

/**
 * Solid adopts the server's markup unchanged, so the server's result must be rendered first. `place`: the id of a read
 * that does not suspend.
 */
function createServerReader(
  reader: Accessor<Reader>,
  place: string | undefined,
): Accessor<Reader | undefined> {
  const isHydrating = createIsMounting(sharedConfig.context !== undefined);
  return createMemo(() =>
    isHydrating() ? untrack(() => reader().serverReader?.(place)) : undefined,
  );
}

/** `initial` until the component is mounted, then false. */
function createIsMounting(initial: boolean): Accessor<boolean> {
  const [isMounting, setMounting] = createSignal(initial);
  createEffect(() => setMounting(false));
  return isMounting;
}

/** `suspends`: whether a server waits for the request. */
export function createQueryHandle(
  hook: string,
  endpoint: EndpointInterface,
  params: AnyParams,
  suspends: boolean,
): SuspendingHandle {
  const controller = useReadingController(hook, endpoint);
  const revision = createSignal<object>({});
  const [trackRevision, setRevision] = revision;
  const read = createServerMemo<DependentRead>(revision, (last) => {
    trackRevision();
    const next = evaluateRead(controller, endpoint, params);
    if (last?.reader !== next.reader || last.dependency !== next.dependency) return next;
    return last.paramsFailure?.error === next.paramsFailure?.error ? last : next;
  });
  const reader = () => read().reader;
  const served = createServerReader(reader, suspends ? undefined : createUniqueId());
  const result = () => read().paramsFailure ?? shownResult(solidInterop, read(), served());
  const wait = createServerMemo(revision, () => {
    const current = read();
    trackRevision();
    result();
    if (served() || (isServer && !suspends)) return undefined;
    const ready = current.dependency ?? untrack(() => current.reader.ensure(!current.wasReady));
    if (!ready) current.wasReady = true;
    return ready;
  });
  retainWhileMounted(reader);
  return {
    reader,
    result,
    wait,
    revision,
    retry: () => {
      const current = read();
      // failed params are computed again, too
      const needsRetry = current.paramsFailure ?? untrack(() => current.reader.ensure(true));
      if (!needsRetry) return undefined;
      current.wasReady = false;
      setRevision({});
      return wait();
    },
    refetch: () => {
      const args = untrack(() => evaluateAll(params));
      return controller.fetch(endpoint, ...(args as ArgsOf<EndpointInterface>));
    },
  };
}

function retainWhileMounted(reader: Accessor<Reader>): void {
  createComputed(() => {
    const current = reader();
    // effects below a suspended boundary have not run: the cleanup marks the reader as used
    if (!isServer) onCleanup(() => current.retain()());
  });
  createEffect(() => {
    const current = reader();
    onCleanup(current.retain());
    untrack(() => current.revalidate());
  });
}

/** A list of reads that may wait for the data of another read. */
interface DependentReads<T> {
  /** The result of each hook. Throws the exception of the function that lists the reads. */
  readonly each: Accessor<readonly T[]>;
  /** As `each`, and empty where that throws. */
  readonly known: Accessor<readonly T[]>;
  /** The reads, made of placeholders, while waiting for another accessor. */
  readonly placeholders: Accessor<AnyReads | undefined>;
}

/** `createRead`: the hook of a read. An exception of `reads` is thrown at the place that reads. */
export function createDependentReads<T>(
  hook: string,
  reads: Accessor<AnyReads>,
  createRead: ReadHook<T>,
): DependentReads<T> {
  const { controller } = useControllerContext(hook);
  const current = createMemo(() =>
    evaluateParams<AnyReads, readonly Reader[]>(reads, (value) => findReaders(controller, value)),
  );
  const listed = () => ({ reads: current().value ?? [], readers: current().resolved ?? [] });
  const known = createReads(listed, createRead);
  return {
    known,
    each: () => {
      const { error } = current();
      if (error !== undefined) throw error;
      return known();
    },
    placeholders: () => (current().dependency === undefined ? undefined : current().value),
  };
}

export const solidRuntime: SolidRuntime = {
  createEffect(compute, apply) {
    createEffect(() => {
      const value = compute();
      const cleanUp = untrack(() => apply(value));
      if (cleanUp !== undefined) onCleanup(cleanUp);
    });
  },
  startTransition: (change) => void startTransition(change),
  readTracked: (signal) => solidInterop.readTracked(signal),
  createHydrating: () => createIsMounting(isServer || sharedConfig.context !== undefined),
  createServerReader: (reader) => createServerReader(reader, createUniqueId()),
  createActiveRead(hook, endpoint, params) {
    const controller = useReadingController(hook, endpoint);
    return createMemo(() => evaluateRead(controller, endpoint, params));
  },
};
