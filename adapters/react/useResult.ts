/** Holds the result of a reader in React state: updates keep the lane of whoever wrote, so transitions stay ones. */
import { useMemo } from 'react';
import type { ReadonlySignal } from '../../src/reactive.ts';
import { toNewcomer } from '../../src/store/Result.ts';
import type { Result } from '../../src/store/Result.ts';
import { isServer } from '../../src/surroundings.ts';
import { noop } from '../../src/fetch/promiseTry.ts';
import type { Reader } from '../../src/view/Reader.ts';
import { liveResult } from '../../src/live/liveResult.ts';
import { Audience } from './Audience.ts';
import type { Seat } from './Audience.ts';
import { ScreenContext } from './ScreenContext.ts';
import {
  useContext,
  useEffect,
  useInsertionEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from './react.ts';

/** What of a reader is shown, and when to look again. Must be the same object at every render. */
export interface Facet {
  readonly audience: Audience;
  peek<T>(reader: Reader<T>): Result<T>;
  listen(reader: Reader, listener: () => void): () => void;
}

/** All of it: immutable snapshots. */
export const whole: Facet = {
  audience: /* @__PURE__ */ new Audience(),
  peek: (reader) => reader.result.peek(),
  listen: (reader, listener) => reader.listen(listener),
};

/** Only which rows there are: fields of a row wake nobody. */
export const membership: Facet = {
  audience: /* @__PURE__ */ new Audience(),
  peek: (reader) => liveResult(reader).peek(),
  listen: (reader, listener) =>
    follow(liveResult(reader), () => liveResult(reader).peek(), listener),
};

/** Only whether there are data. */
export const standing: Facet = {
  audience: /* @__PURE__ */ new Audience(),
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
}

interface Held {
  readonly reader: Reader;
  readonly result: Result;
}

// on a server there is no layout, and React 18 says so at each use
const useLayout: typeof useEffect = isServer() ? useEffect : useLayoutEffect;

const never = () => noop;
const none = (): Reader | undefined => undefined;

/*
 *   render            what is shown
 *   ───────────────────────────────────────────────────────────────────────────────────
 *   hydrating         what the server has drawn, where the store has moved on since then
 *   not shown yet     the store, at each attempt: an answer may have come meanwhile
 *    … beside others  what they show, where the store is ahead of them: a transition is under way
 *    … with others    what the first of them rendered: the store may go on while React slices the pass
 *   pending           the store: a remembered "pending" must not suspend again
 *   else              what was held when this lane was written, whatever the store says now
 */
export function useResult<T>(reader: Reader<T>, facet: Facet = whole, place?: string): Shown<T> {
  const [held, hold] = useState<Held>();
  const { current: seat } = useRef<Seat>({ reader: undefined, drawn: undefined, told: undefined });
  const fresh = seat.reader !== reader;
  // what is deleted stays for who has shown it
  const look = (now: Result = facet.peek(reader)): Result =>
    seat.reader === reader && seat.told?.status === 'success' ? now : toNewcomer(now);
  const shown = useMemo(
    () => ({ result: held?.reader === reader ? held.result : facet.peek(reader) }),
    [reader, held, facet],
  );
  // undefined but while React hydrates; should it be another then, React renders again before the paint
  const served = useSyncExternalStore(never, none, () => reader.served?.(place));
  let follows = served !== undefined;
  if (served !== undefined) shown.result = facet.peek(served);
  else if (fresh || shown.result.status === 'pending') {
    const now = look();
    const others = fresh ? facet.audience.drawn(reader) : undefined;
    follows = others !== undefined && others !== now;
    shown.result = others ?? (fresh ? facet.audience.begun(reader, now) : now);
  }
  const { result } = shown;

  // before the layout effects of this commit, which look at what the others have drawn
  useInsertionEffect(() => {
    if (seat.reader === reader) seat.drawn = result;
  }, [seat, reader, result]);

  // at mount, at another key and when shown again: before paint, and never after other renders, whose
  // pending transitions it would undo
  useLayout(() => {
    const { audience } = facet;
    const tell = (now: Result = look()) => {
      // an unchanged value would cost a whole pass of the next transition
      if (now === seat.told) return;
      seat.told = now;
      hold({ reader, result: now });
    };
    Object.assign(seat, { reader, told: result });
    const drawn = look(audience.drawn(reader));
    const leave = audience.enter(reader, Object.assign(seat, { drawn }));
    tell(drawn);
    if (drawn !== look()) audience.follow(reader, seat, (theirs) => tell(look(theirs)));
    const stop = facet.listen(reader, () => {
      audience.unfollow(reader, seat);
      tell();
    });
    return () => {
      stop();
      leave();
    };
    // `look` is the same of each render; `result` is what the render showed that is being laid out
    // eslint-disable-next-line react/exhaustive-deps
  }, [seat, reader, facet]);

  useLayout(() => {
    facet.audience.moved(reader, seat);
  }, [seat, reader, facet, result]);
  return { result: result as Result<T>, first: fresh && !follows };
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
