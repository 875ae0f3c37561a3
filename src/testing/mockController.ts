/** Fixtures: the responses of a server to requests, and a controller with these responses instead of the network. */
import { systemClock, keepAlive } from '../clock.ts';
import type { Clock } from '../clock.ts';
import { Controller } from '../Controller.ts';
import type { ControllerOptions } from '../Controller.ts';
import { warn, SignalboxError } from '../errors.ts';
import { noop } from '../request/promiseTry.ts';
import type { FetchMiddleware } from '../request/FetchContext.ts';
import type { EndpointInterface } from '../endpoint/Endpoint.ts';
import { detailsOf } from '../rest/RestBase.ts';
import type { RestBase } from '../rest/RestBase.ts';
import { isResponse, toHttpError } from '../rest/response.ts';

/** Options of `mockController`: fixtures, and any option of a controller except `send`. */
// any: the data of interceptors may be of every type
export interface MockOptions<T = any> extends Omit<ControllerOptions, 'send'> {
  /**
   * Stored before the first read: readers neither wait nor fetch. These fixtures need `args`. Mutations, and responses
   * from a promise or from `fetchResponse`, are not stored, but respond to requests, if none of `fixtures` matches.
   */
  readonly initialFixtures?: readonly Fixture<T>[] | undefined;
  /** The responses to requests. The last matching fixture wins. */
  readonly fixtures?: readonly Fixture<T>[] | undefined;
  /** Creates the `this` of all functions of the fixtures: the rows of a mocked server. Called once. */
  readonly getInitialInterceptorData?: (() => T) | undefined;
  /**
   * The handling of a request without a matching fixture. Default: failure with T1. `false`: the request is sent to the
   * network with a warning (T1, once for each key), `true`: without a warning.
   */
  readonly silenceMissing?: boolean | undefined;
}

/**
 * `mockController({fixtures: [{endpoint: TodoResource.get, args: [{id: 5}], response: {id: 5}}]})`: everything except
 * the network is real. An error of a fixture is not retried unless `retry` is given, since a fixture would fail again.
 */
export function mockController<T>(options: MockOptions<T> = {}): Controller {
  return createMockController(options, (own) => new Controller(own));
}

/** As `mockController`, with a controller of another class. */
export function createMockController<T, C extends Controller>(
  options: MockOptions<T>,
  create: (options: ControllerOptions) => C,
): C {
  const { initialFixtures = [], fixtures = [], getInitialInterceptorData, ...more } = options;
  const { silenceMissing, ...rest } = more;
  const { clock = systemClock, retry = 0 } = rest;
  const data = getInitialInterceptorData?.();
  const matching = [...fixtures];
  const send = respondWith(matching, { data, clock, silenceMissing });
  const controller = create({ ...rest, retry, send });
  for (const fixture of initialFixtures) {
    if (!storeFixture(controller, fixture, data)) matching.unshift(fixture);
  }
  return controller;
}

/** A transport whose responses are the fixtures. `data`: the `this` of their functions. */
export function respondWith(
  fixtures: readonly Fixture[],
  { data, clock, silenceMissing }: Responding,
): FetchMiddleware {
  return async (endpoint, args, leave) => {
    const call = { endpoint, args, data };
    const fixture = fixtureFor(fixtures, call);
    if (fixture !== undefined) return resolveAfterDelay(fixture, call, clock);
    if (silenceMissing === undefined) throw noFixtureError(call);
    const title = endpoint.title ?? endpoint.name;
    if (!silenceMissing) warn('T1', endpoint.key(...args), { args: [title, ...args] });
    return leave();
  };
}

/** How a transport of fixtures responds. */
export interface Responding {
  readonly data: unknown;
  readonly clock: Clock;
  readonly silenceMissing: boolean | undefined;
}

