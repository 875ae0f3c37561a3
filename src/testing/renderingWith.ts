/** Runs a hook in a component of its own, under a controller that answers from fixtures. */
import { systemClock } from '../clock.ts';
import type { Controller } from '../Controller.ts';
import { deskOf } from '../fetch/Desk.ts';
import type { Fixture } from './Fixture.ts';
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

/** How long `waitFor` tries. Times are in milliseconds of the machine, also where the clock of a controller stands. */
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
  readonly end: () => void;
}

/** What a framework lends. */
export interface Theatre<Wrapper> {
  /** Draws at once, and gives how to draw with other props and how to end. */
  readonly mount: (scene: Scene<Wrapper>, props: unknown) => Stage<unknown>;
  /** Runs `job`, and lets the framework do what follows from it. */
  readonly during: (job: () => Promise<void>) => Promise<void>;
}

interface Mounted {
  readonly cleanup: () => void;
  readonly allSettled: () => Promise<void>;
}

/** `renderDataHook` of a framework. */
export function renderingWith<Wrapper>(theatre: Theatre<Wrapper>): RenderDataHook<Wrapper> {
  const mounted = new Set<Mounted>();
  const render: RenderDataHookOf<Wrapper> = (callback, options = {}) => {
    const play = perform(theatre, callback, options);
    const cleanup = () => {
      mounted.delete(play);
      play.cleanup();
    };
    mounted.add(play);
    return { ...play, cleanup };
  };
  return Object.assign(render, {
    cleanup() {
      for (const play of mounted) play.cleanup();
      mounted.clear();
    },
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
  const { draw, end } = theatre.mount({ controller, callback, wrapper, tell }, props);
  const pause = (ms: number) => theatre.during(() => waited(ms));
  return {
    result: result as RenderDataHookResult<unknown, unknown>['result'],
    controller,
    rerender: (next = props) => draw((props = next)),
    unmount: end,
    cleanup() {
      end();
      controller.reset();
    },
    async allSettled() {
      do await pause(0);
      while (deskOf(controller).inflight.flights.size > 0);
    },
    waitFor: (callback, wait) => waitFor(callback, pause, wait),
    async waitForNextUpdate(wait) {
      const before = updates;
      await waitFor(() => updates > before, pause, wait);
    },
  };
}

function waited(ms: number): Promise<void> {
  return new Promise((done) => void systemClock.after(ms, done));
}

async function waitFor<V>(
  callback: () => V | Promise<V>,
  pause: (ms: number) => Promise<void>,
  { timeout = 1_000, interval = 10 }: WaitOptions = {},
): Promise<V> {
  const until = systemClock.now() + timeout;
  for (;;) {
    try {
      const value = await callback();
      if (value !== false) return value;
      throw new Error(`waitFor: the callback gave false for ${timeout} ms`);
    } catch (error) {
      if (systemClock.now() >= until) throw error;
    }
    await pause(interval);
  }
}

/** Cleans up after each test, where the test runner has a global `afterEach`. To be called while a module loads. */
export function cleanUpAfterEach({ cleanup }: Pick<RenderDataHook<never>, 'cleanup'>): void {
  const { afterEach } = globalThis as { afterEach?: (job: () => void) => void };
  afterEach?.(cleanup);
}
