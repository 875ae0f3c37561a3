/** The public API of signalbox/streams: server-sent events and WebSockets that write into the store. */
export type { Address, Addresses, PlatformClass, PlatformSocket } from './Transport.ts';
export { connectEventSource } from './connectEventSource.ts';
export type { EventSourceOptions, EventSourceEnd } from './connectEventSource.ts';
export { connectWebSocket } from './connectWebSocket.ts';
export type {
  WebSocketEnd,
  SocketConnection,
  SocketStream,
  WebSocketOptions,
} from './connectWebSocket.ts';
export type { HeartbeatOptions } from './Connection.ts';
export type { StreamSteps } from '../sync/MessageTransaction.ts';
export type {
  ResyncPolicy,
  MissedPeriod,
  Stream,
  StreamOptions,
  StreamStatus,
} from '../sync/StreamOptions.ts';
export type { Backoff } from '../request/retryDelay.ts';
