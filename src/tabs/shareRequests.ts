/** Tabs share requests: one tab sends, all receive the response. A tab that opens receives the leader's records. */
import type { Controller } from '../Controller.ts';
import { keepAlive, keepAliveUntilCleared } from '../clock.ts';
import { checkObject, DEV, warn } from '../errors.ts';
import type { Issued } from '../request/Events.ts';
import { addTransport } from '../request/FetchContext.ts';
import type { FetchContext } from '../request/FetchContext.ts';
import { registerOpeningRequest } from '../request/InFlightRequest.ts';
import type { InFlightRequest } from '../request/InFlightRequest.ts';
import { reportCommit, requestEvent } from '../request/commit.ts';
import { readResult } from '../request/handleResponse.ts';
import { promiseTry } from '../request/promiseTry.ts';
import type { Args } from '../schema/schema.ts';
import type { ResultRecord, Stamp } from '../store/StorePort.ts';
import { DirtyTracker, UnpersistableRecords } from '../sync/DirtyTracker.ts';
import type { Locks } from '../sync/Locks.ts';
import { Registry, PersistableNames } from '../sync/Registry.ts';
import type { Names } from '../sync/Registry.ts';
import type { Share } from '../sync/StreamOptions.ts';
import { TabMessageCodec } from './TabMessage.ts';
import type { HandoverMessage } from './TabMessage.ts';
import { tabLocks, electLeader } from './electLeader.ts';
import { dehydrateStore, hydrateStore } from './hydrateStore.ts';
import type { StoreRow } from './hydrateStore.ts';

// The lock of a key is kept for so long after the response was posted, so that no tab gets the lock before the
// response, ms; released earlier when another tab requests newer data.
const LOCK_LINGER = 300;
// how long a tab that has waited for the lock waits for the response of the last holder, ms: the wait lasts in full
// only if the holder was closed without a response, and a busy machine delivers messages late
const RESPONSE_GRACE = 1_000;
// a lock granted later than this was held by another tab, ms
const AT_ONCE = 20;

/**
 * The value of the option `share` of `connectTabs`: if several tabs read the same key at the same time, one sends
 * the request; a tab that opens starts with the data stored by the others. Reads that are not in `names`, transactions
 * and mutations are sent by each tab itself.
 */
export const shareRequests: Share<'shareRequests'> = begin as never;

function begin(tab: SharingTab): Sharing {
  if (DEV)
    checkObject('shareRequests', tab, 'no call: write connectTabs(…, { share: shareRequests })');
  return new SharedRequests(tab);
}

/*
 *   tab 1   lock of the key ──► request ──► response, told to all ──► lock ends
 *   tab 2   lock of the key ──────── waits ────────┴─► done, without a request
 *   tab 3   lock of the key ──────── waits ── "tab 1 has failed, or is gone" ──► gets the lock, and sends
 */
class SharedRequests implements Sharing {
  readonly #tab: SharingTab;
  readonly #context: FetchContext;
  readonly #locks;
  readonly #handover: Handover;
  readonly #waiting: Map<InFlightRequest, WaitingRead> = new Map();
  /** Releases the lock of a key that is kept after the response, with the logical time of the response. */
  readonly #lingering: Map<string, { readonly time: number; readonly end: () => void }> = new Map();
  readonly stop: () => void;

