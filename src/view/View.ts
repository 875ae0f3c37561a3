/** What a reader of one request holds: its result as signals, whether to wait for it, and how to keep it. */
import type { EndpointInterface } from '../endpoint/Endpoint.ts';
import { freshness } from '../fetch/freshness.ts';
import type { Freshness } from '../fetch/freshness.ts';
import { settle } from '../fetch/settle.ts';
import { run, titleOf } from '../fetch/run.ts';
import type { Desk } from '../fetch/run.ts';
import { Cell, computed, held, signal } from '../reactive.ts';
import type { Listener, ReadonlySignal, Signal } from '../reactive.ts';
import { INVALID } from '../schema/schema.ts';
import { expiryOf } from '../store/expiryOf.ts';
import type { Stamp } from '../store/order.ts';
import { Fine } from '../store/Record.ts';
import { PENDING } from '../store/ResultRecord.ts';
import type { Result, ResultRecord } from '../store/ResultRecord.ts';
import { Attempts } from './Attempts.ts';
import { FULFILLED, fulfill, noop, withResolver } from './Ready.ts';
import type { Ready } from './Ready.ts';
import { shapeOf } from './live.ts';
import type { LiveSource } from './live.ts';

/** What adapters ask of a view; a view of null arguments answers it too. */
export interface Reader<T = unknown> {
  readonly key: string;
  /** Immutable snapshots. Never throws; the same object until something in it changes. */
  readonly result: ReadonlySignal<Result<T>>;
  /** The same with live data: it changes when rows come, go or move, not when a field does. */
  readonly live: ReadonlySignal<Result<T>>;
  /** True while a read of this key is on its way. */
  readonly fetching: ReadonlySignal<boolean>;
  /** The last promise that `ensure` gave, or one that is fulfilled. */
  readonly ready: Ready;
  /**
   * While rendering: when there is nothing to show, starts the request (once) and gives the promise to wait for.
   * `first`: this reader has not shown this key before, so expiry counts.
   */
  ensure(first: boolean): Ready | undefined;
  /** When mounted, or its arguments changed: asks again where what is there is stale. */
  revalidate(): void;
  /** Keeps what is shown until the function given back is called. */
  retain(): () => void;
  /** Runs `listener` after each commit that changed the result. */
  listen(listener: Listener): () => void;
}

// from the answer to the screen of who waited for it, ms
const LONGEST_WAY = 60_000;

class ResultCell extends Cell<Result> {
  readonly #fine: Fine;
  readonly #look: () => Result;

  constructor(fine: Fine, look: () => Result) {
    super();
    this.#fine = fine;
    this.#look = look;
  }

  protected hold(firm: boolean): void {
    this.#fine.result = firm ? this : new WeakRef(this);
  }

  protected current(): Result {
    return this.#look();
  }
}

export class View<T = unknown> implements Reader<T> {
  endpoint: EndpointInterface;
  readonly args: readonly unknown[];
  readonly record: ResultRecord;
  readonly #desk: Desk;
  readonly #lives: LiveSource;
  readonly fetching: Signal<boolean> = signal(false);
  ready: Ready = FULFILLED;
  #live: ReadonlySignal<Result<T>> | undefined;
  #wake: (() => void) | undefined;
  #retained = 0;
  /** The answer that readers waited for: it counts as fresh when they mount, whatever its expiry. */
  #awaited: Stamp | undefined;
  readonly #attempts = new Attempts();

  constructor(desk: Desk, lives: LiveSource, endpoint: EndpointInterface, record: ResultRecord) {
    this.#desk = desk;
    this.#lives = lives;
    this.endpoint = endpoint;
    this.args = record.args;
    this.record = record;
  }

  get key(): string {
    return this.record.key;
  }

  get retained(): boolean {
    return this.#retained > 0;
  }

