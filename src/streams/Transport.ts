/** The interface between a stream and the connection that carries it. */
import type { HeartbeatOptions } from './Heartbeat.ts';

/** One connection. */
export interface TransportConnection {
  /** Closes the connection: later events are dropped, and all listeners are removed. */
  end(): void;
  send?(data: unknown): void;
}

/** Callbacks for the events of a line. */
export interface TransportHandlers {
  onOpen(): void;
  onMessage(type: string, data: unknown, lastEventId?: string): void;
  /** The connection broke, and the platform reconnects by itself. */
  onInterrupted(): void;
  /** The connection is closed. `again` returns whether to reconnect. */
  onClose(again: () => boolean): void;
}

/** The differences between the kinds of stream. */
export interface Transport {
  /** The address of the first attempt, also used in errors; undefined: each attempt gets the address anew. */
  readonly fixedAddress: string | undefined;
  address(lastEventId: string): string | Promise<string>;
  /** Throws if the address is invalid. */
  open(address: string, handlers: TransportHandlers): TransportConnection;
  /** Called first on each line that opens; the stream waits for its promise. */
  sendHello?(line: TransportConnection): void | Promise<void>;
  readonly heartbeat?: HeartbeatOptions | undefined;
  /** True if a new line sends the id of the last event to the server, as the platform would. */
  readonly resumes: (lastEventId: string) => boolean;
}