  constructor(tab: SharingTab) {
    const { context } = tab;
    this.#tab = tab;
    this.#context = context;
    this.#locks = tab.options.locks ?? tabLocks();
    this.#handover = new Handover(tab, this.#locks, (key) => {
      for (const waiting of this.#waitingFor(key)) this.#settleIfFresh(waiting);
    });
    const removeTransport = addTransport(context, (transport) => (endpoint, args, next) => {
      const send = () => transport(endpoint, args, next);
      const request = this.#sharedOf(args);
      return request === undefined ? send() : this.#share(request, send);
    });
    this.stop = () => {
      removeTransport();
      this.#handover.stop();
      for (const waiting of this.#waiting.values()) waiting.sendAlone();
      for (const { end } of this.#lingering.values()) end();
    };
  }

  /** The read with these arguments, if other tabs can use the response. */
  #sharedOf(args: Args): InFlightRequest | undefined {
    for (const request of this.#context.inflight.allRequests)
      if (request.args === args && request.read)
        return request.holder === undefined && this.#tab.canShare(requestEvent(request))
          ? request
          : undefined;
    return undefined;
  }

  async #share(request: InFlightRequest, next: () => Promise<unknown>): Promise<unknown> {
    const { key } = request;
    const sendNow = () => {
      const { store } = this.#context;
      // after the wait, the server reads newer data than when the request was issued
      if (store.time > request.asOf) {
        request.asOf = store.tick();
        this.#tab.announceTime();
      }
      return next();
    };
    this.#lingering.get(key)?.end();
    // the wait of an attempt that timed out
    this.#waiting.get(request)?.finish();
    return new Promise((resolve, reject) => {
      const waiting: WaitingRead = {
        request,
        initialStamp: request.result.stamp,
        refetches: this.#isStoredFresh(request),
        isDone: false,
        hasNotice: false,
        resume: undefined,
        alive: undefined,
        sendAlone: () => {
          this.#end(waiting);
          promiseTry(sendNow).then(resolve, reject);
        },
        finish: () => {
          this.#end(waiting);
          resolve(undefined);
        },
      };
      this.#waiting.set(request, waiting);
      request.addEventListener('abort', () => waiting.finish());
      const send = () => {
        const response = promiseTry(sendNow);
        response.then(resolve, reject);
        return response;
      };
      this.#handover.done
        .then(() => {
          this.#settleIfFresh(waiting);
          return waiting.isDone ? undefined : this.#takeTurn(waiting, send);
        })
        // the platform refuses locks
        .catch(() => waiting.isDone || waiting.sendAlone());
    });
  }

  #takeTurn(waiting: WaitingRead, send: () => Promise<unknown>): Promise<unknown> {
    const { clock } = this.#context;
    const { key, isAwaited } = waiting.request;
    const requestedAt = clock.now();
    // neither a lock nor the message of another tab keeps a Node process alive
    if (isAwaited) waiting.alive = keepAliveUntilCleared(clock);
    return this.#locks.request(`signalbox read ${this.#tab.options.name} ${key}`, async () => {
      const hasWaited = clock.now() - requestedAt > AT_ONCE;
      if (hasWaited && !waiting.hasNotice && !waiting.isDone)
        await new Promise<void>((resolve) => {
          waiting.resume = resolve;
          keepAlive(clock.after(RESPONSE_GRACE, resolve));
        });
      if (waiting.isDone) return;
      if (this.#wasRequestedSince(waiting)) return this.#settleWithStored(waiting);
      this.#end(waiting);
      try {
        await send();
      } catch {
        // another tab may try
        return;
      }
      await this.#linger(key);
    });
  }

  #linger(key: string): Promise<void> {
    const { clock, store } = this.#context;
    return new Promise((resolve) => {
      const end = () => {
        clock.clear(timer);
        this.#lingering.delete(key);
        resolve();
      };
      const timer = clock.after(LOCK_LINGER, end);
      this.#lingering.get(key)?.end();
      this.#lingering.set(key, { time: store.time, end });
    });
  }

  #end(waiting: WaitingRead): void {
    waiting.isDone = true;
    waiting.resume?.();
    this.#context.clock.clear(waiting.alive);
    const { request } = waiting;
    if (this.#waiting.get(request) === waiting) this.#waiting.delete(request);
  }

  requested(key: string, id: number): void {
    const lingering = this.#lingering.get(key);
    // the other tab has the response, and requests newer data
    if (lingering !== undefined && id > lingering.time) lingering.end();
  }

  onNotice(key: string, notice: 'response' | 'unsaid' | 'ended'): void {
    for (const waiting of this.#waitingFor(key)) {
      waiting.hasNotice = true;
      // the response cannot be posted: each tab sends its own request
      if (notice === 'unsaid') waiting.sendAlone();
      else if (notice === 'response' && this.#hasNewResponse(waiting))
        this.#settleWithStored(waiting);
      else waiting.resume?.();
    }
  }

  /** A copy, because a read that gets the response is removed. */
  #waitingFor(key: string): readonly WaitingRead[] {
    return [...this.#waiting.values()].filter(({ request }) => request.key === key);
  }

  onHandover(from: number, message: HandoverMessage): void {
    this.#handover.onMessage(from, message);
  }

  /** Other tabs had fresh data for a read of this tab that has just begun. */
  #settleIfFresh(waiting: WaitingRead): void {
    const { isDone, refetches, request } = waiting;
    if (!isDone && !refetches && this.#isStoredFresh(request)) this.#settleWithStored(waiting);
  }

  #isStoredFresh(request: InFlightRequest): boolean {
    const { result } = request;
    const now = this.#context.clock.now();
    const isReadable = result.canRead() && !result.isIncomplete && result.failure === undefined;
    return isReadable && now <= result.expiryAt(now);
  }

  /** True if the stored data can be the response to the request: no invalidation or own write came later. */
  #hasNewResponse({ request, initialStamp }: WaitingRead): boolean {
    const { result } = request;
    const { stamp, invalidatedAt } = result;
    if (stamp === initialStamp || invalidatedAt !== undefined || stamp.expiresAt === 0)
      return false;
    return stamp.time > this.#context.store.lastOvertakenTime(result) && hasContent(result);
  }

  /** True if the stored response was requested after this request, and is still certain. */
  #wasRequestedSince(waiting: WaitingRead): boolean {
    const { asOf, result } = waiting.request;
    const { stamp, expiredAt } = result;
    return stamp.time > Math.max(asOf, expiredAt) && this.#hasNewResponse(waiting);
  }

  #settleWithStored(waiting: WaitingRead): void {
    const context = this.#context;
    const { request } = waiting;
    const { result } = request;
    request.settle(() => {
      const { time } = context.store;
      reportCommit(context, { cause: 'answer', time, written: 0 }, { causedBy: request });
      return readResult(result);
    });
    waiting.finish();
  }
}

