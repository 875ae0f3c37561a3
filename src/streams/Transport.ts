/** Between a stream and the platform: addresses, and connections of EventSource and WebSocket or of their replacements. */
import type { HeartbeatOptions } from './Connection.ts';

/** A connection. */
export interface TransportConnection {
  /** Closes the connection: later events are dropped, and all listeners are removed. */
  end(): void;
  /** False if the connection is not open: nothing is sent. */
  send?(data: unknown): boolean;
}

/** Callbacks for the events of a connection. */
export interface TransportHandlers {
  onOpen(): void;
  /** `lastEventId` is undefined if this connection has not received an id: the id of the former connection stays. */
  onMessage(type: string, data: unknown, lastEventId: string | undefined): void;
  /** The connection broke, and the platform reconnects by itself. */
  onInterrupted(): void;
  /** The connection is closed. `shouldReconnect` returns whether to reconnect. */
  onClose(shouldReconnect: () => boolean): void;
}

/** The differences between the kinds of stream. */
export interface Transport {
  /** The address of the first attempt, also used in errors; undefined: each attempt gets the address anew. */
  readonly fixedAddress: string | undefined;
  address(lastEventId: string): string | Promise<string>;
  /** Throws if the address is invalid. */
  open(address: string, handlers: TransportHandlers): TransportConnection;
  /** Called first on each connection that opens; the stream waits for the promise. */
  greet?(socket: TransportConnection): void | Promise<void>;
  readonly heartbeat?: HeartbeatOptions | undefined;
  /** True if a new connection sends the id of the last event to the server, as the platform would. */
  readonly resumes: (lastEventId: string) => boolean;
}

/** Text, or a URL. */
export type Address = string | { readonly href: string };

/** A fixed address, or a function that is called at each attempt. */
export type Addresses<A extends unknown[] = []> =
  | Address
  | ((...args: A) => Address | Promise<Address>);

/** `fixedAddress`: the address, if each attempt uses the same. */
export function addressesOf<A extends unknown[]>(
  url: Addresses<A>,
): {
  readonly fixedAddress: string | undefined;
  address(...args: A): string | Promise<string>;
} {
  if (typeof url === 'function') {
    const address = (...args: A) => {
      const addressOrPromise = url(...args);
      return addressOrPromise instanceof Promise
        ? addressOrPromise.then(hrefOf)
        : hrefOf(addressOrPromise);
    };
    return { fixedAddress: undefined, address };
  }
  const fixedAddress = hrefOf(url);
  return { fixedAddress, address: () => fixedAddress };
}

function hrefOf(address: Address): string {
  return typeof address === 'string' ? address : address.href;
}

/** Without the parts that may be secret. */
export function nameOf(address: string): string {
  return address.replace(/[?#].*/s, '');
}

/** The common members of EventSource and WebSocket. */
export interface PlatformSocket {
  readonly readyState: number;
  // any: each class declares different events
  addEventListener(type: string, listener: (event: any) => void): void;
  // any: as above
  removeEventListener(type: string, listener: (event: any) => void): void;
  close(): void;
}

/** The class of a connection. `More`: the parameters after the address. */
export type PlatformClass<
  More extends readonly unknown[],
  L extends PlatformSocket = PlatformSocket,
> = new (address: string, ...more: More) => L;

/** The class in the options, or else the platform's; undefined if there is none. */
export function socketClass<C>(
  name: 'EventSource' | 'WebSocket',
  replacement: C | undefined,
): C | undefined {
  return replacement ?? (Reflect.get(globalThis, name) as C | undefined);
}

// any: each type has different events
type Listeners = readonly (readonly [type: string, listener: (event: any) => void])[];

/** Listens until the connection ends. */
export function openConnection(socket: PlatformSocket, listeners: Listeners): TransportConnection {
  // an emitter, as in Node, throws errors without a listener and ends the program, also after the end of the connection
  socket.addEventListener('error', noop);
  for (const [type, listener] of listeners) socket.addEventListener(type, listener);
  return {
    end() {
      for (const [type, listener] of listeners) socket.removeEventListener(type, listener);
      socket.close();
    },
  };
}

function noop(): void {}
