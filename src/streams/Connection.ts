/** Keeps a stream open: connects, waits, reconnects, catches up and closes. The transport carries the messages. */
import type { Controller } from '../Controller.ts';
import { keepAlive } from '../clock.ts';
import type { Clock } from '../clock.ts';
import { isEndpoint } from '../endpoint/argumentChecks.ts';
import { SignalboxError, reportException } from '../errors.ts';
import type { Code, MessageParameters } from '../errors.ts';
import { anyOf } from '../request/Events.ts';
import type { KeyTest } from '../request/Events.ts';
import { contextOf } from '../request/FetchContext.ts';
import type { FetchContext } from '../request/FetchContext.ts';
import { backoffDelay, isStableConnection } from '../request/retryDelay.ts';
import type { Backoff } from '../request/retryDelay.ts';
import { signal } from '../signals.ts';
import type { Signal } from '../signals.ts';
import type {
  BeginConnection,
  SharedConnection,
  Stream,
  StreamOptions,
  StreamStatus,
  MissedPeriod,
  ResyncPolicy,
  SharedStream,
} from '../sync/StreamOptions.ts';
import { MessageBatcher } from './MessageBatcher.ts';
import { nameOf } from './Transport.ts';
import type { Transport, TransportConnection, TransportHandlers } from './Transport.ts';

/*
 *                   ┌──────── interrupted ──────┐
 *                   ▼                           │
 *   dial ──▶ connecting ──────── opened ─────▶ open
 *     ▲             │                           │         closed: from every state, by close(), a reset,
 *     │             └─── lost ──▶ waiting ◀── lost        or when a connection is lost and must not reopen
 *     └── time, or the network ──────┘
 */
export class Connection implements Stream {
  readonly status: Signal<StreamStatus> = signal<StreamStatus>('connecting');
  readonly #context: FetchContext;
  readonly #name: string;
  readonly #transport: Transport;
  // any: only the receiver knows the type of messages
  readonly #options: StreamOptions<any>;
  readonly #reportError: ErrorReporter;
  readonly #batcher: MessageBatcher;
  readonly #heartbeat: Heartbeat | undefined;
  readonly #stops: readonly (() => void)[];
  /** Events of the present connection; events of an ended connection are ignored. */
  readonly #handlers: TransportHandlers = {
    onOpen: () => void this.#open(),
    onMessage: (type, data, lastEventId) => {
      const progress = this.#progress;
      progress.lastEventId = lastEventId ?? progress.lastEventId;
      this.#noteAlive();
      this.#batcher.add(type, data, progress.lastEventId);
    },
    onInterrupted: () => {
      this.#progress.noteLost();
      this.#setStatus('connecting');
    },
    onClose: (shouldReconnect) => {
      this.#progress.noteLost();
      if (this.#shouldReconnect(shouldReconnect)) this.#wait();
      else this.close();
    },
  };
  #connection: TransportConnection | undefined;
  /** The number of the attempt: callbacks of another attempt are ignored. */
  #attempt = 0;
  #timer: unknown;
  readonly #progress: StreamProgress;
  /** If tabs share a connection, this stream connects when the tab becomes the leader. */
  readonly #shared: SharedConnection | undefined;

