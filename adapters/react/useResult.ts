/** Shows the result of a reader: updates keep the lane of the write, so transitions stay transitions. */
import type { Controller } from '../../src/Controller.ts';
import { noop } from '../../src/fetch/promiseTry.ts';
import type { ReadonlySignal } from '../../src/reactive.ts';
import { toNewcomer } from '../../src/store/Result.ts';
import type { Result } from '../../src/store/Result.ts';
import type { Reader } from '../../src/view/Reader.ts';
import { liveResult } from '../../src/live/liveResult.ts';
import { useContext, useEffect, useSyncExternalStore } from './react.ts';
import { ScreenContext } from './ScreenContext.ts';
import { Source, useSource } from './Source.ts';
import type { Facet, Stay } from './Source.ts';
import { timelineOf } from './Timeline.ts';

/** The part of a reader that is shown. */
export interface ResultFacet extends Facet<Result, Reader> {
  readonly sources: WeakMap<Reader, Source<Result>>;
  peek<T>(reader: Reader<T>): Result<T>;
}

/** All of it: immutable snapshots. */
export const whole: ResultFacet = {
  sources: /* @__PURE__ */ new WeakMap(),
  peek: (reader) => reader.result.peek(),
  listen: (reader, listener) => reader.listen(listener),
};

/** Only which rows there are: fields of a row wake nobody. */
export const membership: ResultFacet = {
  sources: /* @__PURE__ */ new WeakMap(),
  peek: (reader) => liveResult(reader).peek(),
  listen: (reader, listener) =>
    follow(liveResult(reader), () => liveResult(reader).peek(), listener),
};

/** Only whether there are data. */
export const standing: ResultFacet = {
  sources: /* @__PURE__ */ new WeakMap(),
  peek(reader) {
    const result = liveResult(reader).peek();
    return result.status === 'success' ? (THERE as typeof result) : result;
  },
  listen: (reader, listener) => follow(liveResult(reader), () => standing.peek(reader), listener),
};

const THERE = { status: 'success', data: undefined, error: undefined } as const;

/** Runs `listener` when `peek` gives another value after `signal` has changed. */
export function follow<T>(signal: ReadonlySignal, peek: () => T, listener: () => void): () => void {
  let last = peek();
  // a subscription begins with a call
  return signal.subscribe(() => {
    const now = peek();
    if (now !== last) listener();
    last = now;
  });
}

export interface Shown<T> {
  readonly result: Result<T>;
  /** True while this component has nothing of this reader on the screen, and nobody to follow. */
  readonly first: boolean;
  /** As `Reader.ensure` takes it. */
  readonly waiter?: object | undefined;
}

const never = () => noop;
const none = (): Reader | undefined => undefined;

/** What is deleted stays for components that have shown it. */
const see = (now: Result, told: Result): Result =>
  told.status === 'success' ? now : toNewcomer(now);

const isShown = (result: Result): boolean =>
  result.status === 'success' && toNewcomer(result) === result;

/*
 *   render            result
 *   ───────────────────────────────────────────────────────────────────────────────────
 *   hydrating         the one that the server has rendered, where the store has moved on since then
 *   not mounted yet   the store, at each attempt: a response may have come meanwhile
 *    … beside others  theirs, with the commits that this render includes
 *    … with others    that of the first of them: the store may go on while React slices the render
 *   pending           the store: a remembered "pending" must not suspend again
 *   else              the one of this lane, whatever the store has now
 */
export function useResult<T>(
  controller: Controller,
  reader: Reader<T>,
  facet: ResultFacet = whole,
  place?: string,
): Shown<T> {
  let source = facet.sources.get(reader);
  if (source === undefined)
    facet.sources.set(reader, (source = new Source(timelineOf(controller), facet, reader)));
  const { timeline } = source;
  // undefined but while React hydrates; should it be another then, React renders again before the paint
  const served = useSyncExternalStore(never, none, () => reader.served?.(place));
  let first = false;
  let waiter: object | undefined;
  const render = (held: Result | undefined, stay: Stay<Result>): Result => {
    if (stay.seat !== undefined) waiter = stay;
    if (served !== undefined) {
      timeline.pass.hydrating = true;
      return facet.peek(served);
    }
    if (held === undefined && waiter !== undefined && stay.waiting !== reader) {
      // a transition that was overtaken, or the render before that is mounted now
      stay.waiting?.leave?.(waiter);
      stay.waiting = reader;
    }
    if (held !== undefined && held.status !== 'pending') return held;
    const now = toNewcomer(source.peek());
    first = held === undefined;
    // only data are held: a reader that waits or failed looks at each attempt. Expired data count as waiting: React
    // renders a suspended tree once more before the promise settles
    const waits = !isShown(now) || reader.ready.status === 'pending';
    const others = first && (source.isRead || !waits) ? source.first() : now;
    if (others === now || !isShown(others)) return now;
    if (source.isRead) first = false;
    return others;
  };
  const result = useSource(source, render, see);
  return { result: result as Result<T>, first, waiter };
}

/** True on a server, and while its markup is hydrated. Where it was, React renders again before the paint. */
export function useUnmounted(): boolean {
  return useSyncExternalStore(never, no, yes);
}

const no = () => false;
const yes = () => true;

/** Keeps what is shown while it is mounted, and asks again where it is stale at mount or at another key. */
export function useKept(reader: Reader): void {
  useEffect(() => {
    const release = reader.retain();
    reader.revalidate();
    return release;
  }, [reader]);
  const { useReturn } = useContext(ScreenContext);
  // eslint-disable-next-line react/hooks -- the same at every render of a provider
  useReturn(reader);
}
