/** The shared parts of all reading hooks: the request that the params name, and the promise to wait for. */
import {
  createComputed,
  createEffect,
  createMemo,
  createSignal,
  createUniqueId,
  getOwner,
  onCleanup,
  sharedConfig,
  untrack,
} from 'solid-js';
import type { Accessor, Owner, Signal } from 'solid-js';
import { isServer } from 'solid-js/web';
import type { ArgsOf, Controller } from '../../src/Controller.ts';
import type { EndpointInterface } from '../../src/endpoint/Endpoint.ts';
import { toNewReaderResult } from '../../src/store/results/Result.ts';
import type { Result } from '../../src/store/results/Result.ts';
import type { Ready, Reader } from '../../src/view/Reader.ts';
import { liveResult } from '../../src/live/liveResult.ts';
import { errorOf } from '../errorOf.ts';
import { readTracked } from './trackInSolid.ts';
import { useReadingController } from './Provider.ts';

/** The arguments of an endpoint, each as a function. */
export type Params<A extends readonly unknown[]> = { readonly [K in keyof A]: () => A[K] };

export interface QueryHandle {
  readonly reader: Accessor<Reader>;
  readonly result: Accessor<Result>;
  /** The promise to wait for, before the first data. */
  readonly wait: Accessor<Ready | undefined>;
  /** Must be set when `wait` has settled: `wait` is computed again. */
  readonly turn: Signal<object>;
  /** As for a first read: the promise to wait for if the error has expired. */
  readonly again: () => Ready | undefined;
  /** Sends the request, whatever is stored. */
  readonly refetch: () => Promise<unknown>;
}

/** A request, as long as the params name it. */
interface ActiveRead {
  readonly reader: Reader;
  /** The present params; null first if they name no request yet. */
  readonly args: readonly unknown[];
  /** The promise of another read that the params depend on. */
  readonly held: Ready | undefined;
  readonly failed: Result | undefined;
  shown?: boolean;
  /** True once its data were rendered: they stay when the entity is deleted. */
  had?: boolean;
}

/** The visible result of a stay: of its reader, or of the server's reader `from`. */
export function resultAt(
  stay: Pick<ActiveRead, 'reader' | 'had'>,
  from: Reader = stay.reader,
): Result {
  const result = readTracked(liveResult(from));
  const seen = stay.had ? result : toNewReaderResult(result);
  if (seen.status === 'success') stay.had = true;
  return seen;
}

interface ParamsRead {
  readonly owner: Owner | null;
  held: Ready | undefined;
}

// the params that are being evaluated
let asking: ParamsRead | undefined;

/**
 * Called by a read without data: params computed from a placeholder are invalid, so the read that uses them waits, too.
 */
export function suspendParams(wait: Ready): void {
  if (asking !== undefined) asking.held = wait;
}

/** True for a read by the params themselves: the place that reads the params' request suspends, not this read. */
export function isReadByParams(): boolean {
  return asking !== undefined && asking.owner === getOwner();
}

/** What params name, or why they name nothing. */
interface ReadParams<T, R> {
  readonly value?: T;
  readonly named?: R;
  /** The promise of a read that has no data yet: `value` is made of placeholders. */
  readonly held?: Ready;
  readonly error?: Error;
}

/** Evaluates params, and what they name, unless they wait for another read. */
export function readParams<T, R>(params: () => T, name: (value: T) => R): ReadParams<T, R> {
  const outer = asking;
  const mine: ParamsRead = (asking = { owner: getOwner(), held: undefined });
  try {
    const value = params();
    return mine.held === undefined
      ? { value, named: untrack(() => name(value)) }
      : { value, held: mine.held };
  } catch (thrown) {
    return { error: errorOf(thrown) };
  } finally {
    asking = outer;
  }
}

/** The request that the params name now. An exception in the params is kept for the place that reads. */
export function activeRead(
  controller: Controller,
  endpoint: EndpointInterface,
  params: readonly Accessor<unknown>[],
): ActiveRead {
  const stay = (args: readonly unknown[]) => ({
    reader: controller.view(endpoint, ...(args as ArgsOf<EndpointInterface>)),
    args,
  });
  const { named, held, error } = readParams(() => params.map((param) => param()), stay);
  const failed = error && ({ status: 'error', data: undefined, error } as const);
  return { ...(named ?? untrack(() => stay([null]))), held, failed };
}

/** A memo. On a server, where Solid runs each memo only once, it runs again after each turn. */
export function createServerMemo<T>(
  turn: Signal<object>,
  make: (last: T | undefined) => T,
  first?: T,
): Accessor<T> {
  if (!isServer) return createMemo(make, first);
  let at: object | undefined;
  let last = first;
  return () => {
    const now = turn[0]();
    if (at !== now) last = make(last);
    at = now;
    return last as T;
  };
}

/**
 * While hydrating: the server's reader, if its result differs. Solid adopts the server's markup unchanged, so this
 * result must be rendered first. `place`: the id of a read that does not suspend.
 */
export function createHydratingReader(
  reader: Accessor<Reader>,
  place: string | undefined,
): Accessor<Reader | undefined> {
  const [hydrating, hydrate] = createSignal(sharedConfig.context !== undefined);
  createEffect(() => hydrate(false));
  return createMemo(() =>
    hydrating() ? untrack(() => reader().serverReader?.(place)) : undefined,
  );
}

/** `suspends`: whether a server waits for the request. */
export function createQueryHandle(
  hook: string,
  endpoint: EndpointInterface,
  params: readonly Accessor<unknown>[],
  suspends: boolean,
): QueryHandle {
  const controller = useReadingController(hook, endpoint);
  const turn = createSignal<object>({});
  const stay = createServerMemo<ActiveRead>(turn, (last) => {
    turn[0]();
    const next = activeRead(controller, endpoint, params);
    if (last?.reader !== next.reader || last.held !== next.held) return next;
    return last.failed?.error === next.failed?.error ? last : next;
  });
  const reader = () => stay().reader;
  const served = createHydratingReader(reader, suspends ? undefined : createUniqueId());
  const result = () => stay().failed ?? resultAt(stay(), served());
  const wait = createServerMemo(turn, () => {
    const at = stay();
    turn[0]();
    result();
    if (served() || (isServer && !suspends)) return undefined;
    const ready = at.held ?? untrack(() => at.reader.ensure(!at.shown));
    if (!ready) at.shown = true;
    return ready;
  });
  createComputed(() => {
    const shown = reader();
    // effects below a suspended boundary have not run: the cleanup marks the reader as used
    if (!isServer) onCleanup(() => shown.retain()());
  });
  createEffect(() => {
    const shown = reader();
    onCleanup(shown.retain());
    untrack(() => shown.revalidate());
  });
  return {
    reader,
    result,
    wait,
    turn,
    again: () => {
      const at = stay();
      // failed params are computed again, too
      const asks = at.failed ?? untrack(() => at.reader.ensure(true));
      if (!asks) return undefined;
      at.shown = false;
      turn[1]({});
      return wait();
    },
    refetch: () => {
      const args = params.map((param) => untrack(param));
      return controller.fetch(endpoint, ...(args as ArgsOf<EndpointInterface>));
    },
  };
}
