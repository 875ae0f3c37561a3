/** Plays every order in which the responses to some requests can arrive, and reports the first that breaks a check. */
import { Controller } from '../Controller.ts';
import type { ArgsOf, ControllerOptions } from '../Controller.ts';
import { checkObject, SignalboxError, toShortText } from '../errors.ts';
import type { EndpointInterface } from '../endpoint/Endpoint.ts';
import type { FetchMiddleware } from '../request/FetchContext.ts';
import { resolveFixture, fixtureFor, noFixtureError } from './mockController.ts';
import type { Fixture, MockCall } from './mockController.ts';
import { fakeClock } from './fakeClock.ts';
import type { FakeClock } from './fakeClock.ts';

/** A single order. Everything is created again for the next order. */
export interface Interleaving {
  readonly controller: Controller;
  readonly clock: FakeClock;
  /** `controller.fetch` with the rejection handled. */
  readonly ask: <E extends EndpointInterface>(endpoint: E, ...args: ArgsOf<E>) => void;
}

/** Options of `exploreInterleavings`: start and checks, and any option of a controller except `send` and `clock`. */
export interface InterleavingOptions<T> extends Omit<ControllerOptions, 'send' | 'clock'> {
  /** Sends the requests and mounts the readers. The result is passed to the checks. */
  readonly start: (race: Interleaving) => T;
  /** Throws if the state after the last response is wrong. */
  readonly check: (race: Interleaving, started: T) => void | Promise<void>;
  /** Throws if the state after any response is wrong: the invariants. */
  readonly always?: (race: Interleaving, started: T) => void | Promise<void>;
  /** The responses, as for `mockController` (without delays). Default: the endpoints' own responses. */
  readonly fixtures?: () => readonly Fixture[];
  /** Plays each order also with each of the requests failing, with this error. */
  readonly failure?: Error;
  /** The limit of orders. Default 10,000: seven requests have 5,040. */
  readonly limit?: number;
}

/** Thrown by `exploreInterleavings`: `cause` is the error of the check, `trace` the requests and responses before. */
export class InterleavingError extends SignalboxError {
  override name = 'InterleavingError';
  readonly trace: readonly string[];

  constructor(order: number, trace: readonly string[], cause: unknown) {
    super('T2', { order, reason: cause }, { cause });
    this.trace = trace;
    this.message += `\n${trace.map((line) => `  ${line}`).join('\n')}`;
  }
}

/** A sent request; the response is computed (servers process requests when sent) and has not arrived. */
interface PendingResponse {
  readonly title: string;
  readonly answered: Promise<unknown>;
  readonly arrive: (answer: Promise<unknown>) => void;
}

/** The way taken, of how many ways, at a choice. */
interface ChoicePoint {
  readonly way: number;
  readonly of: number;
}

/**
 * `await exploreInterleavings({start, check})`: for each order of the responses `start` gets a new controller,
 * all requests are held back, the responses arrive in that order, and `check` runs. Requests that follow from responses
 * take part. Resolves with the number of orders. Throws InterleavingError (T2) for the first order that breaks a check,
 * T3 if there are too many.
 */
export async function exploreInterleavings<T>(options: InterleavingOptions<T>): Promise<number> {
  checkObject('exploreInterleavings', options, 'an object with start and check');
  const { limit = 10_000 } = options;
  let path: readonly number[] | undefined = [];
  for (let order = 1; ; order++) {
    if (order > limit) throw new SignalboxError('T3', { limit });
    path = nextChoices(await runOnce(options, path, order));
    if (path === undefined) return order;
  }
}

/** The next path through the forks: the last fork with another way takes that way, and all later forks start at 0. */
function nextChoices(forks: readonly ChoicePoint[]): readonly number[] | undefined {
  const open = forks.map(({ way, of }) => way + 1 < of).lastIndexOf(true);
  if (open === -1) return undefined;
  return forks.slice(0, open + 1).map(({ way }, at) => (at === open ? way + 1 : way));
}

/** Plays a single order: at each fork the way in `path`, after the end of `path` the first way. */
async function runOnce<T>(
  options: InterleavingOptions<T>,
  path: readonly number[],
  order: number,
): Promise<readonly ChoicePoint[]> {
  const { start, check, always, failure } = options;
  const held: PendingResponse[] = [];
  const trace: string[] = [];
  const forks: ChoicePoint[] = [];
  const race = prepare(options, held, trace);
  let mayFail = failure !== undefined;
  try {
    const started = start(race);
    await idle();
    while (held.length > 0) {
      const way = path[forks.length] ?? 0;
      forks.push({ way, of: mayFail ? 2 * held.length : held.length });
      const fails = way >= held.length;
      if (fails) mayFail = false;
      const [next] = held.splice(way % held.length, 1) as [PendingResponse];
      const answered = fails ? Promise.reject(failure) : next.answered;
      next.arrive(answered);
      trace.push(await outcome(next.title, answered));
      await idle();
      await always?.(race, started);
    }
    await check(race, started);
  } catch (error) {
    throw new InterleavingError(order, trace, error);
  }
  return forks;
}

/** A controller that holds requests back. */
function prepare<T>(
  options: InterleavingOptions<T>,
  held: PendingResponse[],
  trace: string[],
): Interleaving {
  const { start: _s, check: _c, always: _a, failure: _f, limit: _l, ...more } = options;
  const { fixtures, ...policies } = more;
  const answers = fixtures?.();
  const clock = fakeClock();
  const send: FetchMiddleware = (endpoint, args, leave) => {
    const title = [
      endpoint.title ?? endpoint.name,
      ...args.map((arg) => toShortText(arg, 60)),
    ].join(' ');
    trace.push(`sent      ${title}`);
    const question = { endpoint, args };
    const answer = async () => (answers === undefined ? leave() : answerFrom(answers, question));
    const answered = answer();
    // the request may fail long before the response is delivered
    answered.catch(() => {});
    return new Promise((arrive) => held.push({ title, answered, arrive }));
  };
  const controller = new Controller({ retry: false, ...policies, clock, send });
  const ask: Interleaving['ask'] = (endpoint, ...args) =>
    void controller.fetch(endpoint, ...args).catch(() => {});
  return { controller, clock, ask };
}

function answerFrom(fixtures: readonly Fixture[], question: MockCall): Promise<unknown> {
  const fixture = fixtureFor(fixtures, question);
  if (fixture === undefined) throw noFixtureError(question);
  return resolveFixture(fixture, question);
}

function outcome(title: string, answered: Promise<unknown>): Promise<string> {
  return answered.then(
    (answer) => `answered  ${title}: ${toShortText(answer, 80)}`,
    (error) => `failed    ${title}: ${toShortText(error, 80)}`,
  );
}

/** Runs all pending promise callbacks: a message event comes after all callbacks, and sooner than a timer. */
function idle(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  return new Promise<void>((resolve) => {
    port1.addEventListener('message', () => resolve());
    port1.start();
    port2.postMessage(undefined);
  }).finally(() => port1.close());
}
