/** Keys that are asked again and again: one timer each, at the least interval that a subscriber wants. */
import type { EndpointInterface } from '../endpoint/Endpoint.ts';
import { keyOf } from '../endpoint/keyOf.ts';
import type { Args } from '../schema/schema.ts';
import { ignore } from './Asked.ts';
import { settle } from './settle.ts';
import { soon } from '../clock.ts';
import { Abort } from './Abort.ts';
import type { Desk } from './Desk.ts';
import type { Watched } from './live.ts';
import { run } from './run.ts';

class Poll implements Watched {
  readonly key: string;
  /** What its subscribers want, ms. */
  readonly intervals: number[] = [];
  readonly #desk: Desk;
  readonly #args: Args;
  readonly #left = new Abort();
  #endpoint: EndpointInterface;
  #askedAt = 0;
  #timer: unknown;

  constructor(desk: Desk, endpoint: EndpointInterface, args: Args, key: string) {
    this.#desk = desk;
    this.#endpoint = endpoint;
    this.#args = args;
    this.key = key;
    desk.watched.add(this);
  }

  /** An endpoint may be made anew for each call: the latest says what the next request is. */
  join(endpoint: EndpointInterface, interval: number): void {
    this.#endpoint = endpoint;
    this.intervals.push(interval);
    this.comeBack();
  }

  leave(interval: number): void {
    const at = this.intervals.indexOf(interval);
    if (at >= 0) this.intervals.splice(at, 1);
    if (this.intervals.length > 0) this.comeBack();
    else this.stop();
  }

  stop(): void {
    this.#desk.clock.clear(this.#timer);
    this.#desk.watched.delete(this);
    // a request that is under way ends with it, unless it is subscribed again at once, as React's StrictMode does
    void soon(() => this.#left.abort());
  }

  revalidate(): void {
    this.#askedAt = this.#desk.clock.now();
    // errors are in the result
    run(this.#desk, this.#endpoint, this.#args, { left: this.#left }).catch(ignore);
  }

  /** Asks when it is time, and waits for the next time; while nobody looks it does neither until somebody does. */
  comeBack(): void {
    const { clock, store, surroundings } = this.#desk;
    clock.clear(this.#timer);
    if (surroundings.hidden || surroundings.offline) return;
    const { stamp } = store.result(this.key, this.#endpoint.schema, this.#args);
    // another's answer counts as well
    const next = () => Math.max(stamp.fetchedAt, this.#askedAt) + Math.min(...this.intervals);
    if (clock.now() >= next()) this.revalidate();
    this.#timer = clock.after(next() - clock.now(), () => this.comeBack());
  }
}

export class Polling {
  readonly #desk: Desk;
  readonly #polls: Map<string, Poll> = new Map();

  constructor(desk: Desk) {
    this.#desk = desk;
  }

  /** Without a pollFrequency nothing is done. Gives back how to stop. */
  subscribe(endpoint: EndpointInterface, args: Args): () => void {
    const interval = settle(this.#desk, endpoint, 'pollFrequency');
    if (!(interval > 0)) return ignore;
    const key = keyOf(endpoint, args);
    let poll = this.#polls.get(key);
    if (poll === undefined) {
      this.#polls.set(key, (poll = new Poll(this.#desk, endpoint, args, key)));
    }
    poll.join(endpoint, interval);
    let left = false;
    return () => {
      if (!left) this.#leave(poll, interval);
      left = true;
    };
  }

  unsubscribe(endpoint: EndpointInterface, args: Args): void {
    const interval = settle(this.#desk, endpoint, 'pollFrequency');
    const poll = this.#polls.get(keyOf(endpoint, args));
    if (poll !== undefined && interval > 0) this.#leave(poll, interval);
  }

  /** All subscriptions end. */
  clear(): void {
    for (const poll of this.#polls.values()) poll.stop();
    this.#polls.clear();
  }

  #leave(poll: Poll, interval: number): void {
    // one that a reset has ended
    if (this.#polls.get(poll.key) !== poll) return;
    poll.leave(interval);
    if (poll.intervals.length === 0) this.#polls.delete(poll.key);
  }
}