/** Stores a fixture. False for fixtures that cannot be stored synchronously: mutations and asynchronous responses. */
export function storeFixture(controller: Controller, fixture: Fixture, data: unknown): boolean {
  const { endpoint, args = [], fetchResponse } = fixture;
  if (endpoint.sideEffect || fetchResponse !== undefined) return false;
  const error = fixtureErrorOf(fixture);
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

// any begin: arguments of every endpoint must fit; parameters are contravariant
/** The response to a kind of request. `T`: the result of `getInitialInterceptorData`, the `this` of the functions. */
export interface Fixture<T = any> {
  readonly endpoint: EndpointInterface;
  /** Without `args` the fixture matches every request of the endpoint (by `testKey`), with any arguments. */
  readonly args?: readonly unknown[] | undefined;
  /** The response of the server, a promise of the response, or a function of the arguments that returns either. */
  readonly response?:
    | object
    | string
    | number
    | boolean
    | null
    | undefined
    | ((this: T, ...args: any[]) => unknown);
  /** Instead of `response`, for REST endpoints: the result of `fetch` for this address, a `Response` or its parsed body. */
  readonly fetchResponse?: ((this: T, input: string, init: RequestInit) => unknown) | undefined;
  /** Rejects the request instead; `true` rejects with `response`, as in `{message: 'Not found', status: 404}`. */
  readonly error?: Error | boolean | undefined;
  /** The delay of the response, in milliseconds of the controller's clock. Default 0: the next microtask. */
  readonly delay?: number | ((...args: any[]) => number) | undefined;
  /** If true, the functions run when the response arrives, by default when the request is sent. */
  readonly delayCollapse?: boolean | undefined;
}

/** A fixture that computes the response. */
export type Interceptor<T = any> =
  | (Fixture<T> & { readonly response: (this: T, ...args: any[]) => unknown })
  | (Fixture<T> & Required<Pick<Fixture<T>, 'fetchResponse'>>);
// any end

/** A request that a fixture responds to. */
export interface MockCall {
  readonly endpoint: EndpointInterface;
  readonly args: readonly unknown[];
  /** The data that interceptors share. */
  readonly data?: unknown;
}

/** The last fixture that matches the request. */
export function fixtureFor(
  fixtures: readonly Fixture[],
  { endpoint, args }: MockCall,
): Fixture | undefined {
  const key = endpoint.key(...args);
  const fits = ({ endpoint: own, args: exact }: Fixture): boolean =>
    exact === undefined
      ? (own.testKey?.(key) ?? own.name === endpoint.name)
      : own.key(...exact) === key;
  return [...fixtures].reverse().find(fits);
}

/** The error T1, for a request without a matching fixture. */
export function noFixtureError({ endpoint, args }: MockCall): SignalboxError {
  const title = endpoint.title ?? endpoint.name;
  return new SignalboxError('T1', { args }, { status: 404, endpoint: title });
}

/** The response of the fixture, after the delay; rejects with the error of the fixture. */
async function resolveAfterDelay(fixture: Fixture, call: MockCall, clock: Clock): Promise<unknown> {
  const { delay = 0, delayCollapse = false } = fixture;
  const ms = typeof delay === 'function' ? delay(...call.args) : delay;
  if (!(ms > 0)) return resolveFixture(fixture, call);
  const wait = new Promise<void>((done) => void keepAlive(clock.after(ms, done)));
  if (delayCollapse) return wait.then(() => resolveFixture(fixture, call));
  const answer = resolveFixture(fixture, call);
  // the response may fail before the delay is over
  answer.catch(() => {});
  await wait;
  return answer;
}

/** The response of the fixture, without delay. */
export async function resolveFixture(fixture: Fixture, call: MockCall): Promise<unknown> {
  const { fetchResponse } = fixture;
  if (fetchResponse !== undefined) return fetched(fetchResponse, call);
  const error = fixtureErrorOf(fixture);
  if (error !== undefined) throw error;
  return responseOf(fixture, call);
}

/** The `response` value, or the result of the `response` function. */
function responseOf({ response }: Fixture, { args, data }: Omit<MockCall, 'endpoint'>): unknown {
  if (typeof response !== 'function') return response;
  return (response as (...args: readonly unknown[]) => unknown).call(data, ...args);
}

interface NetworkEndpoint extends EndpointInterface, Pick<RestBase, 'parseResponse'> {
  extend(steps: object): EndpointInterface;
}

/** Runs the whole endpoint except the network. */
function fetched(
  fetchResponse: NonNullable<Fixture['fetchResponse']>,
  { endpoint, args, data }: MockCall,
): Promise<unknown> {
  const rest = endpoint as NetworkEndpoint;
  const steps = {
    async fetchResponse(this: RestBase, input: string, init: RequestInit) {
      const value = await fetchResponse.call(data, input, init);
      if (!isResponse(value) || value.ok) return value;
      throw await toHttpError(value, detailsOf(this, input, value));
    },
    parseResponse: async (value: unknown) =>
      isResponse(value) ? rest.parseResponse(value) : value,
  };
  return rest.extend(steps)(...args);
}

/** The error of a fixture; undefined if the fixture succeeds. */
function fixtureErrorOf({ error, response }: Fixture): Error | undefined {
  if (error !== true) return error === false ? undefined : error;
  const errorLike = response as { readonly message?: string } | undefined;
  return Object.assign(new Error(errorLike?.message), errorLike);
}
