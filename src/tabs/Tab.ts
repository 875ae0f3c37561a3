/** One tab among others: posts the confirmed changes of its controller, and writes there the changes of other tabs. */
import { warn, reportException } from '../errors.ts';
import type { Controller } from '../Controller.ts';
import { requestEvent } from '../request/commit.ts';
import { contextOf } from '../request/FetchContext.ts';
import type { FetchContext } from '../request/FetchContext.ts';
import type { Commit, Issued } from '../request/Events.ts';
import { replayWith } from '../request/replay.ts';
import { TabMessageDecoder, TabMessageEncoder } from './TabMessageCodec.ts';
import type { Locks } from '../sync/Locks.ts';
import { compareByTime, OwnWrites } from './OwnWrites.ts';
import { Registry } from '../sync/Registry.ts';
import type { Names } from '../sync/Registry.ts';
import { hasReset, mergeResets, tabResets, TabResets } from '../sync/TabResets.ts';
import type { BeginSharing, Sharing } from './shareRequests.ts';
import type { TabChannel } from '../sync/TabChannel.ts';
import { tabMessageFlaw, MESSAGE_VERSION, hasData, isTabMessage } from './TabMessage.ts';
import type { TabEvent, TabMessage, SerializedCommit } from './TabMessage.ts';
import { nextMicrotask } from '../clock.ts';
import { registerRemoteRequest } from '../request/registerRemoteRequest.ts';

interface TabOptions {
  readonly names: Names;
  /** The name of the channel and the version. */
  readonly name: string;
  readonly version?: TabMessage['version'];
  readonly owner?: TabMessage['owner'];
  readonly share: BeginSharing | undefined;
  readonly locks?: Locks | undefined;
}

