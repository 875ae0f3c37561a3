/** A controller whose endpoints answer from fixtures instead of the network. */
import { systemClock } from '../clock.ts';
import { Controller } from '../Controller.ts';
import type { ControllerOptions } from '../Controller.ts';
import { warn } from '../diagnostics.ts';
import { answered, errorOf, fixtureFor, responseOf, unanswered } from './Fixture.ts';
import type { Fixture } from './Fixture.ts';
import { noop } from '../fetch/promiseTry.ts';

/** What `mockController` takes: fixtures, and any option of a controller but `send`. */
// any: the data of interceptors may be of every type
export interface MockOptions<T = any> extends Omit<ControllerOptions, 'send'> {
  /**
   * Stored before anybody asks: their readers neither wait nor fetch. They need `args`. Mutations, and answers that come
   * by a promise or by `fetchResponse`, are not stored: they answer requests, where none of `fixtures` does.
   */
  readonly initialFixtures?: readonly Fixture<T>[] | undefined;
  /** What answers requests. The last that fits wins. */
  readonly fixtures?: readonly Fixture<T>[] | undefined;
  /** Makes the `this` of all functions of the fixtures: the rows of a made-up server. Called once. */
  readonly getInitialInterceptorData?: (() => T) | undefined;
  /**
   * What becomes of a request that no fixture fits. Default: it fails with T1. `false`: it is sent to the network with
   * a warning (T1, once for each key), `true`: it is sent.
   */
  readonly silenceMissing?: boolean | undefined;
}

/**
 * `mockController({fixtures: [{endpoint: TodoResource.get, args: [{id: 5}], response: {id: 5}}]})`: everything but the
 * network is real. An error of a fixture counts at once, unless `retry` is given: a fixture fails again.
 */
export function mockController<T>(options: MockOptions<T> = {}): Controller {
  const { initialFixtures = [], fixtures = [], getInitialInterceptorData, ...more } = options;
  const { silenceMissing, ...rest } = more;
  const { clock = systemClock, retry = 0 } = rest;
  const data = getInitialInterceptorData?.();
  const answering = [...fixtures];
  const controller = new Controller({
    ...rest,
    retry,
    async send(endpoint, args, leave) {
      const question = { endpoint, args, data };
      const fixture = fixtureFor(answering, question);
      if (fixture !== undefined) return answered(fixture, question, clock);
      if (silenceMissing === undefined) throw unanswered(question);
      const title = endpoint.title ?? endpoint.name;
      if (!silenceMissing) warn('T1', endpoint.key(...args), { args: [title, ...args] });
      return leave();
    },
  });
  for (const fixture of initialFixtures) {
    if (!isStored(controller, fixture, data)) answering.unshift(fixture);
  }
  return controller;
}

/** False for what cannot be there at once: a mutation, and an answer that is waited for. */
function isStored(controller: Controller, fixture: Fixture, data: unknown): boolean {
  const { endpoint, args = [], fetchResponse } = fixture;
  if (endpoint.sideEffect || fetchResponse !== undefined) return false;
  const error = errorOf(fixture);
  if (error !== undefined) {
    void controller.setError(endpoint, ...args, error);
    return true;
  }
  const response = responseOf(fixture, { args, data });
  if (response instanceof Promise) {
    response.catch(noop);
    return false;
  }
  void controller.setResponse(endpoint, ...args, response);
  return true;
}

/** Those that say what may be stored. */
export function storedFrom(fixtures: readonly Fixture[]): readonly Fixture[] {
  return fixtures.filter(({ args }) => args !== undefined);
}
