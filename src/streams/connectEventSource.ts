/** Server-sent events (WHATWG HTML, 9.2) that write into the store. */
import { checkObject, DEV } from '../errors.ts';
import type { Controller } from '../Controller.ts';
import type { Stream, StreamOptions } from '../sync/StreamOptions.ts';
import { Connection } from './Connection.ts';
import type { HeartbeatOptions } from './Connection.ts';
import { addressesOf, openConnection, socketClass } from './Transport.ts';
import type {
  Addresses,
  PlatformClass,
  TransportConnection,
  TransportHandlers,
} from './Transport.ts';

/** The options of `connectEventSource`. */
export interface EventSourceOptions<M> extends StreamOptions<M> {
  /** The types of events to listen to. Default `['message']`: events without a type. */
  readonly events?: readonly string[] | undefined;
  /** True: cookies are sent to other origins, too. */
  readonly withCredentials?: boolean | undefined;
  /**
   * For events that are listened to; comments of the server do not count. Default: silence never ends the connection.
   */
  readonly heartbeat?: Pick<HeartbeatOptions, 'ms'> | undefined;
  /**
   * Whether to reconnect after the platform has given up: the response was not 200, or no event stream. Some platforms
   * report the status as `code`. Default: true unless the status is 204, with which servers end a stream.
   */
  shouldReconnect?(event: EventSourceEnd): boolean | undefined;
  /** The class to use. Default: the platform's. Node: that of the package eventsource. */
  readonly EventSource?: PlatformClass<[init: { withCredentials: boolean }]> | undefined;
}

/** The event by which an event source ends. */
export interface EventSourceEnd extends Event {
  readonly code?: number | undefined;
}

const CLOSED = 2;
const NO_CONTENT = 204;

/**
 * Keeps an event source open, and passes the events to `receive`: events that arrive together share a commit. `url`
 * may be a function, which is called at each attempt (a fresh token). The function gets the id of the last event,
 * because the platform sends this id (`Last-Event-ID`) only when the platform itself reconnects, after a dropped
 * connection. If the platform gives up, the stream reconnects. Throws L3 if there is no EventSource, or `url` is
 * invalid; L5 if a member of `catchUp` has no reads.
 */
export function connectEventSource<M>(
  controller: Controller,
  url: Addresses<[lastEventId: string]>,
  options: EventSourceOptions<M>,
): Stream {
  if (DEV) checkObject('connectEventSource', options, 'an object with receive');
  const { events = ['message'], withCredentials = false, heartbeat } = options;
  const Source = socketClass('EventSource', options.EventSource);
  const open = (address: string, handlers: TransportHandlers): TransportConnection => {
    if (Source === undefined) throw new TypeError('EventSource is not available: pass the option');
    const source = new Source(address, { withCredentials });
    let hasId = false;
    // events of the server may also be named "error" and "open": only these have data
    const onMessage = (event: MessageEvent) => {
      if (!('data' in event)) return;
      const { type, data, lastEventId: id } = event;
      hasId ||= id !== '' && options.EventSource === undefined;
      // The platform's class repeats the last id until the server clears the id (WHATWG HTML, 9.2.6). Other classes may
      // give events without an id the empty text.
      handlers.onMessage(type, data, hasId ? id : id || undefined);
    };
    const onError = (event: EventSourceEnd) => {
      if ('data' in event) return;
      if (source.readyState !== CLOSED) handlers.onInterrupted();
      else handlers.onClose(() => options.shouldReconnect?.(event) ?? event.code !== NO_CONTENT);
    };
    const onOpen = (event: Event) => {
      if (!('data' in event)) handlers.onOpen();
    };
    const listeners = events.map((type) => [type, onMessage] as const);
    return openConnection(source, [...listeners, ['open', onOpen], ['error', onError]]);
  };
  const addresses = addressesOf(url);
  const transport = {
    ...addresses,
    resumes: (lastEventId: string) => addresses.fixedAddress === undefined || lastEventId === '',
    heartbeat,
    open,
  };
  return new Connection(controller, transport, options);
}
