/** What every stream is told: what its messages mean, and what becomes of them when the connection breaks. */
import type { Backoff } from '../fetch/backoffDelay.ts';
import type { Controller } from '../Controller.ts';
import type { SignalboxError } from '../diagnostics.ts';
import type { ReadonlySignal } from '../reactive.ts';
import type { StreamSteps } from './Receipt.ts';
import type { Share } from './Share.ts';

/**
 * `connecting`: an attempt is under way, the platform's own ones too. `open`: messages come. `waiting`: for the next
 * attempt, or for the network. `following`: another tab has the connection. `closed`: for good.
 */
export type StreamStatus = 'connecting' | 'open' | 'waiting' | 'following' | 'closed';

/** A connection that is kept. */
export interface Stream {
  readonly status: ReadonlySignal<StreamStatus>;
  /** Ends it: nothing is received from then on, what waits in a batch neither, and no timer or listener is left. */
  close(): void;
}

/** The time in which messages may have been missed. */
export interface Gap {
  /** When the server was last heard of, by a message or as it opened; else when the stream began: wall time, ms since 1970. */
  readonly since: number;
  /** The id of the last event that came, of an event source; else `''`. */
  readonly lastEventId: string;
}

/** What both kinds of stream take; `M`: what `receive` gets. */
export interface StreamOptions<M> {
  /**
   * Writes what a message says, with the verbs of `steps`. A message is written whole or, where this throws, not at all.
   * May be async: what it writes after it first waited is written at once, each by itself.
   */
  receive(message: M, steps: StreamSteps): void | Promise<void>;
  /**
   * What `receive` gets for the data of a message: text, or an ArrayBuffer. Undefined: nothing, the message is passed
   * over. Default: text is JSON, bytes stay as they are.
   */
  // any: the wire has no type
  parse?(data: any, type: string): M | undefined;
  /**
   * What may have changed unseen when the connection is there again after a gap. Endpoints, resources: what is stored of
   * their reads counts as expired, and what is mounted is asked again. A function: does it itself. False: nothing is
   * missed, as the server repeats it, or each message says all. The first connection catches up only where it took more
   * than one attempt.
   */
  readonly catchUp: CatchUp;
  /** How long messages are gathered for one commit, ms; they are written earlier when a request leaves. Default 0. */
  readonly batch?: number | undefined;
  readonly backoff?: Backoff | undefined;
  /** True: `controller.reset()` leaves the stream open. What came before is not written all the same. Default: it ends. */
  readonly keepOnReset?: boolean | undefined;
  /**
   * `shareConnection` of `signalbox/tabs`: one tab has the connection for all that are connected by `connectTabs` and have a
   * stream of this `name`, by default its whole address. Default: each tab has its own.
   */
  readonly share?: Share<'shareConnection'> | undefined;
  /** Told of each message that was not received (L1, L2), and of what else goes wrong (L3, L4). Default: it is reported. */
  onError?(error: SignalboxError): void;
  /** How errors call the stream. Default: its address, without what stands behind `?`. */
  readonly name?: string | undefined;
}

/** What is done after a gap; see `StreamOptions`. */
export type CatchUp =
  | false
  | readonly object[]
  | ((controller: Controller, gap: Gap) => void | Promise<void>);
