/** The public API of signalbox/streams: server-sent events and WebSockets that write into the store. */
export type { Address, Addresses } from './Address.ts';
export { connectEventSource } from './connectEventSource.ts';
export type { EventSourceOptions, EventSourceEnd } from './connectEventSource.ts';
export { connectWebSocket } from './connectWebSocket.ts';
export type {
  WebSocketEnd,
  SocketLine,
  SocketStream,
  WebSocketOptions,
} from './connectWebSocket.ts';
export type { HeartbeatOptions } from './Heartbeat.ts';
export type { PlatformClass, PlatformLine } from './lineOf.ts';
export type { StreamSteps } from './Receipt.ts';
export type { CatchUp, Gap, Stream, StreamOptions, StreamStatus } from './StreamOptions.ts';
export type { Backoff } from '../fetch/backoffDelay.ts';
