/** Wall time and timers for the library; the only file that uses `Date` and `setTimeout`. */
declare function setTimeout(job: () => void, ms: number): unknown;
declare function clearTimeout(timer: unknown): void;

/** The clock of a controller. Wall time serves expiry and delays only, never order (see store/records/versioning.ts). */
export interface Clock {
  /** Milliseconds since 1970-01-01 UTC. */
  now(): number;
  /** Runs `job` once after `ms` milliseconds. Returns the timer for `clear`. */
  after(ms: number, job: () => void): unknown;
  clear(timer: unknown): void;
  /** A random number from 0 up to 1, to spread the retries of clients that failed together. Default `Math.random`. */
  random?(): number;
}

/** A given time as a Date; does not read the present time. */
export const toDate = (ms: number): Date => new Date(ms);

// the longest delay of a timer, almost 25 days: timers with a longer delay run at once
const LONGEST = 2 ** 31 - 1;

/** The system's clock. Looks up the globals on each call, so that fake timers take effect. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, job) {
    const timer = setTimeout(job, Math.min(ms, LONGEST)) as { unref?: () => void };
    // lets a Node process exit while the timer is pending: see `keepAlive`
    timer.unref?.();
    return timer;
  },
  clear: (timer) => clearTimeout(timer),
};

/** Keeps a Node process alive while the timer is pending: a caller waits for the job. Returns the timer. */
export function keepAlive(timer: unknown): unknown {
  (timer as { ref?: () => void } | undefined)?.ref?.();
  return timer;
}

/** Keeps a Node process alive until the result is cleared: what a caller waits for has no timer. */
export function keepAliveUntilCleared(clock: Clock): unknown {
  return keepAlive(clock.after(LONGEST, () => {}));
}

/** The clock that @sinonjs/fake-timers (vitest, jest) attaches to the replaced timers. */
interface FakeTimers {
  readonly ['tickAsync']: (ms: number) => Promise<unknown>;
  readonly ['_setTimeout']: typeof setTimeout;
}

/** Resolves after `ms` milliseconds of real time. Fake timers are advanced by the same time. */
export async function sleep(ms: number): Promise<void> {
  const fake = Reflect.get(setTimeout, 'clock') as FakeTimers | undefined;
  await fake?.['tickAsync'](ms);
  const wait = fake?.['_setTimeout'] ?? setTimeout;
  await new Promise<void>((done) => void wait(done, ms));
}

/** Runs `job` after the current task: no signal may be written while a component renders. */
export function nextMicrotask(job: () => void): Promise<void> {
  return Promise.resolve().then(job);
}

// the longest delay, ms: a continuous animation must not postpone a job for ever
const LATEST = 500;

/** Runs `job` when the browser is idle. Returns the function that cancels `job`. */
export function whenIdle(job: () => void): () => void {
  const { requestIdleCallback: ask, cancelIdleCallback: cancel } = globalThis;
  if (typeof ask !== 'function') {
    const timer = systemClock.after(0, job);
    return () => systemClock.clear(timer);
  }
  const idle = ask(job, { timeout: LATEST });
  return () => cancel(idle);
}

/** Resolves in a new task, after pending input. Uses no timer, so nested timers and a fake clock cause no delay. */
export function nextTask(): Promise<void> {
  if (typeof MessageChannel === 'undefined')
    return new Promise((done) => void keepAlive(systemClock.after(0, done)));
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

/**
 * Keeps a Node process alive until the returned function is called: a caller waits for something that has no timer. No
 * timer either, since fake timers would run that timer.
 */
export function holdProcess(): () => void {
  if (typeof MessageChannel === 'undefined') return () => {};
  const { port1 } = new MessageChannel();
  port1.addEventListener('message', () => {});
  port1.start();
  return () => port1.close();
}

/** Milliseconds on a monotonic clock, to measure durations: independent of changes of the system time. */
export const monotonicNow = (): number => performance.now();