function hasContent(result: ResultRecord): boolean {
  return result.hasData() || result.deletionIssued !== undefined;
}

/** A read of this tab, which waits for the lock or for the response of another tab. */
interface WaitingRead {
  readonly request: InFlightRequest;
  /** The stamp of the stored response when the wait began. */
  readonly initialStamp: Stamp;
  /** True if the stored response was fresh then: the caller requests a newer response. */
  readonly refetches: boolean;
  /** True once the request is sent, has a response, or has ended. */
  isDone: boolean;
  /** True if another tab has posted something about the key. */
  hasNotice: boolean;
  /** Sends the request without the lock. */
  sendAlone(): void;
  /** Ends the wait, with the stored response. */
  finish(): void;
  /** Continues after the time that a late response may take. */
  resume: (() => void) | undefined;
  /** The timer that keeps a Node process alive during the wait, if a caller waits. */
  alive: unknown;
}

/** The dependencies that a tab passes to sharing. */
interface SharingTab {
  readonly controller: Controller;
  readonly context: FetchContext;
  readonly options: {
    readonly names: Names;
    /** The channel and the version of the tabs that share. */
    readonly name: string;
    readonly locks?: Locks | undefined;
  };
  readonly id: number;
  /** True for a read if the response can be posted to other tabs. */
  canShare(request: Issued): boolean;
  post(message: HandoverMessage): void;
  /** Tells the other tabs the logical time: all their writes from now on are later. */
  announceTime(): void;
}

/** Receives messages of other tabs of the same version. */
export interface Sharing {
  /** A read of `key` was issued in another tab at a logical time. */
  requested(key: string, id: number): void;
  /**
   * `response`: the response is stored here. `unsaid`: the response cannot be posted. `ended`: there is no response.
   */
  onNotice(key: string, notice: 'response' | 'unsaid' | 'ended'): void;
  /** A part of a handover. Throws if the part is invalid. */
  onHandover(from: number, message: HandoverMessage): void;
  stop(): void;
}

/** The type of `shareRequests` for the tab. */
export type BeginSharing = (tab: SharingTab) => Sharing;

// how long reads of a tab that has opened wait for the leader, ms
const MAX_WAIT = 1_000;

/*
 * A tab that opens receives the records stored by the leader of the tabs: slice after slice, each as one commit.
 *
 *   opens      "wants" ─────────► "more" ─────────► "more" ─────► reads still without a response are sent
 *   leader              slice 1 ─────────► slice 2 ─────────► slice 3, the last
 *
 * The tab requests each slice: timers of a leader in the background are late, messages are not.
 */
