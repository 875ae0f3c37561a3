/** Runs a hook in a component of its own, under a controller that answers from fixtures. */
import { passed, nextMicrotask, systemClock } from '../clock.ts';
import type { Controller } from '../Controller.ts';
import { contextOf } from '../fetch/FetchContext.ts';
import type { Fixture } from './Fixture.ts';
import { noop } from '../fetch/promiseTry.ts';
import { mockController } from './mockController.ts';
import type { MockOptions } from './mockController.ts';

/** `Wrapper`: a component of the framework. */
export interface RenderHookOptions<P, T, Wrapper> extends Omit<MockOptions<T>, 'fixtures'> {
  /** What the callback gets until `rerender` gives it something else. */
  readonly initialProps?: P | undefined;
  /**
   * What answers requests. What none fits goes to the network, as without any of them: with a warning, unless
   * `silenceMissing` is true.
   */
  readonly resolverFixtures?: readonly Fixture<T>[] | undefined;
  /** Stands around the component that calls the hook, inside of the provider. */
  readonly wrapper?: Wrapper | undefined;
}

// ms between two tries
const INTERVAL = 10;

/**
 * How long `waitFor` tries. Times are in milliseconds of the machine, also where the clock of a controller stands. Fake
 * timers of the test runner are advanced by as much.
 */
export interface WaitOptions {
  /** Milliseconds after which the last failure counts. Default 1,000. */
  readonly timeout?: number | undefined;
  /** Milliseconds between two tries. Default 10. */
  readonly interval?: number | undefined;
}

/** One call of a hook, mounted. */
export interface RenderDataHookResult<P, R> {
  readonly result: {
    /** What the hook gave last; undefined while it waits for the first time. */
    readonly current: R;
    /** What it threw. */
    readonly error: Error | undefined;
  };
  readonly controller: Controller;
  /** Calls the hook again, with other props where they are given. */
  readonly rerender: (props?: P) => void;
  readonly unmount: () => void;
  /** Unmounts and resets the controller. Where there is a global `afterEach` it happens by itself. */
  readonly cleanup: () => void;
  /** Resolves when no request is under way any more, and what came is drawn. */
  readonly allSettled: () => Promise<void>;
  /** Tries until the callback neither throws nor gives false; gives what it gave. Rejects with what it threw last. */
  readonly waitFor: <V>(callback: () => V | Promise<V>, options?: WaitOptions) => Promise<V>;
  /** Resolves when the hook has given something again. */
  readonly waitForNextUpdate: (options?: WaitOptions) => Promise<void>;
}

/** `renderDataHook(() => useSuspense(TodoResource.get, {id: 5}), {resolverFixtures: […]})`: each call with a new store. */
export interface RenderDataHook<Wrapper> {
  <P, R, T = unknown>(
    callback: (props: P) => R,
    options?: RenderHookOptions<P, T, Wrapper>,
  ): RenderDataHookResult<P, R>;
  /** Cleans up all that are mounted. */
  readonly cleanup: () => void;
  /** Resolves when none of those that are mounted has a request under way. */
  readonly allSettled: () => Promise<void>;
}

/** What the hook did. */
export interface Report {
  readonly current?: unknown;
  readonly error?: Error;
}

/** What the framework is to draw: provider, wrapper, boundaries, and inside of them a component that calls the hook. */
export interface Scene<Wrapper> {
  readonly controller: Controller;
  readonly callback: (props: never) => unknown;
  readonly wrapper: Wrapper | undefined;
  readonly tell: (report: Report) => void;
}

/** Something on the page, until its end. */
export interface Stage<T> {
  readonly draw: (next: T) => void;
  /** Renders now what waits for a render: updates, and a hook that is suspended. */
  readonly flush: () => void;
  readonly end: () => void;
}

/** What a framework lends. */
export interface Theatre<Wrapper> {
  /** Draws at once, and gives how to draw with other props and how to end. */
  readonly mount: (scene: Scene<Wrapper>, props: unknown) => Stage<unknown>;
  /** Until the function given back is called, the framework renders without a word about `act`. */
  readonly leaveAct?: (() => () => void) | undefined;
  /** Until the function given back is called, it renders updates synchronously. */
  readonly renderAtOnce?: (() => () => void) | undefined;
}

interface Mounted {
  readonly cleanup: () => void;
  readonly allSettled: () => Promise<void>;
}

