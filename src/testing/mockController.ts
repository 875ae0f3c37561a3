/** A controller whose endpoints answer from fixtures instead of the network. */
import { systemClock } from '../clock.ts';
import { Controller } from '../Controller.ts';
import type { ControllerOptions } from '../Controller.ts';
import { SignalboxError } from '../diagnostics.ts';
import type { EndpointInterface } from '../endpoint/Endpoint.ts';

/** How one request is answered. Without `args` it answers the endpoint whatever its arguments. */
export interface Fixture {
  readonly endpoint: EndpointInterface;
  readonly args?: readonly unknown[];
  /** The answer as the server would send it, or a function of the arguments that gives it. */
  readonly response?: unknown;
  /** Rejects the request instead. */
  readonly error?: Error;
  /** How long the answer takes, in milliseconds of the controller's clock. Default 0: the next microtask. */
  readonly delay?: number;
}

export interface MockOptions extends ControllerOptions {
  /** Stored before anybody asks: their readers neither wait nor fetch. They need `args`. */
  readonly initialFixtures?: readonly Fixture[];
  /** What answers requests. The last that fits wins; a request that none fits is an error (T1). */
  readonly fixtures?: readonly Fixture[];
}

/**
 * `mockController({fixtures: [{endpoint: TodoResource.get, args: [{id: 5}], response: {id: 5}}]})`: everything but the
 * network is real. An error of a fixture counts at once, unless `retry` is given: a fixture fails again.
 */
export function mockController(options: MockOptions = {}): Controller {
  const { initialFixtures = [], fixtures = [], ...rest } = options;
  const { clock = systemClock, retry = 0 } = rest;
  const controller = new Controller({
    ...rest,
    retry,
    send: async (endpoint, args) => {
      const fixture = fixtureFor(fixtures, endpoint, args);
      const { delay = 0 } = fixture;
      if (delay > 0) await new Promise<void>((done) => void clock.after(delay, done));
      return answerOf(fixture, args);
    },
  });
  for (const { endpoint, args = [], response, error } of initialFixtures) {
    if (error === undefined) void controller.setResponse(endpoint, ...args, response);
    else void controller.setError(endpoint, ...args, error);
  }
  return controller;
}

/** The last fixture that fits; throws T1 where none does. */
export function fixtureFor(
  fixtures: readonly Fixture[],
  endpoint: EndpointInterface,
  args: readonly unknown[],
): Fixture {
  const fixture = [...fixtures].reverse().find((candidate) => fits(candidate, endpoint, args));
  if (fixture !== undefined) return fixture;
  const title = endpoint.title ?? endpoint.name;
  throw new SignalboxError('T1', { args }, { status: 404, endpoint: title });
}

function fits(fixture: Fixture, endpoint: EndpointInterface, args: readonly unknown[]): boolean {
  const key = endpoint.key(...args);
  if (fixture.args !== undefined) return fixture.endpoint.key(...fixture.args) === key;
  return fixture.endpoint.testKey?.(key) ?? fixture.endpoint.name === endpoint.name;
}

/** What the fixture answers; throws its error. */
export function answerOf({ response, error }: Fixture, args: readonly unknown[]): unknown {
  if (error !== undefined) throw error;
  return typeof response === 'function'
    ? (response as (...args: readonly unknown[]) => unknown)(...args)
    : response;
}
