// The locks of a browser in Node, which has none.
/** The Web Locks API of a browser, for several pages. */
export class BrowserLocks {
  readonly #queues = new Map<string, Request[]>();

  /** The `navigator.locks` of a page. */
  of(clientId: string) {
    return {
      request: (name: string, options: Options, work: () => Promise<void>): Promise<unknown> =>
        new Promise((resolve, reject) => {
          const queue = this.#queues.get(name) ?? [];
          this.#queues.set(name, queue);
          const request = { clientId, work, resolve, reject };
          if (options.steal === true) queue.splice(0, 1)[0]?.reject(new Error('AbortError'));
          if (options.steal === true) queue.unshift(request);
          else queue.push(request);
          options.signal?.addEventListener('abort', () => {
            if (queue.indexOf(request) > 0) queue.splice(queue.indexOf(request), 1);
            reject(new Error('AbortError'));
          });
          if (queue[0] === request) this.#run(queue, request);
        }),
      query: () => {
        const all = [...this.#queues].filter(([, [first]]) => first !== undefined);
        const held = all.map(([name, [first]]) => ({ name, clientId: first?.clientId ?? '' }));
        return Promise.resolve({ held });
      },
    };
  }

  #run(queue: Request[], request: Request): void {
    const end = () => {
      if (queue[0] !== request) return;
      queue.shift();
      if (queue[0] !== undefined) this.#run(queue, queue[0]);
    };
    request.work().finally(end).then(request.resolve, request.reject);
  }
}
interface Options {
  readonly signal?: AbortSignal;
  readonly steal?: boolean;
}
interface Request {
  readonly clientId: string;
  readonly work: () => Promise<void>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}
