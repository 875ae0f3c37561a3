// The lock of a page that has frozen: another page takes it, and none takes that of a page that is alive.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { settled } from '../setup/world.ts';
import { depot, until } from './Depot.ts';

/** The locks of a browser (Web Locks API), with what a page sees of them. */
class BrowserLocks {
  readonly #queues = new Map<string, Request[]>();

  /** As `navigator.locks` of one page. */
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

/** A frozen page neither asks nor answers. */
class Silent extends BroadcastChannel {
  override postMessage(): void {}
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] }));
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test.each([
  ['a page that has frozen is sent by the next one, under the same key', Silent, 2],
  ['a page that is alive is sent by that page alone', BroadcastChannel, 1],
])('[P2] what waits behind the lock of %s', async (_, Channel, sent) => {
  const locks = new BrowserLocks();
  vi.stubGlobal('navigator', { locks: locks.of('one') });
  vi.stubGlobal('BroadcastChannel', Channel);
  const it = await depot();
  it.state.holds = true;
  const one = it.page({}, { timeout: 0 });
  await one.queue.ready;
  one.controller.fetch(it.tasks.create, { title: 'tea' }).catch(() => {});
  await until(() => it.asked.length === 1);
  vi.unstubAllGlobals();
  vi.stubGlobal('navigator', { locks: locks.of('other') });
  const other = it.page({}, { timeout: 0 });
  await other.queue.ready;
  it.state.holds = false;
  for (let times = 0; times < 40; times++) {
    await vi.advanceTimersByTimeAsync(1_000);
    for (let turns = 0; turns < 5; turns++) await settled();
  }
  expect(it.asked.length).toBe(sent);
  expect(new Set(it.asked.map(({ key }) => key)).size).toBe(1);
  expect(it.applied).toHaveLength(1);
});