  // any: as above
  constructor(controller: Controller, transport: Transport, options: StreamOptions<any>) {
    const context = contextOf(controller);
    const { clock, surroundings } = context;
    const { heartbeat } = transport;
    this.#context = context;
    this.#name = options.name ?? nameOf(transport.fixedAddress ?? 'a stream');
    this.#transport = transport;
    this.#options = options;
    this.#progress = new StreamProgress(controller, options);
    this.#reportError = createErrorReporter(this.#name, (error) =>
      options.onError === undefined ? reportException(error) : options.onError(error),
    );
    this.#heartbeat =
      heartbeat &&
      new Heartbeat(clock, heartbeat.ms, (missedBeats) => this.#onHeartbeatMissed(missedBeats));
    this.#batcher = new MessageBatcher(controller, options, this.#reportError);
    this.#stops = [
      controller.on('reset', () => this.#reset()),
      surroundings.listen((what) => {
        if (what === 'reconnect') this.#onNetworkReturn();
      }),
    ];
    const { name = transport.fixedAddress } = options;
    const share = options.share as unknown as BeginConnection | undefined;
    if (share === undefined) this.#start();
    else {
      this.status.value = 'following';
      const end = () => this.#handOver();
      this.#shared = share(
        controller,
        name,
        this.#progress.shared(
          () => this.#start(),
          end,
          () => this.#catchUp(),
        ),
      );
    }
  }

  /** Another tab takes over the connection. */
  #handOver(): void {
    if (this.status.peek() === 'closed') return;
    this.#disconnect();
    this.#progress.noteLost();
    this.#setStatus('following');
  }

  #start(): void {
    if (!this.#context.surroundings.offline) return this.#connect();
    this.#progress.noteLost();
    this.#setStatus('waiting');
  }

  send(data: unknown): boolean {
    return this.status.peek() === 'open' && this.#connection?.send?.(data) === true;
  }

  close(): void {
    if (this.status.peek() === 'closed') return;
    this.#disconnect();
    this.#batcher.close();
    for (const stop of this.#stops) stop();
    this.#setStatus('closed');
    this.#shared?.stop();
  }

  /** Called last: a subscriber of the status may close the stream. */
  #setStatus(status: StreamStatus): void {
    try {
      this.status.value = status;
    } catch (error) {
      // an error of a subscriber
      reportException(error);
    }
  }

  #connect(): void {
    this.#disconnect();
    const attempt = this.#attempt;
    this.#heartbeat?.start();
    this.#setStatus('connecting');
    if (attempt !== this.#attempt) return;
    const fail = (error: unknown) => {
      if (attempt === this.#attempt) this.#fail(error);
    };
    const open = (address: string) => {
      if (attempt === this.#attempt)
        this.#connection = this.#transport.open(address, this.#handlers);
    };
    try {
      const address = this.#transport.address(this.#progress.lastEventId);
      if (typeof address === 'string') open(address);
      else address.then(open).catch(fail);
    } catch (error) {
      fail(error);
    }
  }

  /** Ends the attempt and the connection. */
  #disconnect(): void {
    this.#attempt++;
    this.#context.clock.clear(this.#timer);
    this.#heartbeat?.stop();
    this.#connection?.end();
    this.#connection = undefined;
  }

  async #open(): Promise<void> {
    const attempt = this.#attempt;
    this.#progress.noteOpen();
    this.#noteAlive();
    this.#setStatus('open');
    if (attempt !== this.#attempt || !(await this.#greet(attempt))) return;
    await this.#catchUp();
  }

  #catchUp(): Promise<void> {
    return this.#progress.catchUp((reason) => this.#reportError('L4', { reason }, reason));
  }

  /** Waits for `greet`, because earlier fetches may miss changes. True after a success on this very connection. */
  async #greet(attempt: number): Promise<boolean> {
    try {
      await this.#transport.greet?.(this.#connection as TransportConnection);
      return attempt === this.#attempt;
    } catch (error) {
      if (attempt === this.#attempt) this.#fail(error);
      return false;
    }
  }

  #noteAlive(): void {
    this.#progress.noteAlive();
    this.#heartbeat?.noteAlive();
    this.#shared?.noteAlive();
  }

  #shouldReconnect(decide: () => boolean): boolean {
    try {
      return decide();
    } catch (error) {
      this.#reportError('L4', { reason: error }, error);
      return true;
    }
  }

  #fail(error: unknown): void {
    if (this.#progress.isNew && this.#transport.fixedAddress !== undefined) {
      this.close();
      throw new SignalboxError('L3', { stream: this.#name, reason: error }, { cause: error });
    }
    this.#reportError('L3', { reason: error }, error);
    this.#progress.noteLost();
    this.#wait();
  }

  #wait(): void {
    // closed by a callback of the application
    if (this.status.peek() === 'closed') return;
    this.#disconnect();
    const { clock, surroundings } = this.#context;
    const ms = backoffDelay(this.#progress.failures++, clock, this.#options.backoff);
    const timer = clock.after(ms, () => {
      if (!surroundings.offline) this.#connect();
    });
    // an open connection keeps a Node process alive, and so does the pause between two connections
    this.#timer = keepAlive(timer);
    this.#setStatus('waiting');
  }

  /** The network is back. */
  #onNetworkReturn(): void {
    const status = this.status.peek();
    // the next attempt of the platform may be far off, but the platform knows the last event
    const { lostAt, lastEventId } = this.#progress;
    const isInterrupted = this.#connection !== undefined && lostAt !== undefined;
    const resumes = isInterrupted && this.#transport.resumes(lastEventId);
    if (status === 'waiting' || (status === 'connecting' && resumes)) this.#connect();
  }

  #onHeartbeatMissed(missedBeats: 1 | 2): void {
    const { heartbeat } = this.#transport;
    if (missedBeats === 2) {
      this.#progress.noteLost();
      this.#wait();
    } else if (heartbeat?.ping !== undefined) this.send(heartbeat.ping);
  }

  #reset(): void {
    this.#batcher.reset();
    if (this.#options.keepOnReset !== true) this.close();
  }
}

/** When silence means that a connection is dead. */
export interface HeartbeatOptions {
  /** After this time without a message, ms, or at most half as long again, the connection counts as dead. */
  readonly ms: number;
  /** Sent after half of the time, for the server to respond: text and bytes unchanged, all other values as JSON. */
  readonly ping?: unknown;
}

/** Beats twice in `ms`, and counts the beats since the last message: setting the wall clock has no effect. */
class Heartbeat {
  readonly #clock: Clock;
  readonly #half: number;
  readonly #missed: (missedBeats: 1 | 2) => void;
  #beats = 0;
  #timer: unknown;

