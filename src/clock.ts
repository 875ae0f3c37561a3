/** Wall time and timers, as the library knows them; the one door to `Date` and `setTimeout`. */
declare function setTimeout(job: () => void, ms: number): unknown;
declare function clearTimeout(timer: unknown): void;

/** What the library asks of time. Wall time serves expiry and waiting only, never order (see store/order.ts). */
export interface Clock {
  /** Milliseconds since 1970-01-01 UTC. */
  now(): number;
  /** Runs `job` once after `ms` milliseconds; gives back what `clear` takes. */
  after(ms: number, job: () => void): unknown;
  clear(timer: unknown): void;
  /** From 0 up to 1, so that clients that failed together do not come back together. Default `Math.random`. */
  random?(): number;
}

/** The date of a time that was told: nobody is asked for the present one. */
export const dateOf = (ms: number): Date => new Date(ms);

// what timers can hold, almost 25 days: beyond it they would run at once
const LONGEST = 2 ** 31 - 1;

/** The machine's clock. Globals are looked up at each call, so that fake timers see it. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after: (ms, job) => unhold(setTimeout(job, Math.min(ms, LONGEST))),
  clear: (timer) => clearTimeout(timer),
};

/** A timer of ours never keeps a Node process alive. */
function unhold(timer: unknown): unknown {
  (timer as { unref?: () => void }).unref?.();
  return timer;
}

/** The clock that @sinonjs/fake-timers (vitest, jest) attaches to the timers it replaces. */
interface FakeTimers {
  readonly ['tickAsync']: (ms: number) => Promise<unknown>;
  readonly ['_setTimeout']: typeof setTimeout;
}

/** Resolves after `ms` milliseconds of the machine, also under fake timers; their time is advanced by as much. */
export async function passed(ms: number): Promise<void> {
  const fake = Reflect.get(setTimeout, 'clock') as FakeTimers | undefined;
  await fake?.['tickAsync'](ms);
  const wait = fake?.['_setTimeout'] ?? setTimeout;
  await new Promise<void>((done) => void wait(done, ms));
}

/** Runs `job` when what runs now has run: while a component renders, no signal may be written. */
export function nextMicrotask(job: () => void): Promise<void> {
  return Promise.resolve().then(job);
}

// an animation that goes on and on must not put a job off for ever, ms
const LATEST = 500;

/** Runs `job` when the machine has nothing more urgent to do, such as an animation. Gives back how to call it off. */
export function whenIdle(job: () => void): () => void {
  const { requestIdleCallback: ask, cancelIdleCallback: cancel } = globalThis;
  if (typeof ask !== 'function') {
    const timer = systemClock.after(0, job);
    return () => systemClock.clear(timer);
  }
  const idle = ask(job, { timeout: LATEST });
  return () => cancel(idle);
}

/** Resolves in a task of its own, behind input that waits. It needs no timer: neither nesting nor a fake clock delays it. */
export function nextTask(): Promise<void> {
  if (typeof MessageChannel === 'undefined')
    return new Promise((done) => void systemClock.after(0, done));
  const { port1, port2 } = new MessageChannel();
  return new Promise((done) => {
    port1.addEventListener('message', () => {
      port1.close();
      done();
    });
    port1.start();
    port2.postMessage(undefined);
  });
}

/** Milliseconds from some moment on, without steps when the clock is set: for the length of a task. */
export const elapsed = (): number => performance.now();
