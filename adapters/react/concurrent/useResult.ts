/** Renders the result of a reader: updates keep the lane of the write, so transitions stay transitions. */
import type { Controller } from '../../../src/Controller.ts';
import { liveResult } from '../../../src/live/liveResult.ts';
import { noop } from '../../../src/request/promiseTry.ts';
import type { ReadonlySignal } from '../../../src/signals.ts';
import { toNewReaderResult } from '../../../src/store/StorePort.ts';
import type { Result } from '../../../src/store/StorePort.ts';
import type { Reader, Ready } from '../../../src/view/Reader.ts';
import { useContext, useEffect, useRef, useSyncExternalStore } from '../react.ts';
import { ScreenContext } from '../reactHooks.ts';
import { commitTrackerOf } from './CommitTracker.ts';
import { MutableSource, useMutableSource } from './MutableSource.ts';
import type { Instance, Selector } from './MutableSource.ts';

/** The selected part of a reader's result. */
export interface ResultSelector extends Selector<Result, Reader> {
  readonly sources: WeakMap<Reader, MutableSource<Result>>;
  peek<T>(reader: Reader<T>): Result<T>;
}

/** The result of a reader with immutable snapshots. */
export const snapshotResult = (reader: Reader): ReadonlySignal<Result> => reader.result;

/** The complete result: immutable snapshots. */
export const fullResult: ResultSelector = {
  sources: /* @__PURE__ */ new WeakMap(),
  peek: (reader) => reader.result.peek(),
  listen: (reader, listener) => reader.listen(listener),
};

/** Only the membership of rows: changes of a row's fields notify no reader. */
export const rowsOnly: ResultSelector = {
  sources: /* @__PURE__ */ new WeakMap(),
  peek: (reader) => liveResult(reader).peek(),
  listen: (reader, listener) =>
    subscribeSelected(liveResult(reader), () => liveResult(reader).peek(), listener),
};

/** Only whether there are data. */
export const statusOnly: ResultSelector = {
  sources: /* @__PURE__ */ new WeakMap(),
  peek(reader) {
    const result = liveResult(reader).peek();
    return result.status === 'success' ? (SUCCESS as typeof result) : result;
  },
  listen: (reader, listener) =>
    subscribeSelected(liveResult(reader), () => statusOnly.peek(reader), listener),
};

const SUCCESS = { status: 'success', data: undefined, error: undefined } as const;

/** Runs `listener` if `peek` returns another value after `signal` has changed. */
export function subscribeSelected<T>(
  signal: ReadonlySignal,
  peek: () => T,
  listener: () => void,
): () => void {
  let last = peek();
  // subscribe calls the callback at once
  return signal.subscribe(() => {
    const present = peek();
    if (present !== last) listener();
    last = present;
  });
}

interface ShownResult<T> {
  readonly result: Result<T>;
  /** True while this component has rendered nothing of this reader, and no other component has. */
  readonly first: boolean;
  /** The second argument of `Reader.ensure`. */
  readonly waiter?: object | undefined;
}

/** Data of a deleted entity stay for components that have rendered the entity. */
const toVisible = (result: Result, before: Result): Result =>
  before.status === 'success' ? result : toNewReaderResult(result);

const hasPresentData = (result: Result): boolean =>
  result.status === 'success' && toNewReaderResult(result) === result;

/*
 *   render            result
 *   ───────────────────────────────────────────────────────────────────────────────────
 *   hydrating         the result that the server has rendered, if the store has changed since
 *   not mounted yet   the store, at each attempt: a response may have come meanwhile
 *    … beside others  the result of the others, with the commits that this render includes
 *    … with others    the result of the first of them: the store may change while React slices the render
 *   pending           the store: a remembered "pending" must not suspend again
 *   else              the result of this lane, whatever the store has now
 */
export function useResult<T>(
  controller: Controller,
  reader: Reader<T>,
  selector: ResultSelector = fullResult,
  place?: string,
): ShownResult<T> {
  const source = sourceOf(controller, reader, selector);
  // undefined except while React hydrates; if the value differs after that, React renders again before the paint
  const served = useSyncExternalStore(subscribeNever, noReader, () => reader.serverReader?.(place));
  let first = false;
  let waiter: object | undefined;
  const render = (stateValue: Result | undefined, instance: Instance<Result>): Result => {
    if (instance.mount !== undefined) waiter = instance;
    if (served !== undefined) {
      source.tracker.pass.isHydrating = true;
      return selector.peek(served);
    }
    if (stateValue === undefined && waiter !== undefined && instance.pendingReader !== reader) {
      // an overtaken transition, or the previous render, which is mounted now
      instance.pendingReader?.removeWaiter?.(waiter);
      instance.pendingReader = reader;
    }
    if (stateValue !== undefined && stateValue.status !== 'pending') return stateValue;
    const stored = source.toIncluded(toNewReaderResult(source.peek()));
    if (stateValue !== undefined) return stored;
    first = true;
    // only data are kept: a pending or failed reader reads the store at each attempt. Expired data count as pending:
    // React renders a suspended tree once more before the promise settles
    const waits = !hasPresentData(stored) || reader.ready.status === 'pending';
    if (waits && !source.hasReaders) return stored;
    const shared = source.initialValue();
    if (shared === stored || !hasPresentData(shared)) return stored;
    first = !source.hasReaders;
    return shared;
  };
  const result = useMutableSource(source, render, toVisible);
  return { result: result as Result<T>, first, waiter };
}

const subscribeNever = () => noop;
const noReader = (): Reader | undefined => undefined;

function sourceOf(
  controller: Controller,
  reader: Reader,
  selector: ResultSelector,
): MutableSource<Result> {
  let source = selector.sources.get(reader);
  if (source === undefined) {
    source = new MutableSource(commitTrackerOf(controller), selector, reader);
    selector.sources.set(reader, source);
  }
  return source;
}

/**
 * The promise to wait for, or undefined. A component that renders this reader's data does not fetch: in a pending
 * transition, the old content stays.
 */
export function suspensePromise(
  reader: Reader,
  { result, first, waiter }: ShownResult<unknown>,
): Ready | undefined {
  return first || result.status === 'pending' ? reader.ensure(first, waiter) : undefined;
}

/**
 * Suspends the rendering component until `wait` has settled. Throws the promise, in React 19 too: a synchronous `act`
 * (Testing Library's `render`) then commits the fallback, and the settled promise schedules a render. With `use`, React
 * 19 drops the suspended render, and never renders anything.
 */
export function suspend(controller: Controller, wait: Ready | undefined): void {
  if (wait === undefined) return;
  commitTrackerOf(controller).onSuspend(wait);
  // eslint-disable-next-line typescript/only-throw-error
  throw wait;
}

/** True on a server, and while server markup is hydrated. After hydration React renders again before the paint. */
export function useIsHydrating(): boolean {
  return useSyncExternalStore(
    subscribeNever,
    () => false,
    () => true,
  );
}

/** Retains the reader while the component is mounted, and refetches stale data at mount or at another key. */
export function useRetain(reader: Reader): void {
  const former = useRef<Reader>(undefined);
  useEffect(() => {
    const release = reader.retain();
    reader.revalidate(former.current);
    former.current = reader;
    return release;
  }, [reader]);
  const { useReturn } = useContext(ScreenContext);
  // eslint-disable-next-line react/hooks -- the same at every render of a provider
  useReturn(reader);
}
