/** Polling: refetches reads at an interval. */
import type { ArgsOf, Controller } from '../Controller.ts';
import { nextMicrotask } from '../clock.ts';
import type { EndpointInterface, Policies } from '../endpoint/Endpoint.ts';
import { argumentChecks, keyOf, refuseMutation } from '../endpoint/argumentChecks.ts';
import { DEV, reportException } from '../errors.ts';
import { contextOf, addActiveView, policyOf } from '../request/FetchContext.ts';
import type { FetchContext, Refetchable } from '../request/FetchContext.ts';
import { LazyAbortController } from '../request/LazyAbortController.ts';
import { noop } from '../request/promiseTry.ts';
import { isTransient } from '../request/retryDelay.ts';
import { run } from '../request/InFlightRequest.ts';
import type { Args } from '../schema/schema.ts';
import type { ResultRecord } from '../store/results/ResultRecord.ts';

class Poll implements Refetchable {
  readonly key: string;
  /** The endpoints of the subscribers. Each call may create a new endpoint: the latest sends the next request. */
  readonly #endpoints: EndpointInterface[] = [];
  readonly #context: FetchContext;
  readonly #args: Args;
  readonly #abortController = new LazyAbortController();
  readonly #removeView: () => void;
  #requestedAt = 0;
  #timer: unknown;
  #isStopped = false;

  constructor(context: FetchContext, args: Args, key: string) {
    this.#context = context;
    this.#args = args;
    this.key = key;
    this.#removeView = addActiveView(context, this);
  }

  join(endpoint: EndpointInterface): void {
    this.#endpoints.push(endpoint);
    this.#fetchIfDue(true);
  }

  /** Removes a subscriber with this endpoint, or else with the same interval. True if no subscriber is left. */
  leave(endpoint: EndpointInterface): boolean {
    const endpoints = this.#endpoints;
    const frequency = frequencyOf(this.#context, endpoint);
    const indexOfEndpoint = endpoints.indexOf(endpoint);
    const at =
      indexOfEndpoint < 0
        ? endpoints.findIndex((each) => frequencyOf(this.#context, each) === frequency)
        : indexOfEndpoint;
    const isLast = at >= 0 && endpoints.length === 1;
    if (isLast) this.stop();
    else if (at >= 0) {
      endpoints.splice(at, 1);
      this.onReturn();
    }
    return isLast;
  }

  get #endpoint(): EndpointInterface {
    return this.#endpoints.at(-1) as EndpointInterface;
  }

  get #result(): ResultRecord {
    return this.#context.store.result(this.key, this.#endpoint.schema, this.#args);
  }

  stop(): void {
    this.#isStopped = true;
    this.#context.clock.clear(this.#timer);
    this.#removeView();
    // aborts the request in flight, unless the key is subscribed again at once, as in React's StrictMode
    void nextMicrotask(() => this.#abortController.abort());
  }

  /** Deleted data are refetched for a new subscriber only. */
  revalidate(comes = false): void {
    if (!comes && this.#result.deletionIssued !== undefined) return;
    this.#requestedAt = this.#context.clock.now();
    const endpoint = this.#endpoint;
    // the signal of a subscriber must not abort the requests of another
    const endpointSignal = this.#endpoints.length > 1 ? null : endpoint.signal;
    // the result holds the error
    const settled = run(this.#context, endpoint, [...this.#args], {
      isOfReader: true,
      callerSignal: this.#abortController,
      endpointSignal,
      isBackground: true,
    }).catch(noop);
    void settled.then(() => {
      if (!this.#isStopped) this.#fetchIfDue(false);
    });
  }

  onReturn(): void {
    this.#fetchIfDue(false);
  }

  /** The smallest interval of the subscribers, ms; undefined: the last result ends the polling. */
  get #interval(): number | undefined {
    const { failure } = this.#result;
    // a client error does not pass by itself
    if (failure !== undefined && !isTransient(failure.error)) return undefined;
    const intervals = this.#endpoints.flatMap((endpoint) => {
      const frequency = frequencyOf(this.#context, endpoint);
      const ms = typeof frequency === 'function' ? this.#call(frequency) : frequency;
      return typeof ms === 'number' && ms > 0 ? ms : [];
    });
    return intervals.length > 0 ? Math.min(...intervals) : undefined;
  }

  /** If the function throws, the exception is reported, and the result is undefined. */
  #call(frequency: FrequencyFunction): unknown {
    const data = this.#data();
    try {
      return frequency(data, this.#result.failure?.error);
    } catch (error) {
      return reportException(error);
    }
  }

  /** Undefined without data, or if a function of the schema throws: readers get that exception. */
  #data(): unknown {
    const result = this.#result;
    try {
      return result.hasData() ? result.data() : undefined;
    } catch {
      return undefined;
    }
  }