  /** `missed(1)`: time to send a ping; `missed(2)`: the connection is dead. */
  constructor(clock: Clock, ms: number, missed: (missedBeats: 1 | 2) => void) {
    this.#clock = clock;
    this.#half = ms / 2;
    this.#missed = missed;
  }

  start(): void {
    this.stop();
    this.noteAlive();
    this.#wait();
  }

  noteAlive(): void {
    // the beat under way began before the message
    this.#beats = -1;
  }

  stop(): void {
    this.#clock.clear(this.#timer);
  }

  #wait(): void {
    this.#timer = this.#clock.after(this.#half, () => {
      this.#wait();
      this.#beats++;
      if (this.#beats === 1 || this.#beats === 2) this.#missed(this.#beats);
    });
  }
}

export type ErrorReporter = (code: Code, parameters: MessageParameters, cause: unknown) => void;

/** Calls `listener`; without a listener, or if the listener throws, errors are reported like uncaught errors. */
function createErrorReporter(
  stream: string,
  listener: (error: SignalboxError) => void,
): ErrorReporter {
  return (code, parameters, cause) => {
    try {
      listener(new SignalboxError(code, { stream, ...parameters }, { cause }));
    } catch (error) {
      reportException(error);
    }
  };
}

// a tab that takes longer than this from the start to the leadership has followed another leader, ms
const FIRST_LEAD_WITHIN = 500;

/** The progress of a stream: when the server was last active, and since when messages may have been missed. */
class StreamProgress {
  readonly #clock: Clock;
  readonly #backoff: Backoff | undefined;
  readonly #catchUp: (gap: MissedPeriod) => void | Promise<void>;
  /** How many attempts failed since a connection was open for long enough. */
  failures = 0;
  /** Since when messages may have been missed without a catch-up: wall time, ms. */
  lostAt: number | undefined;
  lastEventId = '';
  /** When the server was last active. */
  #aliveAt: number;
  /** When the open connection was opened. */
  #openedAt: number | undefined;

  // any: only the receiver knows the type of messages
  constructor(controller: Controller, options: StreamOptions<any>) {
    const { clock } = contextOf(controller);
    this.#clock = clock;
    this.#backoff = options.backoff;
    this.#catchUp = createCatchUp(controller, options.catchUp);
    this.#aliveAt = clock.now();
  }

  /** True if no connection was ever open or lost. */
  get isNew(): boolean {
    return this.#openedAt === undefined && this.lostAt === undefined;
  }

  noteAlive(): void {
    this.#aliveAt = this.#clock.now();
  }

  noteOpen(): void {
    this.noteAlive();
    this.#openedAt = this.#aliveAt;
  }

  /** The connection is no longer open, or never was: messages may be missed. */
  noteLost(): void {
    const openFor = this.#clock.now() - (this.#openedAt ?? Infinity);
    if (isStableConnection(openFor, this.#backoff)) this.failures = 0;
    this.lostAt ??= this.#aliveAt;
    this.#openedAt = undefined;
  }

  /** Catches up. After an error, which is passed to `fail`, the next gap begins where this gap did. */
  async catchUp(fail: (error: unknown) => void): Promise<void> {
    const { lostAt: since, lastEventId } = this;
    if (since === undefined) return;
    this.lostAt = undefined;
    try {
      await this.#catchUp({ since, lastEventId });
    } catch (error) {
      this.lostAt = since;
      fail(error);
    }
  }

  /** The callbacks for tabs that share the connection. `catchUp`: called when a gap becomes known while it is open. */
  shared(begin: () => void, end: () => void, catchUp: () => Promise<void>): SharedStream {
    const since = this.#clock.now();
    return {
      lead: () => {
        // another tab was the leader until now
        if (this.#clock.now() - since > FIRST_LEAD_WITHIN) this.noteLost();
        begin();
        return end;
      },
      progress: () => ({ since: this.#aliveAt, lastEventId: this.lastEventId }),
      follow: ({ since: aliveAt, lastEventId }) => {
        this.lostAt = aliveAt;
        this.lastEventId = lastEventId;
        if (this.#openedAt === undefined) this.#aliveAt = aliveAt;
        else void catchUp();
      },
    };
  }
}

/** Returns the function to call after a gap. Throws L5 for a value without reads. */
function createCatchUp(
  controller: Controller,
  policy: ResyncPolicy,
): (gap: MissedPeriod) => void | Promise<void> {
  if (typeof policy === 'function') return (gap) => policy(controller, gap);
  if (!policy) return () => {};
  const test = anyOf(policy.flatMap(readsOf));
  return () => controller.expireAll(test);
}

/** An endpoint itself, or the reads among the members of a resource. */
function readsOf(named: object): readonly KeyTest[] {
  const members: readonly unknown[] = isEndpoint(named) ? [named] : Object.values(named ?? {});
  const reads = members.filter(isEndpoint).filter(({ sideEffect }) => !sideEffect);
  if (reads.length === 0) throw new SignalboxError('L5', { value: named });
  return reads;
}