export class Tab {
  readonly #controller: Controller;
  readonly #context: FetchContext;
  readonly #channel: TabChannel;
  /** The members that all messages of this tab have in common. */
  readonly #sender: Pick<TabMessage, 'signalbox' | 'version' | 'owner' | 'from'>;
  readonly #speech: TabMessageEncoder;
  readonly #hearing: TabMessageDecoder;
  readonly #flights: RemoteRequests;
  readonly #id = Math.random();
  readonly #clock: TabClock;
  /** Own requests in flight. */
  readonly #asked: Map<number, Issued> = new Map();
  readonly #news: TabEventQueue = new TabEventQueue((news) => {
    this.#flights.forgetOld();
    this.#post(undefined, news);
  });
  /** Logical time before all resets since the tab was connected, with an empty store. */
  readonly #opened: number;
  /** The resets, here and elsewhere: data of tabs that do not know all of them are refused. */
  readonly #resets: TabResets;
  /** True if this tab was reset, and the others have not been notified. */
  #reportsReset = false;
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
      this.#news.flush();
      return clock.after(Math.max(time, clock.wallTime));
    });
    tabResets.set(context.store, this.#resets);
    this.#controller = controller;
    this.#context = context;
    this.#channel = channel;
    this.#sender = { signalbox: MESSAGE_VERSION, version, owner, from: this.#id };
    this.#speech = new TabMessageEncoder(registry);
    this.#hearing = new TabMessageDecoder(registry, context.store);
    this.#flights = new RemoteRequests(context);
    const own = new OwnWrites(context.store);
    const stops = [
      controller.on('request', (request) => this.#begin(request)),
      controller.on('commit', (commit) => this.#commit(own.decide(commit))),
      own.stop,
      controller.on('error', ({ id }) => this.#end([id])),
      controller.on('abort', ({ id }) => this.#end([id])),
      // a page that slept has not received the messages of others yet
      context.surroundings.listen(() => clock.advanceTo(clock.wallTime)),
    ];
    this.stop = () => {
      if (stops.length > 0) this.#close(stops.splice(0));
    };
    for (const flight of context.inflight.allRequests) this.#begin(requestEvent(flight));
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
      isTold: (request) => this.#speech.request(request).read !== undefined,
      post: (handover) => this.#post(undefined, [{ handover }]),
    });
  }

  #begin(request: Issued): void {
    this.#asked.set(request.id, request);
    const told = this.#speech.request(request);
    this.#news.add({ request: told }, () => ({ request: { ...told, read: undefined } }));
  }

  #end(ids: readonly number[]): void {
    const ended = ids.filter((id) => this.#asked.delete(id));
    if (ended.length > 0) this.#news.add({ ended });
  }

  #commit(commit: Commit): void {
    const { cause, ids, time } = commit;
    if (commit.replayed || (cause === 'reset' && this.#resets.isRepeating)) return;
    if (cause === 'reset') return this.#renew(time);
    const told = this.#speech.commit(commit);
    // the request of an optimistic write is still in flight
    if (told === undefined) return cause === 'optimistic' ? undefined : this.#end(ids);
    for (const id of ids) this.#asked.delete(id);
    this.#news.add({ commit: told }, (reason) => ({
      commit: this.#speech.withoutValues(told, commit, reason),
    }));
  }

  #renew(time: number): void {
    this.#resets.add(time);
    this.#hasForeignData = false;
    this.#reportsReset = true;
    this.#clock.advanceTo(this.#resets.known.at(-1) as number);
    this.#news.add({ ended: [] });
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
    if (!isCurrent) this.#flights.leave(from);
    for (const one of news) if (isCurrent || !hasData(one)) this.#take(from, one);
    if (presence === 'go') this.#flights.leave(from);
  }

  /** True if the sender knew all resets that this tab knows: data of another sender are of an earlier session. */
  #isCurrent({ generation, opened }: TabMessage): boolean {
    return this.#resets.known.every((time) => time <= opened || hasReset(generation, time));
  }

  /**
   * Follows resets of other tabs. Two tabs that were reset at once, in an unknown order, follow each other: only data
   * written later than both resets remain. Own data are later than the resets before this tab opened.
   */
  #follow({ generation, resets: isReport }: TabMessage): void {
    const state = this.#resets;
    const unknown = generation.filter((time) => !hasReset(state.known, time));
    if (unknown.length === 0) return;
    this.#news.flush();
    state.known = mergeResets(state.known, unknown);
    const isEarlier = !isReport && unknown.every((time) => time <= this.#opened);
    if (isEarlier && !this.#hasForeignData) return;
    state.isRepeating = true;
    this.#hasForeignData = false;
    try {
      this.#controller.reset();
    } finally {
      state.isRepeating = false;
    }
  }

  /** Posts the present time and the requests in flight to a new tab. */
  #announceState(): void {
    for (const request of this.#asked.values()) this.#begin(request);
    if (!this.#news.flush()) this.#post(undefined, []);
  }

  #take(from: number, news: TabEvent): void {
    this.#hasForeignData ||= hasData(news);
    try {
      if ('request' in news) this.#beginElsewhere(from, this.#hearing.request(news.request));
      else if ('ended' in news) this.#endElsewhere(from, news.ended);
      else if ('handover' in news) this.#sharing?.take(from, news.handover);
      else this.#replay(from, news.commit);
    } catch (reason) {
      warn('B3', String(reason), { reason });
    }
  }

  #beginElsewhere(from: number, request: Issued): void {
    this.#flights.begin(from, request);
    if (request.read) this.#sharing?.requested(request.key, request.id);
  }

  #endElsewhere(from: number, ids: readonly number[]): void {
    for (const id of ids) {
      const key = this.#flights.end(from, id);
      if (key !== undefined) this.#sharing?.onNotice(key, 'ended');
    }
  }

  #replay(from: number, told: SerializedCommit): void {
    for (const id of told.ids) this.#flights.end(from, id);
    replayWith(this.#context, this.#hearing.commit(told), compareByTime);
    for (const { key, unsaid } of told.writes)
      if (key !== undefined) this.#sharing?.onNotice(key, unsaid ? 'unsaid' : 'response');
  }

  #close(stops: readonly (() => void)[]): void {
    for (const stop of stops) stop();
    this.#sharing?.stop();
    tabResets.delete(this.#context.store);
    this.#channel.onmessage = null;
    this.#flights.leave();
    this.#news.flush();
    this.#post('go', []);
    this.#channel.close();
  }
}

