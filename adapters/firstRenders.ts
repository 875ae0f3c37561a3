/** Requests of components that may be rendered once more before they mount: for StrictMode of React 18. */
import type { Controller } from '../src/Controller.ts';
import { nextMicrotask } from '../src/clock.ts';
import type { ActiveRequest } from './ActiveRequest.ts';

declare const process: { env: { NODE_ENV?: string } };

/**
 * In StrictMode React 18 renders a component that mounts twice in a row, each time with new state. Both renders must
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

/** Undefined in production builds, which drop this file: only development renders twice. */
export const firstRenders: FirstRenders | undefined =
  process.env.NODE_ENV === 'production' ? undefined : new FirstRenders();
