/** The platform's sources of messages, or those that stand in for them: the one door to EventSource and WebSocket. */
import type { Line } from './Transport.ts';

/** What an EventSource and a WebSocket have in common. */
export interface PlatformLine {
  readonly readyState: number;
  // any: each of them declares its own events
  addEventListener(type: string, listener: (event: any) => void): void;
  // any: as above
  removeEventListener(type: string, listener: (event: any) => void): void;
  close(): void;
}

/** Makes them. `More` stands behind the address. */
export type PlatformClass<
  More extends readonly unknown[],
  L extends PlatformLine = PlatformLine,
> = new (address: string, ...more: More) => L;

/** The class that is given, or else the platform's; undefined where it has none. */
export function platformClass<C>(
  name: 'EventSource' | 'WebSocket',
  given: C | undefined,
): C | undefined {
  return given ?? (Reflect.get(globalThis, name) as C | undefined);
}

// any: each type has events of its own
type Listeners = readonly (readonly [type: string, listener: (event: any) => void])[];

/** Listens until it ends. */
export function lineOf(line: PlatformLine, listeners: Listeners): Line {
  // where it is an emitter, as in Node, an error that nobody hears ends the program, also behind its end
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
