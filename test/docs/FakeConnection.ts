// An EventSource or a WebSocket for the documentation's examples, connected to the server in memory.
import type { Server } from './Server.ts';

/** Creates the class for a server. A connection opens at once and receives the messages that the server pushes. */
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
