/** Keys that are asked again and again: one timer each, at the least interval that a subscriber wants. */
import type { EndpointInterface } from '../endpoint/Endpoint.ts';
import { keyOf } from '../endpoint/keyOf.ts';
import { refuseMutation } from '../endpoint/refuseMutation.ts';
import type { Args } from '../schema/schema.ts';
import type { ResultRecord } from '../store/ResultRecord.ts';
import { noop } from '../fetch/promiseTry.ts';
import { policyOf } from '../fetch/policyOf.ts';
import { nextMicrotask } from '../clock.ts';
import type { FetchContext } from '../fetch/FetchContext.ts';
import { LazyAbortController } from '../fetch/LazyAbortController.ts';
import type { Refetchable } from '../fetch/ActiveViews.ts';
import { run } from '../fetch/run.ts';

class Poll implements Refetchable {
  readonly key: string;
  /** Those of its subscribers; one may be made anew for each call: the latest says what the next request is. */
  readonly #endpoints: EndpointInterface[] = [];
  readonly #context: FetchContext;
  readonly #args: Args;
  readonly #left = new LazyAbortController();
  #askedAt = 0;
  #timer: unknown;

  constructor(context: FetchContext, args: Args, key: string) {
    this.#context = context;
    this.#args = args;
    this.key = key;
    context.activeViews.add(this);
  }

  join(endpoint: EndpointInterface): void {
    this.#endpoints.push(endpoint);
    this.#turn(true);
  }

  /** One who subscribed with it, or at its interval, leaves. True where that was the last. */
  leave(endpoint: EndpointInterface): boolean {
    const endpoints = this.#endpoints;
    const interval = intervalOf(this.#context, endpoint);
    const own = endpoints.indexOf(endpoint);
    const at =
      own < 0 ? endpoints.findIndex((one) => intervalOf(this.#context, one) === interval) : own;
    const last = at >= 0 && endpoints.length === 1;
    if (last) this.stop();
    else if (at >= 0) {
      endpoints.splice(at, 1);
      this.onReturn();
    }
    return last;
  }

  get #endpoint(): EndpointInterface {
    return this.#endpoints.at(-1) as EndpointInterface;
  }

  get #result(): ResultRecord {
    return this.#context.store.result(this.key, this.#endpoint.schema, this.#args);
  }

  stop(): void {
    this.#context.clock.clear(this.#timer);
    this.#context.activeViews.delete(this);
    // a request that is under way ends with it, unless it is subscribed again at once, as React's StrictMode does
    void nextMicrotask(() => this.#left.abort());
  }

  /** What is deleted is asked for by who comes, and by nobody else. */
  revalidate(comes = false): void {
    if (!comes && this.#result.deletedAt !== undefined) return;
    this.#askedAt = this.#context.clock.now();
    const endpoint = this.#endpoint;
    // the signal of one subscriber must not abort the requests of another
    const signal = this.#endpoints.length > 1 ? null : endpoint.signal;
    // errors are in the result
    run(this.#context, endpoint, this.#args, { left: this.#left, signal }).catch(noop);
  }

  onReturn(): void {
    this.#turn(false);
  }

  /** Asks when it is time, and waits for the next time; while nobody looks it does neither until somebody does. */
  #turn(comes: boolean): void {
    const { clock, surroundings } = this.#context;
    clock.clear(this.#timer);
    if (surroundings.hidden || surroundings.offline) return;
    const { stamp } = this.#result;
    const interval = Math.min(
      ...this.#endpoints.map((endpoint) => intervalOf(this.#context, endpoint)),
    );
    // another's answer counts as well
    let ms = Math.max(stamp.fetchedAt, this.#askedAt) + interval - clock.now();
    // a wall clock that was set back does not tell how long ago that was
    if (ms <= 0 || ms > interval) {
      ms = interval;
      this.revalidate(comes);
    }
    this.#timer = clock.after(ms, () => this.onReturn());
  }
}

export class Polling {
  readonly #context: FetchContext;
  readonly #polls: Map<string, Poll> = new Map();

  constructor(context: FetchContext) {
    this.#context = context;
  }

  /** Without a pollFrequency nothing is done. Gives back how to stop. */
  subscribe(endpoint: EndpointInterface, args: Args): () => void {
    refuseMutation(endpoint);
    const interval = intervalOf(this.#context, endpoint);
    if (!(interval > 0)) return noop;
    const key = keyOf(endpoint, args);
    let poll = this.#polls.get(key);
    if (poll === undefined) {
      this.#polls.set(key, (poll = new Poll(this.#context, args, key)));
    }
    poll.join(endpoint);
    let left = false;
    return () => {
      if (!left) this.#leave(poll, endpoint);
      left = true;
    };
  }

  unsubscribe(endpoint: EndpointInterface, args: Args): void {
    const interval = intervalOf(this.#context, endpoint);
    const poll = this.#polls.get(keyOf(endpoint, args));
    if (poll !== undefined && interval > 0) this.#leave(poll, endpoint);
  }

  /** All subscriptions end. */
  clear(): void {
    for (const poll of this.#polls.values()) poll.stop();
    this.#polls.clear();
  }

  #leave(poll: Poll, endpoint: EndpointInterface): void {
    // not one that a reset has ended
    if (this.#polls.get(poll.key) === poll && poll.leave(endpoint)) this.#polls.delete(poll.key);
  }
}

/** How often a subscriber of this endpoint polls, ms; 0: not at all. */
function intervalOf(context: FetchContext, endpoint: EndpointInterface): number {
  return policyOf(context, endpoint, 'pollFrequency') ?? 0;
}
