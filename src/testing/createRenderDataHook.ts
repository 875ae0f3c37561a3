/** Runs a hook in a separate component, under a controller with responses from fixtures. */
import type { Controller } from '../Controller.ts';
import { sleep, nextMicrotask, systemClock } from '../clock.ts';
import type { UnknownError } from '../errors.ts';
import { contextOf } from '../request/FetchContext.ts';
import { noop } from '../request/promiseTry.ts';
import { mockController } from './mockController.ts';
import type { Fixture, MockOptions } from './mockController.ts';

/** `Wrapper`: a component of the framework. */
export interface RenderHookOptions<P, T, Wrapper> extends Omit<MockOptions<T>, 'fixtures'> {
  /** The props of the callback until `rerender` passes others. */
  readonly initialProps?: P | undefined;
  /**
   * The responses to requests. A request without a match goes to the network, as without fixtures: with a
   * warning, unless `silenceMissing` is true.
   */
  readonly resolverFixtures?: readonly Fixture<T>[] | undefined;
  /** Wraps the component that calls the hook, inside of the provider. */
  readonly wrapper?: Wrapper | undefined;
}

// ms between two tries
const INTERVAL = 10;

/**
 * The timing of `waitFor`. Times are in milliseconds of the machine, also if the clock of a controller stands still.
 * Fake timers of the test runner are advanced by the same time.
 */
export interface WaitOptions {
  /** Milliseconds after which the last failure is thrown. Default 1,000. */
  readonly timeout?: number | undefined;
  /** Milliseconds between two tries. Default 10. */
  readonly interval?: number | undefined;
}

/** A mounted call of a hook. */
export interface RenderDataHookResult<P, R> {
  readonly result: {
    /** The last result of the hook; undefined while the first result is pending. */
    readonly current: R;
    /** The error that the hook threw. */
    readonly error: UnknownError | undefined;
  };
  readonly controller: Controller;
  /** Calls the hook again, with new props if given. */
  readonly rerender: (props?: P) => void;
  readonly unmount: () => void;
  /** Unmounts and resets the controller. Called automatically if there is a global `afterEach`. */
  readonly cleanup: () => void;
  /** Resolves when no request is in flight, and all responses are rendered. */
  readonly allSettled: () => Promise<void>;
  /**
   * Retries until the callback neither throws nor returns false. Resolves with the result; rejects with the last error.
   */
  readonly waitFor: <V>(callback: () => V | Promise<V>, options?: WaitOptions) => Promise<V>;
  /** Resolves with the next result of the hook. */
  readonly waitForNextUpdate: (options?: WaitOptions) => Promise<void>;
}

/** `renderDataHook(() => useSuspense(TodoResource.get, {id: 5}), {resolverFixtures: […]})`: each call with a new store. */
export interface RenderDataHook<Wrapper> {
  <P, R, T = unknown>(
    callback: (props: P) => R,
    options?: RenderHookOptions<P, T, Wrapper>,
  ): RenderDataHookResult<P, R>;
  /** Cleans up all mounted hooks. */
  readonly cleanup: () => void;
  /** Resolves when no mounted hook has a request in flight. */
  readonly allSettled: () => Promise<void>;
}

/** The result of a call of the hook. */
interface HookResult {
  readonly current?: unknown;
  readonly error?: Error;
}

/** The content to render: provider, wrapper, boundaries, and, inside, a component that calls the hook. */
export interface RenderInput<Wrapper> {
  readonly controller: Controller;
  readonly callback: (props: never) => unknown;
  readonly wrapper: Wrapper | undefined;
  readonly tell: (report: HookResult) => void;
}

/** A rendered root, until `end`. */
export interface MountedRoot<T> {
  readonly draw: (next: T) => void;
  /** Renders pending updates now, and a suspended hook. */
  readonly flush: () => void;
  readonly end: () => void;
}

/** The functions that a framework provides. */
interface TestRenderer<Wrapper> {
  /** Renders synchronously, and returns functions to render with other props and to unmount. */
  readonly mount: (scene: RenderInput<Wrapper>, props: unknown) => MountedRoot<unknown>;
  /** Disables the framework's `act` warnings until the returned function is called. */
  readonly leaveAct?: (() => () => void) | undefined;
  /** Renders updates synchronously until the returned function is called. */
  readonly renderAtOnce?: (() => () => void) | undefined;
}

interface Mounted {
  readonly cleanup: () => void;
  readonly allSettled: () => Promise<void>;
}

/** Everything that any `renderDataHook` has mounted: a single `afterEach` also cleans up after `makeRenderDataHook`. */
const mountedRoots = new Set<Mounted>();