// Requests issued when a tab opens or wakes must be newer than the data of other tabs: until it has messages from
// them, its logical clock starts from the wall clock, in these steps (ms). Messages of other tabs correct the clock.
const STEP = 100;

// Two tabs never issue the same logical time: each tab has a fraction of its own. At this size of times there is room
// for so many fractions, which stay exact.
const PLACES = 2 ** 17;

/** The logical clock of one tab among others. */
class TabClock {
  readonly #context: FetchContext;
  readonly #place: number;

  /** `id`: the random id of the tab, from 0 to 1. */
  constructor(context: FetchContext, id: number) {
    this.#context = context;
    this.#place = Math.floor(id * PLACES) / PLACES;
  }

  /** The logical time of the present wall time. */
  get wallTime(): number {
    return Math.floor(this.#context.clock.now() / STEP);
  }

  /** A logical time later than `time`, with the fraction of this tab. */
  after(time: number): number {
    return Math.floor(time) + 1 + this.#place;
  }

  /** Moves logical time past `time`, to the fraction of this tab. */
  advanceTo(time: number): void {
    const { store } = this.#context;
    store.time = Math.max(store.time, this.after(time));
  }
}

/** Returns a replacement for news that cannot be cloned for `reason`. */
type Less = (reason: unknown) => TabEvent;

interface Queued {
  readonly news: TabEvent;
  readonly less: Less;
}

/** Collects the events of a tab during the present task, and posts one message with all of them. */
export class TabEventQueue {
  readonly #post: (news: readonly TabEvent[]) => void;
  readonly #queued: Queued[] = [];

  constructor(post: (news: readonly TabEvent[]) => void) {
    this.#post = post;
  }

  add(news: TabEvent, less: Less = () => news): void {
    this.#queued.push({ news, less });
    if (this.#queued.length === 1) nextMicrotask(() => this.flush()).catch(reportException);
  }

  /** True if there was something to post. */
  flush(): boolean {
    const all = this.#queued.splice(0);
    if (all.length === 0) return false;
    try {
      this.#post(all.map(({ news }) => news));
    } catch {
      for (const each of all) this.#postAlone(each);
    }
    return true;
  }

  /** One of several news cannot be cloned. */
  #postAlone({ news, less }: Queued): void {
    try {
      this.#post([news]);
    } catch (reason) {
      this.#post([less(reason)]);
    }
  }
}

// a tab may end without a message, ms
const LONGEST = 60_000;

interface Flight {
  /** When the request became known here: wall time, ms. */
  readonly since: number;
  /** The key of a read. */
  readonly key: string | undefined;
  readonly end: () => void;
}

/** The requests in flight of other tabs: own writes are remembered until these requests have ended. */
export class RemoteRequests {
  readonly #context: FetchContext;
  /** By tab and request, in the order in which they became known. */
  readonly #flights = new Map<string, Flight>();

  constructor(context: FetchContext) {
    this.#context = context;
  }

  begin(tab: number, request: Issued): void {
    // each tab posts its requests to new tabs: the request may be known
    this.end(tab, request.id);
    const end = registerRemoteRequest(this.#context, request);
    const key = request.read ? request.key : undefined;
    this.#flights.set(`${tab} ${request.id}`, { since: this.#context.clock.now(), key, end });
  }

  /** Returns the key of a read that was in flight. */
  end(tab: number, id: number): string | undefined {
    const flight = `${tab} ${id}`;
    const key = this.#flights.get(flight)?.key;
    this.#end(flight);
    return key;
  }

  /** Ends the requests of a tab that has disconnected, or of all tabs. */
  leave(tab?: number): void {
    for (const key of this.#flights.keys())
      if (tab === undefined || key.startsWith(`${tab} `)) this.#end(key);
  }

  /** Ends requests if their end was not reported in time. */
  forgetOld(): void {
    const now = this.#context.clock.now();
    for (const [key, { since }] of this.#flights) if (now - since > LONGEST) this.#end(key);
  }

  #end(key: string): void {
    this.#flights.get(key)?.end();
    this.#flights.delete(key);
  }
}
