/** The bodies of hooks that React and Preact share: the framework is lent to them. */
import { systemClock } from '../src/clock.ts';
import type { Controller } from '../src/Controller.ts';
import { ResetError, SignalboxError } from '../src/diagnostics.ts';
import type { EndpointInterface } from '../src/endpoint/Endpoint.ts';
import { refuseMutation } from '../src/endpoint/refuseMutation.ts';
import { Signal } from '../src/reactive.ts';
import type { Reader } from '../src/view/Reader.ts';
import { errorOf } from './errorOf.ts';
import { keepPolling } from './keepPolling.ts';

export type Effect = () => void | (() => void);

/**
 * Throws A4, in production too, where the runtime that renders and tracks signals does so with those of another copy of
 * the engine: its components would never re-render.
 */
export function checkCopies(by: string): void {
  // what a runtime draws it gives a `type`, in the prototype that is its own
  if (!('type' in Signal.prototype)) throw new SignalboxError('A4', { by });
}

/** What a framework lends. */
export interface Hooks {
  useState<T>(initial: () => T): readonly [T, (next: (before: T) => T) => void];
  useMemo<T>(make: () => T, deps: readonly unknown[]): T;
  useEffect(effect: Effect, deps?: readonly unknown[]): void;
  /** Effects of a commit, before anybody can press a button of it. */
  useCommit(effect: Effect): void;
  /** Without dependencies that change, run when the component is on the screen, and again when a fallback gives way to it. */
  useReveal(effect: Effect, deps: readonly unknown[]): void;
  startTransition(change: () => void): void;
}

/** Polls while the component is mounted. The key stands for endpoint and arguments, which may be made anew each time. */
export function usePolling(
  { useEffect }: Pick<Hooks, 'useEffect'>,
  controller: Controller,
  endpoint: EndpointInterface,
  args: readonly unknown[],
): void {
  // here, not in the effect: a boundary above shows what rendering throws
  refuseMutation(endpoint);
  const key = args[0] === null ? null : endpoint.key(...args);
  useEffect(
    () => keepPolling(controller, endpoint, args),
    [controller, key, endpoint.pollFrequency],
  );
}

/** The value as it was `delay` ms ago, once it has stood that long; and whether it is still to come. */
export function useDelayed<T>(
  { useState, useEffect, startTransition }: Omit<Hooks, 'useMemo' | 'useCommit' | 'useReveal'>,
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

/** What `useLoading` wraps: any function that gives a promise. */
// any: functions of every parameter list must fit; parameters are contravariant
export type AsyncFunction = (...args: any[]) => Promise<unknown>;

/** How the latest call of a function stands. */
export interface Call {
  readonly loading: boolean;
  readonly error: Error | undefined;
}

export const IDLE: Call = { loading: false, error: undefined };

/** What all calls of one hook share. */
interface Calls<F> {
  /** As it was given last. */
  fn: F;
  latest?: object;
}

/** `fn`, which tells how its latest call stands; where that fails it gives undefined, and the error is told. */
export function telling<F extends AsyncFunction>(calls: Calls<F>, tell: (call: Call) => void): F {
  const told = async (...args: Parameters<F>): Promise<unknown> => {
    const mine = (calls.latest = {});
    const end = (call: Call) => mine === calls.latest && tell(call);
    tell({ loading: true, error: undefined });
    try {
      const result = await calls.fn(...args);
      end(IDLE);
      return result;
    } catch (thrown) {
      // a reset is no error: its message would be shown to the next user
      end(thrown instanceof ResetError ? IDLE : { loading: false, error: errorOf(thrown) });
      return undefined;
    }
  };
  return told as F;
}

/** The function with its latest call. It is the same function while `deps` are, and calls the `fn` of the last render. */
export function useTelling<F extends AsyncFunction>(
  { useState, useMemo, useCommit }: Pick<Hooks, 'useState' | 'useMemo' | 'useCommit'>,
  fn: F,
  deps: readonly unknown[],
): [F, boolean, Error | undefined] {
  const [{ loading, error }, tell] = useState(() => IDLE);
  const [calls] = useState((): Calls<F> => ({ fn }));
  useCommit(() => {
    calls.fn = fn;
  });
  const told = useMemo(() => telling(calls, (call) => tell(() => call)), [calls, ...deps]);
  return [told, loading, error];
}

/** An endpoint that takes a signal as an option. */
// any: whatever the options of its own kind
export type Cancellable = EndpointInterface & { extend(options: any): any };

/** One request of a component that cancels, from when its arguments name it until they name another. */
export interface Stay {
  readonly key: string | null;
  readonly reader: Reader;
  readonly abort: AbortController;
}

/** Aborts what the component has left, unless it is still on the screen, by this component (`own` times) or another. */
export function leave(stay: Stay | undefined, own = 0): void {
  if (stay !== undefined && stay.reader.readers <= own) stay.abort.abort();
}

/** What a component that cancels remembers. */
interface Stays {
  /** What is on the screen. */
  shown?: Stay;
  /** What was rendered since, and is waited for. */
  waiting?: Stay | undefined;
}

/**
 * The endpoint with a signal that is aborted when the arguments name another request: what was shown when the other is
 * on the screen, what was only waited for at once. A transition that is pending is not disturbed by other renders.
 */
export function useLeaving<E extends Cancellable>(
  {
    useState,
    useMemo,
    useEffect,
    useReveal,
  }: Pick<Hooks, 'useState' | 'useMemo' | 'useEffect' | 'useReveal'>,
  controller: Controller,
  endpoint: E,
  args: readonly unknown[],
): E {
  const [stays] = useState((): Stays => ({}));
  const key = args[0] === null ? null : endpoint.key(...args);
  let stay = stays.shown?.key === key ? stays.shown : stays.waiting;
  if (stay?.key !== key || stay.abort.signal.aborted) {
    leave(stays.waiting);
    // Preact has effects of renders that were never shown: what they call shown nobody reads
    leave(stays.shown);
    const reader = controller.view(endpoint as EndpointInterface, ...args);
    stays.waiting = stay = { key, reader, abort: new AbortController() };
  }
  useEffect(() => {
    if (stays.shown !== stay) leave(stays.shown);
    Object.assign(stays, { shown: stay, waiting: undefined });
  }, [stays, stay]);
  useReveal(() => {
    // a fallback gives way to what was there before: nobody waits for the other any more
    if (stays.shown !== stay) return;
    leave(stays.waiting);
    stays.waiting = undefined;
  }, []);
  return useMemo(() => endpoint.extend({ signal: stay.abort.signal }) as E, [endpoint, stay]);
}
