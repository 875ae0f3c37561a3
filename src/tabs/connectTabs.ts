/** Replays the confirmed changes of each tab in the other tabs of an application. */
import type { Controller } from '../Controller.ts';
import { nextMicrotask } from '../clock.ts';
import { checkObject, DEV, SignalboxError, warn, reportException } from '../errors.ts';
import type { Commit, Issued } from '../request/Events.ts';
import { contextOf } from '../request/FetchContext.ts';
import type { FetchContext } from '../request/FetchContext.ts';
import { registerRemoteRequest } from '../request/InFlightRequest.ts';
import { requestEvent } from '../request/commit.ts';
import { replayWith } from '../request/replay.ts';
import { isPlainObject } from '../schema/fieldOf.ts';
import type { Locks } from '../sync/Locks.ts';
import { Registry } from '../sync/Registry.ts';
import type { Names } from '../sync/Registry.ts';
import type { Share } from '../sync/StreamOptions.ts';
import type { Stamp } from '../store/StorePort.ts';
import { channelOf } from '../sync/TabChannel.ts';
import type { TabChannel } from '../sync/TabChannel.ts';
import { hasReset, tabResets, TabResets } from '../sync/TabResets.ts';
import { compareByTime, OwnWrites } from './OwnWrites.ts';
import {
  TabMessageCodec,
  tabMessageFlaw,
  MESSAGE_VERSION,
  hasData,
  isTabMessage,
} from './TabMessage.ts';
import type { TabEvent, TabMessage, SerializedCommit } from './TabMessage.ts';
import type { BeginSharing, Sharing } from './shareRequests.ts';

/** The options of `connectTabs`. */
export interface TabsOptions {
  /** Resources, endpoints and schemas by names that are the same in all tabs, as in `{ todo: TodoResource }`. */
  readonly names: Names;
  /** Tabs that are connected under the same name exchange changes. Default `signalbox`. */
  readonly name?: string | undefined;
  /**
   * The user whose data the controller holds: the id of the logged-in user. Tabs of another owner are not connected:
   * neither data nor log outs are exchanged. Default: a single owner for all.
   */
  readonly owner?: string | undefined;
  /** The version of the application: from tabs of another version only log outs are received. */
  readonly version?: string | number | undefined;
  /** Default: a `BroadcastChannel` of this name. */
  readonly channel?: TabChannel | undefined;
  /**
   * `shareRequests`: a single request for each key in all tabs, and a tab that opens starts with the data stored by the
   * others. Default: no sharing.
   */
  readonly share?: Share<'shareRequests'> | undefined;
  /** For `share`: an object with the `request` of Web Locks. Default: as of `electLeader`. */
  readonly locks?: Locks | undefined;
}

/**
 * `const stop = connectTabs(controller, { names: { todo: TodoResource } })`: changes confirmed in one tab are written
 * in all other tabs that are connected under the same name, by the rules of versioning, once, and without a request.
 * Optimistic writes and errors stay in their tab. To be called where the controller is created, before the first
 * request. Without a channel (React Native) nothing happens; must not be called on a server. Throws B5 if `names` is no
 * object. Returns a function that stops, and closes the channel.
 */
export function connectTabs(controller: Controller, options: TabsOptions): () => void {
  if (DEV) checkObject('connectTabs', options, 'an object with names');
  const { names, name: all = 'signalbox', owner, version } = options;
  if (!isPlainObject(names)) throw new SignalboxError('B5', { value: names });
  const name = owner === undefined ? all : `${all} of ${encodeURIComponent(owner)}`;
  const channel = options.channel ?? channelOf(name);
  if (channel === undefined) return () => {};
  const tabs = `${name} ${version ?? ''}`;
  const begin = options.share as unknown as BeginSharing | undefined;
  return new Tab(controller, channel, { ...options, name: tabs, share: begin }).stop;
}

