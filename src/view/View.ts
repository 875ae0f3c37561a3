/** What a reader of one request holds: its result as signals, whether to wait for it, and how to keep it. */
import { soon } from '../clock.ts';
import type { EndpointInterface } from '../endpoint/Endpoint.ts';
import { isAbort } from '../endpoint/isAbort.ts';
import { refuseMutation } from '../endpoint/refuseMutation.ts';
import { titleOf } from '../endpoint/titleOf.ts';
import { remember } from '../fetch/fail.ts';
import { run } from '../fetch/run.ts';
import { settle } from '../fetch/settle.ts';
import { failureOf } from '../fetch/stampOf.ts';
import { isWatched } from '../reactive.ts';
import type { ReadonlySignal } from '../reactive.ts';
import { expiryOf } from '../store/expiryOf.ts';
import type { Stamp } from '../store/order.ts';
import type { ResultRecord } from '../store/ResultRecord.ts';
import { isServer } from '../surroundings.ts';
import type { Return } from '../surroundings.ts';
import { Attempts } from './Attempts.ts';
import { Fetching } from './Fetching.ts';
import { Interest } from './Interest.ts';
import type { Ground } from './Planter.ts';
import { Reading } from './Reading.ts';
import type { Reader } from './Reader.ts';
import { noop, withResolver } from './Ready.ts';
import type { Ready } from './Ready.ts';

// from the answer to the screen of who waited for it, ms
const LONGEST_WAY = 60_000;

/** Invalid: ask and wait. Stale: show and ask. Valid: show. */
export type Freshness = 'invalid' | 'stale' | 'valid';

/*
 *   readable   failure              data         state
 *   ─────────────────────────────────────────────────────────────
 *   no         none, or expired     any          invalid  (not complete without returnPartialData: not readable)
 *   no         remembered           any          valid    (the error is shown)
 *   yes        hard, remembered     any          valid    (the error is shown)
 *   yes        hard, expired        any          invalid  (a boundary was reset)
 *   yes        soft, remembered     any          valid    (the data are shown, nobody asks again yet)
 *   yes        none, or soft exp.   fresh        valid
 *   yes        none, or soft exp.   expired      stale, or invalid: what HTTP said of it decides, else invalidIfStale
 */
export class View<T = unknown> extends Reading<T> {
  protected override readonly keeps: boolean = true;
  endpoint: EndpointInterface;
  readonly args: readonly unknown[];
  readonly #desk: Ground;
  #fetching: Fetching | undefined;
  #wake: (() => void) | undefined;
  /** The answer that readers waited for: it counts as fresh when they mount, whatever its expiry. */
  #awaited: Stamp | undefined;
  readonly #attempts = new Attempts();
  readonly #interest: Interest;
  /** Of its reader, as long as there is no other: a signal belongs to who came with it. It may have another each time. */
  #own: EndpointInterface | undefined;
  /** The one with which it was asked last. */
  #asking: AbortSignal | undefined;

  constructor(desk: Ground, endpoint: EndpointInterface, record: ResultRecord) {
    super(desk.store, record);
    this.#desk = desk;
    this.endpoint = endpoint;
    this.args = record.args;
    this.#interest = new Interest(this, desk.clock);
  }

  override get fetching(): ReadonlySignal<boolean> {
    return (this.#fetching ??= new Fetching(this.#desk.inflight, this.key));
  }

  get #signal(): AbortSignal | undefined {
    return this.#own?.signal;
  }

  /** A reader comes. An endpoint may be made anew for each call: the latest says what the next request is. */
  come(endpoint: EndpointInterface): this {
    refuseMutation(endpoint);
    const before = this.#signal;
    this.endpoint = endpoint;
    const alone = this.readers === 0 && this.#wake === undefined;
    if (alone || before?.aborted === true) this.#own = endpoint;
    else if (before !== endpoint.signal) this.#own = undefined;
    return this;
  }

