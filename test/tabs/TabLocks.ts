// The locks of a browser, shared by several tabs of a test: the locks of a killed tab are free at once.
import type { Locks } from 'signalbox/tabs';

interface Request {
  readonly tab: object;
  readonly begin: () => Promise<void>;
}

export class TabLocks {
  readonly #queues = new Map<string, Request[]>();
  /** Names of all locks that were granted. */
  readonly granted: string[] = [];

  /** The locks as a tab has them. */
  of(tab: object): Locks {
    return {
      request: (name, work) =>
        new Promise((resolve, reject) => {
          const queue = this.#queues.get(name) ?? [];
          this.#queues.set(name, queue);
          queue.push({ tab, begin: () => work().then(resolve, reject) });
          if (queue.length === 1) this.#run(name, queue);
        }),
    };
  }

  #run(name: string, queue: Request[]): void {
    const [request] = queue;
    if (request === undefined) return;
    this.granted.push(name);
    void request.begin().then(() => {
      if (queue[0] === request) this.#next(name, queue);
    });
  }

  #next(name: string, queue: Request[]): void {
    queue.shift();
    this.#run(name, queue);
  }

  kill(tab: object): void {
    for (const [name, queue] of this.#queues) {
      const held = queue[0]?.tab === tab;
      const rest = queue.filter((request) => request.tab !== tab);
      queue.splice(0, queue.length, ...rest);
      if (held) this.#run(name, queue);
    }
  }
}