interface TabOptions extends Omit<TabsOptions, 'channel' | 'share'> {
  /** The name of the channel and the version. */
  readonly name: string;
  readonly share: BeginSharing | undefined;
}

// how much later than the data of this tab those of another tab may arrive, ms
const LATE_MS = 10_000;

/** A tab among others: posts the confirmed changes of the controller, and writes there the changes of other tabs. */
class Tab {
  readonly #controller: Controller;
  readonly #context: FetchContext;
  readonly #channel: TabChannel;
  /** The members that all messages of this tab have in common. */
  readonly #sender: Pick<TabMessage, 'signalbox' | 'version' | 'owner' | 'from'>;
  readonly #codec: TabMessageCodec;
  readonly #remoteRequests: RemoteRequests;
  readonly #id = Math.random();
  readonly #clock: TabClock;
  /** Own requests in flight. */
  readonly #inFlight: Map<number, Issued> = new Map();
  readonly #queue: TabEventQueue = new TabEventQueue((events) => {
    this.#remoteRequests.endOverdue();
    this.#post(undefined, events);
  });
  /** Logical time before all resets since the tab was connected, with an empty store. */
  readonly #opened: number;
  /** The resets, here and elsewhere: data of tabs that do not know all resets are refused. */
  readonly #resets: TabResets;
  /** True if this tab was reset, and the others have not been notified. */
  #reportsReset = false;
  /** Resets that were not repeated because this tab had just opened. */
  readonly #assumedEarlier = new Set<number>();
  /** The last calls of `invalidateAll` and `expireAll`, here and elsewhere. */
  #selections: Commit[] = [];
  /** True if data of other tabs are stored here. */
  #hasForeignData = false;
  readonly #sharing: Sharing | undefined;
  readonly stop: () => void;

  constructor(controller: Controller, channel: TabChannel, options: TabOptions) {
    const { names, name, version, owner, share } = options;
    const registry = new Registry(names);
    const context = contextOf(controller);
    const clock = (this.#clock = new TabClock(context, this.#id));
    this.#resets = new TabResets(name, (time) => {
      // writes from before the reset belong to the generation before
      this.#queue.flush();
      return clock.after(Math.max(time, clock.wallTime));
    });
    tabResets.set(context.store, this.#resets);
    this.#controller = controller;
    this.#context = context;
    this.#channel = channel;
    this.#sender = { signalbox: MESSAGE_VERSION, version, owner, from: this.#id };
    this.#codec = new TabMessageCodec(registry, context.store);
    this.#remoteRequests = new RemoteRequests(context);
    const ownWrites = new OwnWrites(context.store);
    const stops = [
      controller.on('request', (request) => this.#onRequest(request)),
      controller.on('commit', (commit) => this.#onCommit(ownWrites.decide(commit))),
      ownWrites.stop,
      controller.on('error', ({ id }) => this.#onEnd([id])),
      controller.on('abort', ({ id }) => this.#onEnd([id])),
      // a page that slept has not received the messages of others yet
      context.surroundings.listen(() => clock.advanceTo(clock.wallTime)),
    ];
    this.stop = () => {
      if (stops.length > 0) this.#close(stops.splice(0));
    };
    for (const request of context.inflight.allRequests) this.#onRequest(requestEvent(request));
    this.#opened = clock.wallTime;
    clock.advanceTo(this.#opened);
    channel.onmessage = (event: { readonly data?: unknown } | null) => this.#onMessage(event?.data);
    channel.unref?.();
    this.#post('come', []);
    this.#sharing = share?.({
      controller,
      context,
      options,
      id: this.#id,
      canShare: (request) => this.#codec.encodeRequest(request).read !== undefined,
      post: (handover) => this.#post(undefined, [{ handover }]),
      announceTime: () => this.#queue.add({ ended: [] }),
    });
  }

  #onRequest(request: Issued): void {
    this.#inFlight.set(request.id, request);
    const encoded = this.#codec.encodeRequest(request);
    this.#queue.add({ request: encoded }, () => ({ request: { ...encoded, read: undefined } }));
  }

  #onEnd(ids: readonly number[]): void {
    const ended = ids.filter((id) => this.#inFlight.delete(id));
    if (ended.length > 0) this.#queue.add({ ended });
  }

  #onCommit(commit: Commit): void {
    const { cause, ids, time } = commit;
    if (commit.replayed || (cause === 'reset' && this.#resets.isRepeating)) return;
    if (cause === 'reset') return this.#onReset(time);
    const encoded = this.#codec.encodeCommit(commit);
    // the request of an optimistic write is still in flight
    if (encoded === undefined) return cause === 'optimistic' ? undefined : this.#onEnd(ids);
    for (const id of ids) this.#inFlight.delete(id);
    this.#keepSelection(encoded);
    this.#queue.add({ commit: encoded }, (reason) => ({
      commit: this.#codec.encodeWithoutValues(encoded, commit, reason),
    }));
  }

  #onReset(time: number): void {
    this.#resets.add(time);
    this.#hasForeignData = false;
    this.#reportsReset = true;
    this.#clock.advanceTo(this.#resets.known.at(-1) as number);
    this.#queue.add({ ended: [] });
  }

  #post(presence: TabMessage['presence'], news: readonly TabEvent[]): void {
    const { time } = this.#context.store;
    this.#channel.postMessage({
      ...this.#sender,
      time,
      opened: this.#opened,
      generation: this.#resets.known,
      resets: this.#reportsReset,
      presence,
      news,
    });
    this.#reportsReset = false;
  }

  #onMessage(data: unknown): void {
    const { version, owner } = this.#sender;
    if (!isTabMessage(data) || data.from === this.#id || data.owner !== owner) return;
    const isForeign = data.version !== version;
    // messages of tabs of another version may have another form
    const reason = tabMessageFlaw(isForeign ? { ...data, news: [] } : data);
    if (reason !== undefined) return warn('B3', reason, { reason });
    const { from, time, presence, news } = data;
    const isCurrent = this.#isCurrent(data);
    // a log out applies to all tabs of any version
    this.#follow(data);
    if (time > this.#context.store.time) this.#clock.advanceTo(time);
    // tabs of every version need the present time, for their log outs
    if (presence === 'come') this.#announceState();
    if (isForeign) return;
    if (!isCurrent) this.#remoteRequests.endAll(from);
    for (const event of news) if (isCurrent || !hasData(event)) this.#handle(from, event);
    if (presence === 'go') this.#remoteRequests.endAll(from);
  }

  /** True if the sender knew all resets that this tab knows: data of another sender are of an earlier session. */
  #isCurrent({ generation, opened }: TabMessage): boolean {
    return this.#resets.known.every((time) => time <= opened || hasReset(generation, time));
  }

  /**
   * Follows resets of other tabs. Two tabs that were reset at once, in an unknown order, follow each other: only data
   * written later than both resets remain. Own data are later than the resets before this tab opened. Logical time may
   * be ahead of wall time: a reset that others know when this tab has just opened, and do not report, was before.
   */
  #follow({ generation, resets: isReport }: TabMessage): void {
    const ownResets = this.#resets;
    const unknown = generation.filter((time) => !hasReset(ownResets.known, time));
    // the report of a reset comes after the answer of another tab that knows the reset
    const isLate = isReport && generation.some((time) => this.#assumedEarlier.has(time));
    if (unknown.length === 0 && !isLate) return;
    this.#assumedEarlier.clear();
    this.#queue.flush();
    ownResets.merge(unknown);
    const isNew = this.#clock.wallTime <= this.#opened + NEW_STEPS;
    const isEarlier = !isReport && (isNew || unknown.every((time) => time <= this.#opened));
    if (isEarlier && isNew) for (const time of unknown) this.#assumedEarlier.add(time);
    if (isEarlier && !this.#hasForeignData) return;
    this.#hasForeignData = false;
    ownResets.repeat(() => this.#controller.reset());
  }

  /** Posts the present time and the requests in flight to a new tab. */
  #announceState(): void {
    for (const request of this.#inFlight.values()) this.#onRequest(request);
    if (!this.#queue.flush()) this.#post(undefined, []);
  }

  #handle(from: number, event: TabEvent): void {
    this.#hasForeignData ||= hasData(event);
    try {
      if ('request' in event) this.#onRemoteRequest(from, this.#codec.decodeRequest(event.request));
      else if ('ended' in event) this.#onRemoteEnd(from, event.ended);
      else if ('handover' in event) this.#sharing?.onHandover(from, event.handover);
      else this.#replay(from, event.commit);
      if (hasData(event)) this.#repeatSelections();
    } catch (reason) {
      warn('B3', String(reason), { reason });
    }
  }

  #onRemoteRequest(from: number, request: Issued): void {
    this.#remoteRequests.begin(from, request);
    if (request.read) this.#sharing?.requested(request.key, request.id);
  }

  #onRemoteEnd(from: number, ids: readonly number[]): void {
    for (const id of ids) {
      const key = this.#remoteRequests.end(from, id);
      if (key !== undefined) this.#sharing?.onNotice(key, 'ended');
    }
  }

  #replay(from: number, encoded: SerializedCommit): void {
    for (const id of encoded.ids) this.#remoteRequests.end(from, id);
    this.#keepSelection(encoded);
    const commit = this.#codec.decodeCommit(encoded);
    replayWith(this.#context, this.#asEcho(commit) ?? commit, compareByTime);
    for (const { key, unsaid } of encoded.writes)
      if (key !== undefined) this.#sharing?.onNotice(key, unsaid ? 'unsaid' : 'response');
  }

  /**
   * The queue of the other tab may have sent a creation that waits in the queue of this tab: hidden as an echo until this
   * tab reads the result in the log. Undefined for other commits.
   */
  #asEcho(commit: Commit): Commit | undefined {
    const waiting = [...this.#context.inflight.mutations].filter(
      ({ key, waitsForKeys, resolveTempIds }) =>
        waitsForKeys && resolveTempIds !== undefined && key === commit.key,
    );
    if (waiting.length === 0) return undefined;
    for (const request of waiting) request.noteSent();
    const writes = commit.writes.map((write) =>
      write.stamp === undefined ? write : { ...write, stamp: withoutOwn(write.stamp) },
    );
    return { ...commit, writes };
  }

  #keepSelection(encoded: SerializedCommit): void {
    if (encoded.selects !== undefined)
      this.#selections.push(this.#codec.decodeCommit({ ...encoded, writes: [] }));
  }

  /** Data that were requested before may arrive after `invalidateAll` or `expireAll`. */
  #repeatSelections(): void {
    const since = this.#context.clock.now() - LATE_MS;
    this.#selections = this.#selections.filter(({ at }) => at >= since);
    for (const commit of this.#selections) replayWith(this.#context, commit, compareByTime);
  }

  #close(stops: readonly (() => void)[]): void {
    for (const stop of stops) stop();
    this.#sharing?.stop();
    tabResets.delete(this.#context.store);
    this.#channel.onmessage = null;
    this.#remoteRequests.endAll();
    this.#queue.flush();
    this.#post('go', []);
    this.#channel.close();
  }
}

