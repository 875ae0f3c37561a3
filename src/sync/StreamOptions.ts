/** The options of every stream: the receipt of messages, and the catch-up after the connection breaks. */
import type { Backoff } from '../request/retryDelay.ts';
import type { Controller } from '../Controller.ts';
import type { SignalboxError } from '../errors.ts';
import type { ReadonlySignal } from '../signals.ts';
import type { StreamSteps } from './MessageTransaction.ts';

/**
 * `connecting`: an attempt is under way, including attempts of the platform. `open`: messages arrive. `waiting`: for
 * the next attempt, or for the network. `following`: another tab has the connection. `closed`: for good.
 */
export type StreamStatus = 'connecting' | 'open' | 'waiting' | 'following' | 'closed';

/** A stream that reconnects until closed. */
export interface Stream {
  readonly status: ReadonlySignal<StreamStatus>;
  /**
   * Ends the stream: no later message is received, batched messages are dropped, and all timers and listeners are
   * removed. Steps of the message that is being received are written if issued before.
   */
  close(): void;
}

/** The time in which messages may have been missed. */
export interface MissedPeriod {
  /**
   * When the server was last active (a message, or the opening), else when the stream began: wall time, ms since 1970.
   */
  readonly since: number;
  /** The id of the last event of an event source; else `''`. */
  readonly lastEventId: string;
}

/** The options of both kinds of stream; `M`: the type of the message passed to `receive`. */
export interface StreamOptions<M> {
  /**
   * Writes a message with the methods of `steps`. The message is written atomically: if `receive` throws, nothing is.
   * May be async: writes after the first `await` are committed at once, each by itself.
   */
  receive(message: M, steps: StreamSteps): void | Promise<void>;
  /**
   * Converts the data of a message, text or an ArrayBuffer, for `receive`. Undefined: the message is skipped. Default:
   * text is parsed as JSON, bytes are passed unchanged.
   */
  // any: the wire has no type
  parse?(data: any, type: string): M | undefined;
  /**
   * The data that may have changed during a gap, when the connection is back. Endpoints, resources: their stored reads
   * expire, and mounted reads are refetched. A function: catches up by itself. False: no message is missed, because the
   * server repeats messages or each message holds the complete state. The first connection catches up only after
   * several attempts.
   */
  readonly catchUp: ResyncPolicy;
  /** How long messages are collected for one commit, ms; written earlier when a request is sent. Default 0. */
  readonly batch?: number | undefined;
  readonly backoff?: Backoff | undefined;
  /**
   * True: `controller.reset()` leaves the stream open, but drops earlier messages. Default: a reset closes the stream.
   */
  readonly keepOnReset?: boolean | undefined;
  /**
   * `shareConnection` of `signalbox/tabs`: one tab has the connection for all tabs that are connected by `connectTabs`
   * and have a stream of this `name`, by default the complete address. Default: each tab has a separate connection.
   */
  readonly share?: Share<'shareConnection'> | undefined;
  /**
   * Called for each message that was not received (L1, L2), and for other errors (L3, L4). Default: errors are
   * reported.
   */
  onError?(error: SignalboxError): void;
  /** The name of the stream in errors. Default: the address without the query. */
  readonly name?: string | undefined;
}

/** How a stream catches up after a gap; see `StreamOptions`. */
export type ResyncPolicy =
  | false
  | readonly object[]
  | ((controller: Controller, gap: MissedPeriod) => void | Promise<void>);

/** The callbacks of a stream whose connection several tabs share. */
export interface SharedStream {
  /** This tab becomes the leader, and connects. Returns a function that closes the connection. */
  readonly lead: () => () => void;
  /** The progress of the stream in this tab. */
  readonly progress: () => MissedPeriod;
  /** Takes over the progress of another tab. */
  readonly follow: (progress: MissedPeriod) => void;
}

/** The part of a stream in the shared connection. */
export interface SharedConnection {
  /** The server was active. */
  noteAlive(): void;
  stop(): void;
}

/** The type of `shareConnection` for a stream. */
export type BeginConnection = (
  controller: Controller,
  name: string | undefined,
  stream: SharedStream,
) => SharedConnection;

// the values `shareRequests` and `shareConnection` are opaque to applications
declare const SHARE: unique symbol;

/** The type of the value with this name only. */
export interface Share<Name extends 'shareRequests' | 'shareConnection'> {
  readonly [SHARE]: Name;
}
