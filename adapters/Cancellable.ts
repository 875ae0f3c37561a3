/** Arguments that change while a user types: the bodies of `useCancelling` and `useDebounce`. */
import type { Controller } from '../src/Controller.ts';
import { nextMicrotask, systemClock } from '../src/clock.ts';
import type { EndpointInterface } from '../src/endpoint/Endpoint.ts';
import type { Reader } from '../src/view/Reader.ts';
import type { FrameworkHooks } from './FrameworkHooks.ts';

declare const process: { env: { NODE_ENV?: string } };

/** An endpoint that accepts a signal as an option. */
// any: the options of every kind of endpoint
export type Cancellable = EndpointInterface & { extend(options: any): any };

/** A request of a component that cancels: as long as the arguments name this request. */
export interface CancellableRequest {
  readonly key: string | null;
  readonly reader: Reader;
  readonly abort: AbortController;
}

/** Aborts a request that the component left, unless this component (`ownReaders` times) or another still reads it. */
export function abortIfUnused(request: CancellableRequest | undefined, ownReaders = 0): void {
  if (request !== undefined && request.reader.readers <= ownReaders) request.abort.abort();
}

/** The requests of a component that cancels. */
interface ComponentRequests {
  committed?: CancellableRequest;
  /** A newer request that is rendered, but not committed. */
  pending?: CancellableRequest | undefined;
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
  const [requests] = useState((): ComponentRequests => ({}));
  const key = args[0] === null ? null : endpoint.key(...args);
  let request = requests.committed?.key === key ? requests.committed : requests.pending;
  if (request?.key !== key || request.abort.signal.aborted) {
    abortIfUnused(requests.pending);
    // Preact runs effects of renders that were never committed: the request that is marked as rendered has no reader
    abortIfUnused(requests.committed);
    request = requests.committed === undefined ? firstRenders?.take(controller, key) : undefined;
    if (request === undefined) {
      const reader = controller.view(endpoint as EndpointInterface, ...args);
      request = { key, reader, abort: new AbortController() };
      firstRenders?.add(controller, request);
    }
    requests.pending = request;
  }
  useEffect(() => {
    if (requests.committed !== request) abortIfUnused(requests.committed);
    Object.assign(requests, { committed: request, pending: undefined });
  }, [requests, request]);
  useReveal(() => {
    // a fallback gives way to the content before: the other request is not pending any more
    if (requests.committed !== request) return;
    abortIfUnused(requests.pending);
    requests.pending = undefined;
  }, []);
  return useMemo(() => endpoint.extend({ signal: request.abort.signal }) as E, [endpoint, request]);
}

/**
 * Requests of components that may be rendered once more before the mount. In StrictMode, React 18 renders a mounting
 * component twice in a row, each time with new state. Both renders must have the same signal: the first render sends
 * the request, and the state of the second render aborts it.
 */
class FirstRenders {
  readonly #requests = new Map<string | null, readonly [Controller, CancellableRequest]>();

  /** Until the next microtask: React renders the component again at once. */
  add(controller: Controller, request: CancellableRequest): void {
    this.#requests.set(request.key, [controller, request]);
    void nextMicrotask(() => this.#requests.delete(request.key));
  }

  /** The request of the first render, for the second render only. */
  take(controller: Controller, key: string | null): CancellableRequest | undefined {
    const [sender, request] = this.#requests.get(key) ?? [];
    this.#requests.delete(key);
    return sender === controller && !request?.abort.signal.aborted ? request : undefined;
  }
}

/** Undefined in production builds: only development renders twice. */
const firstRenders: FirstRenders | undefined =
  process.env.NODE_ENV === 'production' ? undefined : new FirstRenders();

/** The value, updated once unchanged for `delay` ms; and whether an update is pending. */
export function useDebouncedValue<T>(
  {
    useState,
    useEffect,
    startTransition,
  }: Pick<FrameworkHooks, 'useState' | 'useEffect' | 'startTransition'>,
  value: T,
  delay: number,
  updatable: boolean,
): [T, boolean] {
  const [settled, settle] = useState(() => value);
  const [target] = useState(() => ({ value }));
  const isPending = !Object.is(settled, value);
  useEffect(() => {
    const change = () =>
      startTransition(() => {
        target.value = value;
        settle(() => value);
      });
    // a transition to another value may wait for the new data: `value` was restored meanwhile
    if (!isPending && !Object.is(target.value, value)) change();
    if (!updatable || !isPending) return undefined;
    const timer = systemClock.after(delay, change);
    return () => systemClock.clear(timer);
  }, [value, isPending, delay, updatable, target]);
  return [settled, isPending];
}