function withoutOwn(stamp: Stamp): Stamp {
  const { time, fetchedAt, expiresAt } = stamp;
  return { time, fetchedAt, expiresAt };
}

// Requests issued when a tab opens or wakes must be newer than the data of other tabs: before any message from another
// tab, the logical clock starts from the wall clock, in these steps (ms). Messages of other tabs correct the clock.
const STEP = 100;

// a tab is new for so many steps: the answers of other tabs to the first message come in this time
const NEW_STEPS = 20;

// Two tabs never issue the same logical time: each tab has a separate fraction. At this size of times there is room for
// so many fractions, which stay exact.
const FRACTIONS = 2 ** 17;

/** The logical clock of a tab among others. */
class TabClock {
  readonly #context: FetchContext;
  readonly #fraction: number;

  /** `id`: the random id of the tab, from 0 to 1. */
  constructor(context: FetchContext, id: number) {
    this.#context = context;
    this.#fraction = Math.floor(id * FRACTIONS) / FRACTIONS;
  }

  /** The logical time of the present wall time. */
  get wallTime(): number {
    return Math.floor(this.#context.clock.now() / STEP);
  }

  /** A logical time later than `time`, with the fraction of this tab. */
  after(time: number): number {
    return Math.floor(time) + 1 + this.#fraction;
  }

  /** Moves logical time past `time`, to the fraction of this tab. */
  advanceTo(time: number): void {
    const { store } = this.#context;
    store.advanceTo(this.after(time));
  }
}

/** Returns a replacement for an event that cannot be cloned for `reason`. */
type CreateFallback = (reason: unknown) => TabEvent;

interface Queued {
  readonly event: TabEvent;
  readonly createFallback: CreateFallback;
}

/** Collects the events of a tab during the present task, and posts a single message with all events. */
class TabEventQueue {
  readonly #post: (news: readonly TabEvent[]) => void;
  readonly #queued: Queued[] = [];

