/** Writes the messages of a WebSocket (RFC 6455) into the store. */
import type { Controller } from '../Controller.ts';
import { checkObject, DEV, warn } from '../errors.ts';
import type { Stream, StreamOptions } from '../sync/StreamOptions.ts';
import { Connection } from './Connection.ts';
import type { HeartbeatOptions } from './Connection.ts';
import { addressesOf, nameOf, openConnection, socketClass } from './Transport.ts';
import type {
  Addresses,
  PlatformClass,
  PlatformSocket,
  TransportConnection,
  TransportHandlers,
} from './Transport.ts';

/** The options of `connectWebSocket`. */
export interface WebSocketOptions<M> extends StreamOptions<M> {
  /** Subprotocols to offer. */
  readonly protocols?: string | string[] | undefined;
  /**
   * Runs on each connection that opens: log in, subscribe. Missed changes are caught up afterwards: let the promise
   * resolve when the server has confirmed. If `onOpen` fails, the stream reconnects.
   */
  onOpen?(send: (data: unknown) => void): void | Promise<void>;
  /** Default: silence never ends the connection. */
  readonly heartbeat?: HeartbeatOptions | undefined;
  /**
   * Whether to reconnect after this end. Default: not after 1000 (done), 1008 (policy) and 4000 to 4999 (codes of the
   * application); after all other codes, also if the connection never opened.
   */
  shouldReconnect?(event: WebSocketEnd): boolean | undefined;
  /** The class to use. Default: the platform's. Node: that of undici. */
  readonly WebSocket?: PlatformClass<[protocols?: string | string[]], SocketConnection> | undefined;
}

/** The event by which a WebSocket ends (RFC 6455, 7.4: the codes). */
export interface WebSocketEnd {
  readonly code: number;
  readonly reason: string;
  readonly wasClean: boolean;
}

/** The members of a WebSocket that are used. */
export interface SocketConnection extends PlatformSocket {
  binaryType: string;
  // any: each platform accepts other types
  send(data: any): void;
}

/** A WebSocket that reconnects until `close` is called. */
export interface SocketStream extends Stream {
  /**
   * Sends text and bytes unchanged, all other values as JSON. False if the socket is not open: then nothing is sent,
   * now or later. Send messages that each connection needs in `onOpen`.
   */
  send(data: unknown): boolean;
}

const OPEN = 1;
const DONE = 1000;
const POLICY = 1008;

/**
 * Keeps a WebSocket open, and passes the messages to `receive`: messages that arrive together share a commit. `url` may
 * be a function, which is called at each attempt (a fresh token). Throws L3 if there is no WebSocket, or `url` is
 * invalid; L5 if a member of `catchUp` has no reads.
 */
export function connectWebSocket<M>(
  controller: Controller,
  url: Addresses,
  options: WebSocketOptions<M>,
): SocketStream {
  if (DEV) checkObject('connectWebSocket', options, 'an object with receive');
  const Socket = socketClass('WebSocket', options.WebSocket);
  const open = (address: string, handlers: TransportHandlers): TransportConnection => {
    if (Socket === undefined) throw new TypeError('WebSocket is not available: pass the option');
    const socket = new Socket(address, options.protocols ?? []);
    // a Blob could only be read asynchronously
    socket.binaryType = 'arraybuffer';
    const connection = openConnection(socket, [
      ['open', () => handlers.onOpen()],
      ['message', ({ data }: MessageEvent) => handlers.onMessage('message', data, undefined)],
      [
        'close',
        (event: WebSocketEnd) => handlers.onClose(() => shouldReconnect(event, address, options)),
      ],
    ]);
    const send = (data: unknown) => {
      // the platform would drop the message: the connection is being closed
      if (socket.readyState !== OPEN) return false;
      socket.send(serialize(data));
      return true;
    };
    return { ...connection, send };
  };
  const transport = {
    ...addressesOf(url),
    greet: (connection: TransportConnection) =>
      options.onOpen?.((data) => void connection.send?.(data)),
    resumes: () => true,
    heartbeat: options.heartbeat,
    open,
  };
  return new Connection(controller, transport, options);
}

// any: the type of messages does not matter here
function shouldReconnect(
  event: WebSocketEnd,
  address: string,
  options: WebSocketOptions<any>,
): boolean {
  const { code } = event;
  const decision = options.shouldReconnect?.(event);
  if (decision !== undefined) return decision;
  if (code === DONE) return false;
  const ends = code === POLICY || (code >= 4_000 && code < 5_000);
  const stream = options.name ?? nameOf(address);
  if (ends) warn('L6', `${stream} ${code}`, { stream, code, reason: event.reason });
  return !ends;
}

function serialize(data: unknown): unknown {
  if (typeof data === 'string' || ArrayBuffer.isView(data)) return data;
  return data instanceof ArrayBuffer || data instanceof Blob ? data : JSON.stringify(data);
}
