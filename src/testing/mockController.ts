/** A controller with responses from fixtures instead of the network. */
import { systemClock } from '../clock.ts';
import { Controller } from '../Controller.ts';
import type { ControllerOptions } from '../Controller.ts';
import { warn } from '../errors.ts';
import { resolveAfterDelay, errorOf, fixtureFor, responseOf, noFixtureError } from './Fixture.ts';
import type { Fixture } from './Fixture.ts';
import { noop } from '../request/promiseTry.ts';

/** Options of `mockController`: fixtures, and any option of a controller except `send`. */
// any: the data of interceptors may be of every type
export interface MockOptions<T = any> extends Omit<ControllerOptions, 'send'> {
  /**
   * Stored before the first read: readers neither wait nor fetch. These fixtures need `args`. Mutations, and responses
   * from a promise or from `fetchResponse`, are not stored: they respond to requests, if none of `fixtures` matches.
   */
  readonly initialFixtures?: readonly Fixture<T>[] | undefined;
  /** The responses to requests. The last matching fixture wins. */
  readonly fixtures?: readonly Fixture<T>[] | undefined;
  /** Creates the `this` of all functions of the fixtures: the rows of a mocked server. Called once. */
  readonly getInitialInterceptorData?: (() => T) | undefined;
  /**
   * The handling of a request without a matching fixture. Default: it fails with T1. `false`: it is sent to the network
   * with a warning (T1, once for each key), `true`: it is sent without a warning.
   */
  readonly silenceMissing?: boolean | undefined;
}

/**
 * `mockController({fixtures: [{endpoint: TodoResource.get, args: [{id: 5}], response: {id: 5}}]})`: everything except
 * the network is real. An error of a fixture is not retried unless `retry` is given, since a fixture would fail again.
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
      if (fixture !== undefined) return resolveAfterDelay(fixture, question, clock);
      if (silenceMissing === undefined) throw noFixtureError(question);
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

/** False for fixtures that cannot be stored synchronously: mutations and asynchronous responses. */
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

/** The fixtures that may be stored: fixtures with `args`. */
export function initialFixturesOf(fixtures: readonly Fixture[]): readonly Fixture[] {
  return fixtures.filter(({ args }) => args !== undefined);
}