  constructor(post: (news: readonly TabEvent[]) => void) {
    this.#post = post;
  }

  add(event: TabEvent, createFallback: CreateFallback = () => event): void {
    this.#queued.push({ event, createFallback });
    if (this.#queued.length === 1) nextMicrotask(() => this.flush()).catch(reportException);
  }

  /** True if there was something to post. */
  flush(): boolean {
    const all = this.#queued.splice(0);
    if (all.length === 0) return false;
    try {
      this.#post(all.map(({ event }) => event));
    } catch {
      for (const each of all) this.#postAlone(each);
    }
    return true;
  }

  /** Posts an event alone; the fallback replaces an event that cannot be cloned. */
  #postAlone({ event, createFallback }: Queued): void {
    try {
      this.#post([event]);
    } catch (reason) {
      this.#post([createFallback(reason)]);
    }
  }
}

// a tab may end without a message, ms
const MAX_DURATION = 60_000;

interface RemoteRequest {
  /** When the request became known here: wall time, ms. */
  readonly since: number;
  /** The key of a read. */
  readonly key: string | undefined;
  readonly end: () => void;
}

/** The requests in flight of other tabs: own writes are remembered until these requests have ended. */
class RemoteRequests {
  readonly #context: FetchContext;
  /** By tab and request, in the order of arrival. */
  readonly #byName = new Map<string, RemoteRequest>();

  constructor(context: FetchContext) {
    this.#context = context;
  }

  begin(tab: number, request: Issued): void {
    // each tab posts all requests to new tabs: the request may be known
    this.end(tab, request.id);
    const end = registerRemoteRequest(this.#context, request);
    const key = request.read ? request.key : undefined;
    this.#byName.set(`${tab} ${request.id}`, { since: this.#context.clock.now(), key, end });
  }

  /** Returns the key of a read that was in flight. */
  end(tab: number, id: number): string | undefined {
    const name = `${tab} ${id}`;
    const key = this.#byName.get(name)?.key;
    this.#end(name);
    return key;
  }

  /** Ends the requests of a tab that has disconnected, or of all tabs. */
  endAll(tab?: number): void {
    for (const key of this.#byName.keys())
      if (tab === undefined || key.startsWith(`${tab} `)) this.#end(key);
  }

  /** Ends requests if their end was not reported in time. */
  endOverdue(): void {
    const now = this.#context.clock.now();
    for (const [key, { since }] of this.#byName) if (now - since > MAX_DURATION) this.#end(key);
  }

  #end(key: string): void {
    this.#byName.get(key)?.end();
    this.#byName.delete(key);
  }
}
