// An EventSource or a WebSocket of the documentation's examples: the server in memory at its other end.
import type { Server } from './Server.ts';

/** The class, for one server. It opens at once, and hears what the server pushes. */
export function lineOf(server: Server): new () => EventTarget {
  return class Line extends EventTarget {
    readonly readyState = 1;
    binaryType = '';
    readonly #stop = server.listen((message, type) => {
      this.dispatchEvent(new MessageEvent(type, { data: JSON.stringify(message) }));
    });

    constructor() {
      super();
      queueMicrotask(() => this.dispatchEvent(new Event('open')));
    }

    send(text: string): void {
      server.log.push(`SEND ${text}`);
    }

    close(): void {
      this.#stop();
    }
  };
}