  /** Fetches when the interval has passed, and schedules the next time. Paused while the page is hidden or offline. */
  #fetchIfDue(comes: boolean): void {
    const { clock, surroundings } = this.#context;
    clock.clear(this.#timer);
    if (surroundings.hidden || surroundings.offline) return;
    const { stamp } = this.#result;
    const interval = comes ? (this.#interval ?? 0) : this.#interval;
    if (interval === undefined) return;
    // a response to another reader counts, too
    let ms = Math.max(stamp.fetchedAt, this.#requestedAt) + interval - clock.now();
    // after the wall clock was set back, the elapsed time is unknown
    if (ms <= 0 || ms > interval) {
      ms = interval;
      this.revalidate(comes);
    }
    this.#timer = clock.after(ms, () => this.onReturn());
  }
}

class Polling {
  readonly #context: FetchContext;
  readonly #polls: Map<string, Poll> = new Map();

  constructor(context: FetchContext) {
    this.#context = context;
  }

  /** Returns the function that unsubscribes. Does nothing without a `pollFrequency`. */
  subscribe(endpoint: EndpointInterface, args: Args): () => void {
    refuseMutation(endpoint);
    const frequency = frequencyOf(this.#context, endpoint);
    if (typeof frequency !== 'function' && !(frequency > 0)) return noop;
    const key = keyOf(endpoint, args);
    let poll = this.#polls.get(key);
    if (poll === undefined) {
      this.#polls.set(key, (poll = new Poll(this.#context, args, key)));
    }
    poll.join(endpoint);
    let hasEnded = false;
    return () => {
      if (!hasEnded) this.#leave(poll, endpoint);
      hasEnded = true;
    };
  }

  unsubscribe(endpoint: EndpointInterface, args: Args): void {
    const frequency = frequencyOf(this.#context, endpoint);
    const poll = this.#polls.get(keyOf(endpoint, args));
    if (poll !== undefined && frequency !== 0) this.#leave(poll, endpoint);
  }

  /** Ends all subscriptions. */
  clear(): void {
    for (const poll of this.#polls.values()) poll.stop();
    this.#polls.clear();
  }

  #leave(poll: Poll, endpoint: EndpointInterface): void {
    // a reset may have ended the poll already
    if (this.#polls.get(poll.key) === poll && poll.leave(endpoint)) this.#polls.delete(poll.key);
  }
}

type FrequencyFunction = Extract<Policies['pollFrequency'], (...result: never) => unknown>;

/** The polling interval of an endpoint, ms, or the function that returns the interval; 0: no polling. */
function frequencyOf(
  context: FetchContext,
  endpoint: EndpointInterface,
): NonNullable<Policies['pollFrequency']> {
  return policyOf(context, endpoint, 'pollFrequency') ?? 0;
}

/**
 * `subscribe(controller, endpoint, ...args)`: fetches every `pollFrequency` ms, and at once if the stored data are
 * older than that, until the returned function is called (once for each subscription), `unsubscribe`, or `reset`, or
 * until a response ends the polling: with a status 4xx (not 408, 425, 429), or because `pollFrequency` is a function
 * that throws (which is reported) or returns no positive number for the response. Errors are kept in the store. Does
 * nothing without a `pollFrequency`, or with null as the first argument. Throws A7 if `controller` is not a controller,
 * E7 for a mutation.
 */
export function subscribe<E extends EndpointInterface>(
  controller: Controller,
  endpoint: E,
  ...args: ArgsOf<E>
): () => void {
  const polling = pollingOf(controller);
  return args[0] === null ? noop : polling.subscribe(endpoint, args);
}

/** Ends a subscription with these arguments. */
export function unsubscribe<E extends EndpointInterface>(
  controller: Controller,
  endpoint: E,
  ...args: ArgsOf<E>
): void {
  const polling = pollingOf(controller);
  if (DEV) argumentChecks?.endpoint(endpoint);
  if (args[0] !== null) polling.unsubscribe(endpoint, args);
}

function pollingOf(controller: Controller): Polling {
  const context = contextOf(controller);
  return (context.polling ??= new Polling(context)) as Polling;
}
