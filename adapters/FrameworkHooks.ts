/** The framework-independent bodies of hooks of React and Preact: the framework's functions are parameters. */
import type { UnknownError } from '../src/store/results/Result.ts';
import { systemClock, nextMicrotask } from '../src/clock.ts';
import type { Controller } from '../src/Controller.ts';
import { ResetError, SignalboxError } from '../src/errors.ts';
import type { EndpointInterface } from '../src/endpoint/Endpoint.ts';
import { refuseMutation } from '../src/endpoint/argumentChecks.ts';
import { Signal } from '../src/signals.ts';
import { abortIfUnused } from './ActiveRequest.ts';
import type { ActiveRequest } from './ActiveRequest.ts';
import { errorOf } from './errorOf.ts';
import { keepPolling } from './keepPolling.ts';

declare const process: { env: { NODE_ENV?: string } };

export type Effect = () => void | (() => void);

/**
 * Throws A4, in production too, if the runtime that renders and tracks signals uses another copy of the signals engine:
 * components would never re-render.
 */
export function checkCopies(by: string): void {
  // a runtime that renders signals adds a `type` to the prototype of its own copy
  if (!('type' in Signal.prototype)) throw new SignalboxError('A4', { by });
}

/** The functions of a framework. */
export interface FrameworkHooks {
  useState<T>(initial: () => T): readonly [T, (next: (before: T) => T) => void];
  useMemo<T>(make: () => T, deps: readonly unknown[]): T;
  useEffect(effect: Effect, deps?: readonly unknown[]): void;
  /** Effects of a commit that run before the user can interact with it. */
  useInsertionEffect(effect: Effect): void;
  /**
   * Effects that run when the component becomes visible or `deps` change, and again when a fallback is replaced by it.
   */
  useLayoutEffect(effect: Effect, deps: readonly unknown[]): void;
  startTransition(change: () => void): void;
}

/**
 * Polls while the component is mounted. The key identifies endpoint and arguments, which may be new objects each time.
 */
export function usePolling(
  { useEffect }: Pick<FrameworkHooks, 'useEffect'>,
  controller: Controller,
  endpoint: EndpointInterface,
  args: readonly unknown[],
): void {
  // here, not in the effect: a boundary catches exceptions of rendering
  refuseMutation(endpoint);
  const key = args[0] === null ? null : endpoint.key(...args);
  useEffect(
    () => keepPolling(controller, endpoint, args),
    [controller, key, endpoint.pollFrequency],
  );
}

/** The value, updated once it is unchanged for `delay` ms; and whether an update is pending. */
export function useDelayed<T>(
  {
    useState,
    useEffect,
    startTransition,
  }: Omit<FrameworkHooks, 'useMemo' | 'useInsertionEffect' | 'useLayoutEffect'>,
  value: T,
  delay: number,
  updatable: boolean,
): [T, boolean] {
  const [settled, settle] = useState(() => value);
  const isPending = !Object.is(settled, value);
  useEffect(() => {
    if (!updatable || !isPending) return undefined;
    const timer = systemClock.after(delay, () => startTransition(() => settle(() => value)));
    return () => systemClock.clear(timer);
  }, [value, isPending, delay, updatable]);
  return [settled, isPending];
}

/** The functions that `useLoading` wraps: any function that returns a promise. */
// any: functions of every parameter list must fit; parameters are contravariant
export type AsyncFunction = (...args: any[]) => Promise<unknown>;

/** The state of the latest call of a function. */
export interface Call {
  readonly loading: boolean;
  readonly error: UnknownError | undefined;
}

export const IDLE: Call = { loading: false, error: undefined };

/** The shared state of all calls of one hook. */
interface Calls<F> {
  /** The function of the last render. */
  fn: F;
  latest?: object;
}

/**
 * Wraps `fn` to report the state of its latest call. If `fn` fails, the wrapper resolves with undefined and reports the
 * error.
 */
export function trackLatestCall<F extends AsyncFunction>(
  calls: Calls<F>,
  tell: (call: Call) => void,
): F {
  const told = async (...args: Parameters<F>): Promise<unknown> => {
    const mine = (calls.latest = {});
    const end = (call: Call) => mine === calls.latest && tell(call);
    tell({ loading: true, error: undefined });
    try {
      const result = await calls.fn(...args);
      end(IDLE);
      return result;
    } catch (thrown) {
      // a reset is no error: its message would be displayed to the next user
      end(thrown instanceof ResetError ? IDLE : { loading: false, error: errorOf(thrown) });
      return undefined;
    }
  };
  return told as F;
}