class Handover {
  readonly #done: Promise<void>;
  #timer: unknown;
  readonly #tab: SharingTab;
  readonly #names: PersistableNames;
  readonly #codec: TabMessageCodec;
  readonly #unpersistable = new UnpersistableRecords();
  /** The remaining slices, by tab. */
  readonly #sessions: Map<number, Iterator<readonly StoreRow[]>> = new Map();
  readonly #stops: readonly (() => void)[];
  readonly #onHandedOver: (key: string) => void;
  #isLeader = false;
  #isDone = false;
  #end!: () => void;

  /** `onHandedOver`: called with the key of each response that was handed over. */
  constructor(tab: SharingTab, locks: Locks, onHandedOver: (key: string) => void) {
    const { context, controller } = tab;
    const { names, name } = tab.options;
    const { store, clock } = context;
    const registry = new Registry(names);
    this.#tab = tab;
    this.#onHandedOver = onHandedOver;
    this.#names = new PersistableNames(names, () => true, false);
    this.#codec = new TabMessageCodec(registry, store);
    const tracker = new DirtyTracker(controller, store, {
      changed: () => {
        for (const [record, time] of tracker.unkept) this.#unpersistable.add(record, time);
        tracker.clear();
      },
      emptied: () => this.#sessions.clear(),
    });
    const endOpening = registerOpeningRequest(context, 'handover');
    this.#done = new Promise((resolve) => {
      this.#timer = clock.after(MAX_WAIT, () => this.#end());
      this.#end = () => {
        if (this.#isDone) return;
        this.#isDone = true;
        clock.clear(this.#timer);
        endOpening();
        resolve();
      };
    });
    this.#stops = [
      () => tracker.stop(),
      electLeader(`of ${name}`, () => this.#lead(), { locks }),
      () => this.#end(),
    ];
    tab.post({ says: 'wants' });
  }

  /** Reads wait for this: the last slice came, or this tab leads, or there was no response in time. */
  get done(): Promise<void> {
    keepAlive(this.#timer);
    return this.#done;
  }

  #lead(): () => void {
    this.#isLeader = true;
    this.#end();
    // tabs that opened before there was a leader
    this.#tab.post({ says: 'leads' });
    return () => {
      this.#isLeader = false;
      this.#sessions.clear();
    };
  }

  onMessage(from: number, message: HandoverMessage): void {
    if (message.says === 'leads') {
      if (!this.#isDone) this.#tab.post({ says: 'wants' });
    } else if (message.says === 'slice') {
      if (message.to === this.#tab.id && !this.#isLeader) this.#receive(message);
    } else if (this.#isLeader) this.#sendSlice(from, message.says === 'wants');
  }

  #sendSlice(to: number, isFirst: boolean): void {
    const { store } = this.#tab.context;
    if (isFirst) {
      const context = {
        store,
        names: this.#names,
        codec: this.#codec,
        unpersistable: this.#unpersistable,
      };
      this.#sessions.set(to, dehydrateStore(context));
    }
    const slice = this.#sessions.get(to)?.next();
    if (slice === undefined) return;
    const isLast = slice.done === true;
    if (isLast) this.#sessions.delete(to);
    const rows = isLast ? [] : slice.value;
    try {
      this.#tab.post({ says: 'slice', to, at: store.time, rows, isLast });
    } catch (reason) {
      // without these rows the lists after them would be incomplete: the tab fetches from the server
      this.#sessions.delete(to);
      this.#tab.post({ says: 'slice', to, at: store.time, rows: [], isLast: true });
      warn('B2', 'handover', { schema: rows[0]?.kind ?? '', reason });
    }
  }

  #receive({ at, rows, isLast }: HandoverMessage & { readonly says: 'slice' }): void {
    const { context } = this.#tab;
    const { store, clock, events } = context;
    try {
      const before = store.time;
      const context = { store, names: this.#names, codec: this.#codec, time: at };
      const writes = hydrateStore(context, rows);
      events?.emit('commit', () => ({
        cause: 'answer',
        key: undefined,
        written: 0,
        ids: [],
        at: clock.now(),
        time: before,
        pending: [],
        writes,
        replayed: true,
      }));
      for (const { key } of writes) this.#onHandedOver(key as string);
    } finally {
      // invalid rows are left out
      if (isLast) this.#end();
      else this.#tab.post({ says: 'more' });
    }
  }

  stop(): void {
    for (const stop of this.#stops) stop();
  }
}
