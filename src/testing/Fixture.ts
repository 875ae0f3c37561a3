/** How a test says what a server answers. */
import type { Clock } from '../clock.ts';
import { SignalboxError } from '../diagnostics.ts';
import type { EndpointInterface } from '../endpoint/Endpoint.ts';

// any begin: arguments of every endpoint must fit; parameters are contravariant
/** How one request is answered. `T`: what `getInitialInterceptorData` gives, the `this` of its functions. */
export interface Fixture<T = any> {
  readonly endpoint: EndpointInterface;
  /** Without them it answers the endpoint (what its `testKey` names) whatever the arguments. */
  readonly args?: readonly unknown[] | undefined;
  /** The answer as the server would send it, or a function of the arguments that gives it, or a promise of it. */
  readonly response?:
    | object
    | string
    | number
    | boolean
    | null
    | undefined
    | ((this: T, ...args: any[]) => unknown);
  /** In the place of `response`, for endpoints of REST: what `fetch` of this address would bring, as parsed. */
  readonly fetchResponse?: ((this: T, input: string, init: RequestInit) => unknown) | undefined;
  /** Rejects the request instead; `true` rejects it with `response`, as in `{message: 'Not found', status: 404}`. */
  readonly error?: Error | boolean | undefined;
  /** How long the answer takes, in milliseconds of the controller's clock. Default 0: the next microtask. */
  readonly delay?: number | ((...args: any[]) => number) | undefined;
  /** The functions run when the answer arrives. Without it they run when the request is sent. */
  readonly delayCollapse?: boolean | undefined;
}

/** A fixture that computes its answer. */
export type Interceptor<T = any> =
  | (Fixture<T> & { readonly response: (this: T, ...args: any[]) => unknown })
  | (Fixture<T> & Required<Pick<Fixture<T>, 'fetchResponse'>>);
// any end

/** One request that a fixture answers. */
export interface Question {
  readonly endpoint: EndpointInterface;
  readonly args: readonly unknown[];
  /** What interceptors share. */
  readonly data?: unknown;
}

/** The last fixture that fits. */
export function fixtureFor(
  fixtures: readonly Fixture[],
  { endpoint, args }: Question,
): Fixture | undefined {
  const key = endpoint.key(...args);
  const fits = ({ endpoint: own, args: exact }: Fixture): boolean =>
    exact === undefined
      ? (own.testKey?.(key) ?? own.name === endpoint.name)
      : own.key(...exact) === key;
  return [...fixtures].reverse().find(fits);
}

/** T1, for a request that no fixture fits. */
export function unanswered({ endpoint, args }: Question): SignalboxError {
  const title = endpoint.title ?? endpoint.name;
  return new SignalboxError('T1', { args }, { status: 404, endpoint: title });
}

/** The answer, after its delay; rejects with its error. */
export async function answered(
  fixture: Fixture,
  question: Question,
  clock: Clock,
): Promise<unknown> {
  const { delay = 0, delayCollapse = false } = fixture;
  const ms = typeof delay === 'function' ? delay(...question.args) : delay;
  if (!(ms > 0)) return answerOf(fixture, question);
  const wait = new Promise<void>((done) => void clock.after(ms, done));
  if (delayCollapse) return wait.then(() => answerOf(fixture, question));
  const answer = answerOf(fixture, question);
  // it may fail before it arrives
  answer.catch(() => {});
  await wait;
  return answer;
}

/** What the fixture answers, without delay. */
export async function answerOf(fixture: Fixture, question: Question): Promise<unknown> {
  const { fetchResponse } = fixture;
  if (fetchResponse !== undefined) return fetched(fetchResponse, question);
  const error = errorOf(fixture);
  if (error !== undefined) throw error;
  return responseOf(fixture, question);
}

/** As it stands there, or as its function gives it. */
export function responseOf(
  { response }: Fixture,
  { args, data }: Omit<Question, 'endpoint'>,
): unknown {
  if (typeof response !== 'function') return response;
  return (response as (...args: readonly unknown[]) => unknown).call(data, ...args);
}

interface Extensible extends EndpointInterface {
  extend(steps: object): EndpointInterface;
}

/** Runs all of the endpoint but the network. */
function fetched(
  fetchResponse: NonNullable<Fixture['fetchResponse']>,
  { endpoint, args, data }: Question,
): Promise<unknown> {
  const steps = {
    fetchResponse: async (input: string, init: RequestInit) =>
      fetchResponse.call(data, input, init),
    parseResponse: async (value: unknown) => value,
  };
  return (endpoint as Extensible).extend(steps)(...args);
}

/** The error of a fixture; undefined where it succeeds. */
export function errorOf({ error, response }: Fixture): Error | undefined {
  if (error !== true) return error === false ? undefined : error;
  const told = response as { readonly message?: string } | undefined;
  return Object.assign(new Error(told?.message), told);
}