/** All that any `renderDataHook` has mounted: one `afterEach` cleans up after those made by `makeRenderDataHook`, too. */
const everywhere = new Set<Mounted>();

/** `renderDataHook` of a framework. */
export function renderingWith<Wrapper>(theatre: Theatre<Wrapper>): RenderDataHook<Wrapper> {
  const mounted = new Set<Mounted>();
  const render: RenderDataHookOf<Wrapper> = (callback, options = {}) => {
    const play = perform(theatre, callback, options);
    const cleanup = () => {
      if (!mounted.delete(hook)) return;
      everywhere.delete(hook);
      play.cleanup();
    };
    const hook = { ...play, cleanup };
    mounted.add(hook);
    everywhere.add(hook);
    return hook;
  };
  return Object.assign(render, {
    cleanup: () => cleanUp(mounted),
    async allSettled() {
      await Promise.all(Array.from(mounted, (play) => play.allSettled()));
    },
  }) as RenderDataHook<Wrapper>;
}

type RenderDataHookOf<Wrapper> = (
  callback: (props: never) => unknown,
  options?: RenderHookOptions<unknown, unknown, Wrapper>,
) => RenderDataHookResult<unknown, unknown>;

function perform<Wrapper>(
  theatre: Theatre<Wrapper>,
  callback: (props: never) => unknown,
  options: RenderHookOptions<unknown, unknown, Wrapper>,
): RenderDataHookResult<unknown, unknown> {
  const { initialProps, resolverFixtures, wrapper, ...rest } = options;
  const { silenceMissing = resolverFixtures === undefined } = rest;
  const controller = mockController({ ...rest, fixtures: resolverFixtures, silenceMissing });
  const result: { current?: unknown; error?: Error | undefined } = {};
  let updates = 0;
  const tell = (report: Report) => {
    updates++;
    Object.assign(result, { error: undefined, ...report });
  };
  let props = initialProps;
  const { draw, flush, end } = theatre.mount({ controller, callback, wrapper, tell }, props);
  const { leaveAct = () => noop } = theatre;
  const unwrap = controller.wrapCommits(renderingAfter(theatre, flush));
  const pause = async (ms: number) => {
    const back = leaveAct();
    await passed(ms);
    flush();
    back();
  };
  return {
    result: result as RenderDataHookResult<unknown, unknown>['result'],
    controller,
    rerender: (next = props) => draw((props = next)),
    unmount: end,
    cleanup() {
      unwrap();
      end();
      controller.reset();
    },
    async allSettled() {
      do await pause(INTERVAL);
      while (contextOf(controller).inflight.flights.size > 0);
    },
    waitFor: (callback, wait) => waitFor(callback, pause, wait),
    async waitForNextUpdate(wait) {
      const before = updates;
      await waitFor(() => updates > before, pause, wait);
    },
  };
}

/** Runs a commit, and `flush` behind it: before those go on who await the verb that wrote. */
function renderingAfter<Wrapper>(theatre: Theatre<Wrapper>, flush: () => void) {
  const { leaveAct = () => noop, renderAtOnce = () => noop } = theatre;
  return (commit: () => void): void => {
    const back = leaveAct();
    try {
      commit();
    } finally {
      const later = renderAtOnce();
      // behind the promises that the commit has settled; a framework must not render while it renders or runs effects
      void nextMicrotask(() => {
        try {
          flush();
        } finally {
          later();
          back();
        }
      });
    }
  };
}

async function waitFor<V>(
  callback: () => V | Promise<V>,
  pause: (ms: number) => Promise<void>,
  { timeout = 1_000, interval = INTERVAL }: WaitOptions = {},
): Promise<V> {
  const until = systemClock.now() + timeout;
  // tries are counted as well: fake timers may hold the date
  for (let tries = timeout / interval; ; tries--) {
    try {
      const value = await callback();
      if (value !== false) return value;
      throw new Error(`waitFor: the callback gave false for ${timeout} ms`);
    } catch (error) {
      if (tries <= 0 || systemClock.now() >= until) throw error;
    }
    await pause(interval);
  }
}

function cleanUp(mounted: Iterable<Mounted>): void {
  for (const hook of mounted) hook.cleanup();
}

/** Cleans up after each test, where the test runner has a global `afterEach`. To be called while a module loads. */
export function cleanUpAfterEach(): void {
  const { afterEach } = globalThis as { afterEach?: (job: () => void) => void };
  afterEach?.(() => cleanUp(everywhere));
}