  peek(): Result<T> {
    return this.record.result(this.#desk.store) as Result<T>;
  }

  get result(): ReadonlySignal<Result<T>> {
    const fine = (this.record.fine ??= new Fine());
    const known = held(fine.result);
    if (known !== undefined) return known as ReadonlySignal<Result<T>>;
    const cell = new ResultCell(fine, () => this.peek());
    fine.result = new WeakRef(cell);
    return cell as ReadonlySignal<unknown> as ReadonlySignal<Result<T>>;
  }

  get live(): ReadonlySignal<Result<T>> {
    return (this.#live ??= computed(() => this.#lively()));
  }

  #lively(): Result<T> {
    const { record } = this;
    void shapeOf(record).value;
    const shown = this.peek();
    const data =
      shown.status === 'success' ? record.kind.denormalize(record.node, this.#lives) : INVALID;
    if (data !== INVALID) return { status: 'success', data: data as T, error: undefined };
    // what was asked may be there all the while that an answer changes nothing else: only the result tells
    void this.result.value;
    return shown.status === 'success' ? PENDING : shown;
  }

  /** Wall time in ms until when the data count as fresh; 0 where there are none. */
  get expiresAt(): number {
    return this.#desk.store.read(this.record) === INVALID
      ? 0
      : expiryOf(this.record, this.#desk.clock.now());
  }

  freshness(first: boolean): Freshness {
    const { record } = this;
    const { store, clock, policies } = this.#desk;
    const now = clock.now();
    const readable = store.read(record) !== INVALID;
    const { failure } = record;
    const { invalidIfStale } = settle(this.endpoint, policies);
    // time alone changes nothing for a reader that shows the key already
    const aging = first && !this.#awaits(record.stamp);
    return freshness(
      {
        readable,
        invalidIfStale,
        expiresAt: aging && readable ? expiryOf(record, now) : Infinity,
        failure: failure && { hard: failure.hard, expiresAt: first ? failure.expiresAt : Infinity },
      },
      now,
    );
  }

  /** True for an answer whose waiter has not mounted yet; one who never does is waited for a minute. */
  #awaits(stamp: Stamp): boolean {
    if (this.#awaited !== stamp || stamp.time <= this.record.expiredAt) return false;
    return this.#desk.clock.now() <= stamp.fetchedAt + LONGEST_WAY;
  }

  ensure(first: boolean): Ready | undefined {
    if (this.freshness(first) !== 'invalid') return undefined;
    return this.#wake === undefined ? this.#wait() : this.ready;
  }

  revalidate(): void {
    if (this.freshness(true) !== 'valid') void this.#start();
    // readers that waited together mount together
    if (this.#awaited !== undefined) void Promise.resolve().then(() => (this.#awaited = undefined));
  }

  retain(): () => void {
    this.#retained++;
    this.#desk.watch(this);
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      if (--this.#retained === 0) this.#desk.unwatch(this);
    };
  }

  listen(listener: Listener): () => void {
    return this.record.listen(listener);
  }

  /** One promise for all who wait; it settles in the commit that makes the result readable, or when the request ends. */
  #wait(): Ready {
    const wasPending = this.peek().status === 'pending';
    const { promise, resolve } = withResolver();
    this.ready = promise;
    const unlisten = this.listen(() => {
      if (wasPending && this.peek().status !== 'pending') this.#wake?.();
    });
    this.#wake = () => {
      this.#wake = undefined;
      unlisten();
      this.#awaited = this.record.stamp;
      void fulfill(promise);
      resolve();
    };
    void this.#start().then(() => this.#wake?.());
    return promise;
  }

  /** Sends or joins the request; errors are in the result. */
  #start(): Promise<void> {
    const { fetching, key, record } = this;
    const joins = this.#desk.inflight.joinable(key, record.invalidatedAt ?? 0) !== undefined;
    if (!joins && this.#loops()) return Promise.resolve();
    const before = this.peek().data;
    const settled = run(this.#desk, this.endpoint, this.args).then(noop, noop);
    // not while rendering: a signal must not be written there
    const begun = Promise.resolve().then(() => {
      fetching.value = this.#desk.inflight.has(key);
    });
    return Promise.all([settled, begun]).then(() => {
      if (this.peek().data !== before) this.#attempts.succeeded();
      fetching.value = this.#desk.inflight.has(key);
    });
  }

  /** A request that is asked again and again without ever becoming readable ends in an error that says so. */
  #loops(): boolean {
    const { clock, store, policies } = this.#desk;
    const { record, endpoint, key } = this;
    const now = clock.now();
    if (!this.#attempts.exceeded(now)) return false;
    const error = this.#attempts.error(record.failure?.error, { endpoint: titleOf(endpoint), key });
    const { errorExpiryLength } = settle(endpoint, policies);
    const failure = { error, hard: true, time: store.tick(), expiresAt: now + errorExpiryLength };
    // not while rendering: a signal must not be written there
    void Promise.resolve().then(() => store.commit(() => record.fail(failure, store)));
    return true;
  }
}
