// Timers of the machine under control of a test: hooks without a controller use these timers.
import { vi } from 'vitest';

export interface Timers {
  /** How many wait. */
  readonly waiting: number;
  /** As if their time had passed. */
  run(): void;
}

/** Holds every timer of `ms` back; all others run as ever. Ends with the test. */
export function holdTimers(ms: number): Timers {
  const held = new Map<object, () => void>();
  const { setTimeout: start, clearTimeout: clear } = globalThis;
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((job: () => void, wait?: number) => {
    if (wait !== ms) return start(job, wait);
    const timer = {};
    held.set(timer, job);
    return timer;
  }) as typeof setTimeout);
  vi.spyOn(globalThis, 'clearTimeout').mockImplementation(((timer: object | undefined) => {
    if (timer === undefined || !held.delete(timer)) clear(timer as never);
  }) as typeof clearTimeout);
  return {
    get waiting() {
      return held.size;
    },
    run() {
      const jobs = [...held.values()];
      held.clear();
      for (const job of jobs) job();
    },
  };
}