  served(place?: string): Reader | undefined {
    // what was drawn first may be drawn again, when the data are there
    if (place !== undefined && isServer()) {
      const blank = this.peek().status === 'pending' ? this.key : '';
      (this.#desk.blanks ??= new Map()).set(place, blank);
    }
    return this.#desk.planter?.served(this, place);
  }

  /** Wall time in ms until when the data count as fresh; 0 where there are none. */
  get expiresAt(): number {
    return this.record.readable(this.#desk.store)
      ? expiryOf(this.record, this.#desk.clock.now())
      : 0;
  }

  /** What a reader must do; `first`: it has not shown this key before. */
  freshness(first: boolean): Freshness {
    const { record } = this;
    const { store, clock } = this.#desk;
    const readable = record.readable(store);
    const { failure } = record;
    const now = clock.now();
    const remembered =
      failure !== undefined && failure.time > record.expiredAt && now <= failure.expiresAt;
    // time alone changes nothing for a reader that shows the key already
    if (remembered || (failure !== undefined && !first)) return 'valid';
    // who shows what is deleted goes on; who comes asks, unless it was answered since
    const answered = first && this.#awaits(record.stamp, now) && this.peek().status === 'success';
    if (!readable && (answered || (!first && this.ended))) return 'valid';
    if (!readable || failure?.hard === true) return 'invalid';
    if (!first || this.#awaits(record.stamp, now) || now <= expiryOf(record, now)) return 'valid';
    if (record.incomplete) return 'stale';
    const { staleUntil } = record.stamp;
    const waits =
      staleUntil === undefined
        ? settle(this.#desk, this.endpoint, 'invalidIfStale')
        : now > staleUntil;
    return waits ? 'invalid' : 'stale';
  }

  /** True for an answer whose waiter has not mounted yet; one who never does is waited for a minute. */
  #awaits(stamp: Stamp, now: number): boolean {
    if (this.#awaited !== stamp) return false;
    return stamp.time > this.record.expiredAt && now <= stamp.fetchedAt + LONGEST_WAY;
  }

  override ensure(first: boolean): Ready | undefined {
    if (this.freshness(first) !== 'invalid') return undefined;
    const waits = this.#wake !== undefined;
    if (!waits) this.#wait();
    // what is waited for may end with the signal of another, or be from before an invalidation
    const isOld = this.#desk.inflight.has(this.key) && !this.#joins();
    if (!waits || this.#signal !== this.#asking || isOld)
      void this.#start().then(() => this.wake());
    this.#interest.wait();
    return this.ready;
  }

  override revalidate(): void {
    // nobody who shows what is deleted asks for it
    const asks = !this.endpoint.sideEffect && !this.ended;
    if (asks && this.freshness(true) !== 'valid') void this.#start();
    // readers that waited together mount together
    if (this.#awaited === undefined) return;
    void soon(() => {
      this.#awaited = undefined;
    });
  }

  /** The user or the network came back to what is shown. */
  comeBack(what: Return): void {
    const name = what === 'focus' ? 'refetchOnFocus' : 'refetchOnReconnect';
    if (settle(this.#desk, this.endpoint, name)) this.revalidate();
  }

  override retain(): () => void {
    if (++this.readers > 1) this.#own = undefined;
    this.#interest.enter();
    this.#desk.watched.add(this);
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      if (--this.readers > 0) return;
      this.#desk.watched.delete(this);
      this.#interest.leave();
    };
  }

  /** True while somebody would see an answer: mounted, listening, or watching one of the signals. */
  isRead(): boolean {
    const { cell, fine } = this.record;
    const own = this.#wake === undefined ? 0 : 1;
    const listens = (fine?.listeners?.size ?? 0) > own;
    return this.readers > 0 || listens || [cell, fine?.result, fine?.shape].some(isWatched);
  }

  /** Lets all who wait look again. */
  wake(): void {
    this.#wake?.();
  }

  /** One promise for all who wait; it settles in the commit that makes the result readable, or when the request ends. */
  #wait(): void {
    const wasPending = this.peek().status === 'pending';
    const before = this.record.stamp;
    const { promise, resolve } = withResolver();
    this.ready = promise;
    const unlisten = this.listen(() => {
      if (wasPending && this.peek().status !== 'pending') this.wake();
    });
    this.#wake = () => {
      this.#wake = undefined;
      unlisten();
      // woken without an answer: what was there before is as old as before
      if (this.record.stamp !== before) this.#awaited = this.record.stamp;
      resolve();
    };
  }

  /** Sends or joins the request; errors are in the result. */
  async #start(): Promise<void> {
    const { key, endpoint } = this;
    const before = this.peek();
    // nobody waits for what is asked again while it is shown; that counts where the answer before was for nobody, too
    const waited = this.#wake !== undefined || before.status !== 'success';
    if ((waited || this.#attempts.idle) && !this.#joins() && this.#loops()) return;
    const own = (this.#asking = this.#signal);
    const left = this.#interest.begin();
    const via = { left, key, signal: own ?? null };
    const settled = run(this.#desk, endpoint, this.args, via).then(noop, isAbort);
    // a listener may have ended it
    const { issued = Infinity } = this.#desk.inflight.joinable(key, 0) ?? {};
    const aborted = await settled;
    this.#interest.end();
    this.#attempts.aborted = aborted === true || own?.aborted === true;
    const seen = !waited && this.readers > 0;
    this.#attempts.ended(seen || this.peek().data !== before.data || left.aborted);
    // it was joined though it is from before an expiry: it is to be shown, and asked again
    if (this.readers > 0 && issued <= this.record.expiredAt) this.revalidate();
  }

  /** True where a request is on its way that a reader may join. */
  #joins(): boolean {
    const { inflight, store } = this.#desk;
    return inflight.joinable(this.key, store.horizon(this.record)) !== undefined;
  }

  /** A request that is asked again and again without ever becoming readable ends in an error that says so. */
  #loops(): boolean {
    const { record, endpoint } = this;
    const desk = this.#desk;
    if (!this.#attempts.exceeded(desk.clock.now())) return false;
    const error = this.#attempts.error(record, titleOf(endpoint));
    const failure = { ...failureOf(desk, endpoint, error, desk.store.tick()), hard: true };
    void soon(() => remember(desk, record, failure, { endpoint }));
    return true;
  }
}