/**
 * The function with its latest call. Its identity is stable for equal `deps`, and it calls the `fn` of the last render.
 */
export function useLoadingOf<F extends AsyncFunction>(
  {
    useState,
    useMemo,
    useInsertionEffect: useCommit,
  }: Pick<FrameworkHooks, 'useState' | 'useMemo' | 'useInsertionEffect'>,
  fn: F,
  deps: readonly unknown[],
): [F, boolean, UnknownError | undefined] {
  const [{ loading, error }, tell] = useState(() => IDLE);
  const [calls] = useState((): Calls<F> => ({ fn }));
  useCommit(() => {
    calls.fn = fn;
  });
  const told = useMemo(() => trackLatestCall(calls, (call) => tell(() => call)), [calls, ...deps]);
  return [told, loading, error];
}

/** An endpoint that accepts a signal as an option. */
// any: the options of every kind of endpoint
export type Cancellable = EndpointInterface & { extend(options: any): any };

/** The state of a component that cancels. */
interface Stays {
  /** The committed request. */
  shown?: ActiveRequest;
  /** A newer request that is rendered, but not committed. */
  waiting?: ActiveRequest | undefined;
}

/**
 * The endpoint with a signal that is aborted when the arguments name another request: the committed request once the
 * other is committed, a pending request at once. A pending transition is not disturbed by other renders.
 */
export function useAbortOnChange<E extends Cancellable>(
  {
    useState,
    useMemo,
    useEffect,
    useLayoutEffect: useReveal,
  }: Pick<FrameworkHooks, 'useState' | 'useMemo' | 'useEffect' | 'useLayoutEffect'>,
  controller: Controller,
  endpoint: E,
  args: readonly unknown[],
): E {
  const [stays] = useState((): Stays => ({}));
  const key = args[0] === null ? null : endpoint.key(...args);
  let stay = stays.shown?.key === key ? stays.shown : stays.waiting;
  if (stay?.key !== key || stay.abort.signal.aborted) {
    abortIfUnused(stays.waiting);
    // Preact runs effects of renders that were never committed: the request they marked as rendered has no reader
    abortIfUnused(stays.shown);
    stay = stays.shown === undefined ? firstRenders?.take(controller, key) : undefined;
    if (stay === undefined) {
      const reader = controller.view(endpoint as EndpointInterface, ...args);
      stay = { key, reader, abort: new AbortController() };
      firstRenders?.add(controller, stay);
    }
    stays.waiting = stay;
  }
  useEffect(() => {
    if (stays.shown !== stay) abortIfUnused(stays.shown);
    Object.assign(stays, { shown: stay, waiting: undefined });
  }, [stays, stay]);
  useReveal(() => {
    // a fallback gives way to the content before: the other request is not pending any more
    if (stays.shown !== stay) return;
    abortIfUnused(stays.waiting);
    stays.waiting = undefined;
  }, []);
  return useMemo(() => endpoint.extend({ signal: stay.abort.signal }) as E, [endpoint, stay]);
}

/**
 * Requests of components that may be rendered once more before they mount. In StrictMode React 18 renders a component that mounts twice in a row, each time with new state. Both renders must
 * have one signal: the first render sends the request, and the state of the second render aborts it.
 */
class FirstRenders {
  readonly #requests = new Map<string | null, readonly [Controller, ActiveRequest]>();

  /** Until the next microtask: React renders the component again at once. */
  add(controller: Controller, request: ActiveRequest): void {
    this.#requests.set(request.key, [controller, request]);
    void nextMicrotask(() => this.#requests.delete(request.key));
  }

  /** The request of the first render, which only one further render gets. */
  take(controller: Controller, key: string | null): ActiveRequest | undefined {
    const [sender, request] = this.#requests.get(key) ?? [];
    this.#requests.delete(key);
    return sender === controller && !request?.abort.signal.aborted ? request : undefined;
  }
}

/** Undefined in production builds: only development renders twice. */
const firstRenders: FirstRenders | undefined =
  process.env.NODE_ENV === 'production' ? undefined : new FirstRenders();
