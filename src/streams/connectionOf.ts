/** Opens connections of the platform or of a replacement: the one place that uses EventSource and WebSocket. */
import type { TransportConnection } from './Transport.ts';

/** The common members of EventSource and WebSocket. */
export interface PlatformSocket {
  readonly readyState: number;
  // any: each class declares its own events
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
  given: C | undefined,
): C | undefined {
  return given ?? (Reflect.get(globalThis, name) as C | undefined);
}

// any: each type has events of its own
type Listeners = readonly (readonly [type: string, listener: (event: any) => void])[];

/** Listens until the connection ends. */
export function connectionOf(line: PlatformSocket, listeners: Listeners): TransportConnection {
  // an emitter, as in Node, throws errors without a listener and ends the program, also after the end of the line
  line.addEventListener('error', noop);
  for (const [type, listener] of listeners) line.addEventListener(type, listener);
  return {
    end() {
      for (const [type, listener] of listeners) line.removeEventListener(type, listener);
      line.close();
    },
  };
}

function noop(): void {}
