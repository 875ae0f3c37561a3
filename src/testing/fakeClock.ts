/** A clock that stands still until moved by a test. */
import type { Clock } from '../clock.ts';

/** A `Clock` for `new Controller({clock})`. Time moves only by `advance`, and `random` is always 0.5. */
export interface FakeClock extends Clock {
  /** Moves time by `ms` milliseconds and runs, in order, the timers that became due. */
  advance(ms: number): void;
}

interface Timer {
  readonly at: number;
  readonly order: number;
  readonly job: () => void;
}

/** Starts at `start` milliseconds since 1970. */
export function fakeClock(start = 0): FakeClock {
  let now = start;
  let order = 0;
  const timers = new Set<Timer>();
  const next = (until: number): Timer | undefined =>
    [...timers]
      .filter(({ at }) => at <= until)
      .sort((a, b) => a.at - b.at || a.order - b.order)
      .at(0);
  return {
    now: () => now,
    after(ms, job) {
      const timer: Timer = { at: now + ms, order: order++, job };
      timers.add(timer);
      return timer;
    },
    clear: (timer) => void timers.delete(timer as Timer),
    random: () => 0.5,
    advance(ms) {
      const until = now + ms;
      for (let timer = next(until); timer !== undefined; timer = next(until)) {
        timers.delete(timer);
        now = Math.max(now, timer.at);
        timer.job();
      }
      now = until;
    },
  };
}
