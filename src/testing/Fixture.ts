/** The fixtures of tests: the responses of a server to requests. */
import { keepAlive } from '../clock.ts';
import type { Clock } from '../clock.ts';
import { SignalboxError } from '../errors.ts';
import type { EndpointInterface } from '../endpoint/Endpoint.ts';

// any begin: arguments of every endpoint must fit; parameters are contravariant
/** The response to one kind of request. `T`: the result of `getInitialInterceptorData`, the `this` of its functions. */
export interface Fixture<T = any> {
  readonly endpoint: EndpointInterface;
  /** Without `args` the fixture matches every request of the endpoint (by its `testKey`), with any arguments. */
  readonly args?: readonly unknown[] | undefined;
  /** The response as the server would send it, or a function of the arguments that returns it, or a promise of it. */
  readonly response?:
    | object
    | string
    | number
    | boolean
    | null
    | undefined
    | ((this: T, ...args: any[]) => unknown);
  /** Instead of `response`, for REST endpoints: the parsed result of `fetch` for this address. */
  readonly fetchResponse?: ((this: T, input: string, init: RequestInit) => unknown) | undefined;
  /** Rejects the request instead; `true` rejects it with `response`, as in `{message: 'Not found', status: 404}`. */
  readonly error?: Error | boolean | undefined;
  /** The delay of the response, in milliseconds of the controller's clock. Default 0: the next microtask. */
  readonly delay?: number | ((...args: any[]) => number) | undefined;
  /** If true, the functions run when the response arrives. By default they run when the request is sent. */
  readonly delayCollapse?: boolean | undefined;
}

/** A fixture that computes its response. */
export type Interceptor<T = any> =
  | (Fixture<T> & { readonly response: (this: T, ...args: any[]) => unknown })
  | (Fixture<T> & Required<Pick<Fixture<T>, 'fetchResponse'>>);
// any end

/** One request that a fixture responds to. */
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

/** The response of the fixture, after its delay; rejects with its error. */
export async function resolveAfterDelay(
  fixture: Fixture,
  question: MockCall,
  clock: Clock,
): Promise<unknown> {
  const { delay = 0, delayCollapse = false } = fixture;
  const ms = typeof delay === 'function' ? delay(...question.args) : delay;
  if (!(ms > 0)) return resolveFixture(fixture, question);
  const wait = new Promise<void>((done) => void keepAlive(clock.after(ms, done)));
  if (delayCollapse) return wait.then(() => resolveFixture(fixture, question));
  const answer = resolveFixture(fixture, question);
  // the response may fail before the delay is over
  answer.catch(() => {});
  await wait;
  return answer;
}

/** The response of the fixture, without delay. */
export async function resolveFixture(fixture: Fixture, question: MockCall): Promise<unknown> {
  const { fetchResponse } = fixture;
  if (fetchResponse !== undefined) return fetched(fetchResponse, question);
  const error = errorOf(fixture);
  if (error !== undefined) throw error;
  return responseOf(fixture, question);
}

/** The `response` value, or the result of the `response` function. */
export function responseOf(
  { response }: Fixture,
  { args, data }: Omit<MockCall, 'endpoint'>,
): unknown {
  if (typeof response !== 'function') return response;
  return (response as (...args: readonly unknown[]) => unknown).call(data, ...args);
}

interface Extensible extends EndpointInterface {
  extend(steps: object): EndpointInterface;
}

/** Runs the whole endpoint except the network. */
function fetched(
  fetchResponse: NonNullable<Fixture['fetchResponse']>,
  { endpoint, args, data }: MockCall,
): Promise<unknown> {
  const steps = {
    fetchResponse: async (input: string, init: RequestInit) =>
      fetchResponse.call(data, input, init),
    parseResponse: async (value: unknown) => value,
  };
  return (endpoint as Extensible).extend(steps)(...args);
}

/** The error of a fixture; undefined if the fixture succeeds. */
export function errorOf({ error, response }: Fixture): Error | undefined {
  if (error !== true) return error === false ? undefined : error;
  const told = response as { readonly message?: string } | undefined;
  return Object.assign(new Error(told?.message), told);
}
