/** Renders the result of a reader: updates keep the lane of the write, so transitions stay transitions. */
import type { Controller } from '../../../src/Controller.ts';
import { noop } from '../../../src/request/promiseTry.ts';
import type { ReadonlySignal } from '../../../src/signals.ts';
import { toNewReaderResult } from '../../../src/store/results/Result.ts';
import type { Result } from '../../../src/store/results/Result.ts';
import type { Reader } from '../../../src/view/Reader.ts';
import { liveResult } from '../../../src/live/liveResult.ts';
import { useContext, useEffect, useRef, useSyncExternalStore } from '../react.ts';
import { ScreenContext } from '../ScreenContext.ts';
import { Source, useSource } from './Source.ts';
import type { Selector, Stay } from './Source.ts';
import { timelineOf } from './Timeline.ts';

/** The selected part of a reader's result. */
export interface ResultSelector extends Selector<Result, Reader> {
  readonly sources: WeakMap<Reader, Source<Result>>;
  peek<T>(reader: Reader<T>): Result<T>;
}

/** The result of a reader with immutable snapshots. */
export const snapshots = (reader: Reader): ReadonlySignal<Result> => reader.result;

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
    return result.status === 'success' ? (THERE as typeof result) : result;
  },
  listen: (reader, listener) =>
    subscribeSelected(liveResult(reader), () => statusOnly.peek(reader), listener),
};

const THERE = { status: 'success', data: undefined, error: undefined } as const;

/** Runs `listener` if `peek` returns another value after `signal` has changed. */
export function subscribeSelected<T>(
  signal: ReadonlySignal,
  peek: () => T,
  listener: () => void,
): () => void {
  let last = peek();
  // subscribe calls the callback at once
  return signal.subscribe(() => {
    const now = peek();
    if (now !== last) listener();
    last = now;
  });
}

export interface ShownResult<T> {
  readonly result: Result<T>;
  /** True while this component has rendered nothing of this reader, and no other component has. */
  readonly first: boolean;
  /** The second argument of `Reader.ensure`. */
  readonly waiter?: object | undefined;
}

const never = () => noop;
const none = (): Reader | undefined => undefined;

/** Data of a deleted entity stay for components that have rendered the entity. */
const see = (now: Result, told: Result): Result =>
  told.status === 'success' ? now : toNewReaderResult(now);

const isShown = (result: Result): boolean =>
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
  facet: ResultSelector = fullResult,
  place?: string,
): ShownResult<T> {
  let source = facet.sources.get(reader);
  if (source === undefined)
    facet.sources.set(reader, (source = new Source(timelineOf(controller), facet, reader)));
  const { timeline } = source;
  // undefined except while React hydrates; if the value differs after that, React renders again before the paint
  const served = useSyncExternalStore(never, none, () => reader.serverReader?.(place));
  let first = false;
  let waiter: object | undefined;
  const render = (held: Result | undefined, stay: Stay<Result>): Result => {
    if (stay.seat !== undefined) waiter = stay;
    if (served !== undefined) {
      timeline.pass.hydrating = true;
      return facet.peek(served);
    }
    if (held === undefined && waiter !== undefined && stay.waiting !== reader) {
      // an overtaken transition, or the previous render, which is mounted now
      stay.waiting?.removeWaiter?.(waiter);
      stay.waiting = reader;
    }
    if (held !== undefined && held.status !== 'pending') return held;
    const now = toNewReaderResult(source.peek());
    first = held === undefined;
    // only data are kept: a pending or failed reader reads the store at each attempt. Expired data count as pending:
    // React renders a suspended tree once more before the promise settles
    const waits = !isShown(now) || reader.ready.status === 'pending';
    const others = first && (source.isRead || !waits) ? source.first() : now;
    if (others === now || !isShown(others)) return now;
    if (source.isRead) first = false;
    return others;
  };
  const result = useSource(source, render, see);
  return { result: result as Result<T>, first, waiter };
}

/** True on a server, and while its markup is hydrated. After hydration React renders again before the paint. */
export function useIsHydrating(): boolean {
  return useSyncExternalStore(never, no, yes);
}

const no = () => false;
const yes = () => true;

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