/** `renderDataHook` of a framework; `mock` creates the controllers. */
export function createRenderDataHook<Wrapper>(
  renderer: TestRenderer<Wrapper>,
  mock: typeof mockController = mockController,
): RenderDataHook<Wrapper> {
  const mounted = new Set<Mounted>();
  const render: RenderDataHookOf<Wrapper> = (callback, options = {}) => {
    const play = mountHook({ ...renderer, mock }, callback, options);
    const cleanup = () => {
      if (!mounted.delete(hook)) return;
      mountedRoots.delete(hook);
      play.cleanup();
    };
    const hook = { ...play, cleanup };
    mounted.add(hook);
    mountedRoots.add(hook);
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

function mountHook<Wrapper>(
  renderer: TestRenderer<Wrapper> & { readonly mock: typeof mockController },
  callback: (props: never) => unknown,
  options: RenderHookOptions<unknown, unknown, Wrapper>,
): RenderDataHookResult<unknown, unknown> {
  const { initialProps, resolverFixtures, wrapper, ...rest } = options;
  const { silenceMissing = resolverFixtures === undefined } = rest;
  const controller = renderer.mock({ ...rest, fixtures: resolverFixtures, silenceMissing });
  const result: { current?: unknown; error?: Error | undefined } = {};
  let updates = 0;
  const tell = (report: HookResult) => {
    updates++;
    Object.assign(result, { error: undefined, ...report });
  };
  let props = initialProps;
  const { draw, flush, end } = renderer.mount({ controller, callback, wrapper, tell }, props);
  const { leaveAct = () => noop } = renderer;
  const unwrap = controller.wrapCommits(renderingAfter(renderer, flush));
  const pause = async (ms: number) => {
    const back = leaveAct();
    await sleep(ms);
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
      while (contextOf(controller).inflight.allRequests.size > 0);
    },
    waitFor: (callback, wait) => waitFor(callback, pause, wait),
    async waitForNextUpdate(wait) {
      const before = updates;
      await waitFor(() => updates > before, pause, wait);
    },
  };
}

/** Runs a commit, and then `flush`, before callers that await the write continue. */
function renderingAfter<Wrapper>(renderer: TestRenderer<Wrapper>, flush: () => void) {
  const { leaveAct = () => noop, renderAtOnce = () => noop } = renderer;
  return (commit: () => void): void => {
    const back = leaveAct();
    try {
      commit();
    } finally {
      const later = renderAtOnce();
      // after the promises that the commit has settled; a framework must not render during a render or an effect
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
  // limits the number of tries as well: fake timers may stop the date
  for (let tries = timeout / interval; ; tries--) {
    // the last try begins after the time is over: on a busy machine the first may take all the time
    const isLast = tries <= 0 || systemClock.now() >= until;
    try {
      const value = await callback();
      if (value !== false) return value;
      throw new Error(`waitFor: the callback returned false for ${timeout} ms`);
    } catch (error) {
      if (isLast) throw error;
    }
    await pause(interval);
  }
}

function cleanUp(mounted: Iterable<Mounted>): void {
  for (const hook of mounted) hook.cleanup();
}

/** Cleans up after each test, if the test runner has a global `afterEach`. Must be called while a module loads. */
export function cleanUpAfterEach(): void {
  const { afterEach } = globalThis as { afterEach?: (job: () => void) => void };
  afterEach?.(() => cleanUp(mountedRoots));
}

/** The functions that a framework provides. */
export interface FrameworkBindings {
  // any begin: components and elements are of types of the framework's own
  readonly createElement: (of: any, props: any, ...children: any[]) => any;
  readonly Fragment: any;
  readonly Suspense: any;
  readonly ErrorBoundary: any;
  // any end
  readonly useLayoutEffect: (effect: () => void | (() => void), deps?: readonly unknown[]) => void;
  /** Creates a root that renders an element synchronously. */
  readonly open: () => MountedRoot<unknown>;
  readonly leaveAct?: TestRenderer<unknown>['leaveAct'];
  readonly renderAtOnce?: TestRenderer<unknown>['renderAtOnce'];
}

/** A render of the hook. */
interface Take {
  readonly props: unknown;
  readonly version: number;
  readonly seat: Seat;
}

/** Whether the fallback is rendered instead of the hook. */
interface Seat {
  waits: boolean;
}

/**
 * For frameworks with elements and layout effects: React and Preact. `provider` is the component that provides the
 * `controller` prop.
 */
export function createElementRenderer<Wrapper>(
  lent: FrameworkBindings,
  provider: unknown,
): TestRenderer<Wrapper> {
  const { createElement, Fragment, Suspense, ErrorBoundary } = lent;
  const Hook = hookOf(lent);
  const Waiting = waitingOf(lent);
  const elementOf = (scene: RenderInput<Wrapper>, { props, version, seat }: Take): unknown => {
    const { controller, callback, wrapper = Fragment, tell } = scene;
    const fallback = (error: Error) => {
      tell({ error });
      return null;
    };
    const hook = createElement(Hook, { callback, props, tell });
    const inside = createElement(Suspense, { fallback: createElement(Waiting, { seat }) }, hook);
    const caught = createElement(ErrorBoundary, { fallback, resetKeys: [version] }, inside);
    return createElement(provider, { controller }, createElement(wrapper, null, caught));
  };
  return {
    leaveAct: lent.leaveAct,
    renderAtOnce: lent.renderAtOnce,
    mount(scene, initialProps) {
      const stage = lent.open();
      const seat: Seat = { waits: false };
      let take: Take = { props: initialProps, version: 0, seat };
      const draw = () => stage.draw(elementOf(scene, take));
      draw();
      return {
        ...stage,
        draw(props) {
          take = { props, version: take.version + 1, seat };
          draw();
        },
        // the promise that a suspended hook has thrown would render the hook later
        flush: () => (seat.waits ? draw() : stage.flush()),
      };
    },
  };
}

function waitingOf({
  useLayoutEffect,
}: FrameworkBindings): (props: { readonly seat: Seat }) => null {
  return function Waiting({ seat }) {
    useLayoutEffect(() => {
      seat.waits = true;
      return () => {
        seat.waits = false;
      };
    }, [seat]);
    return null;
  };
}

type HookProps = Pick<RenderInput<unknown>, 'callback' | 'tell'> & Pick<Take, 'props'>;

function hookOf({ useLayoutEffect }: FrameworkBindings): (props: HookProps) => null {
  return function Hook({ callback, props, tell }) {
    const current = callback(props as never);
    useLayoutEffect(() => tell({ current }));
    return null;
  };
}
