/** Runs long work in slices, between which the browser renders frames and handles input. */
import { monotonicNow, nextTask } from '../clock.ts';

// ms; pauses of the engine come on top
const SLICE = 8;

export class TimeSlice {
  #began = monotonicNow();

  get isOver(): boolean {
    return monotonicNow() - this.#began > SLICE;
  }

  /** Continues in another task. */
  async next(): Promise<void> {
    await nextTask();
    this.#began = monotonicNow();
  }
}

/**
 * Runs `work` in slices. Undefined if `isOver` returns true between two slices: the outcome is not needed any more.
 */
export async function inSlices<T>(
  work: Generator<void, T>,
  isOver: () => boolean = () => false,
): Promise<T | undefined> {
  const slice = new TimeSlice();
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
    if (!slice.isOver) continue;
    await slice.next();
    if (isOver()) return undefined;
  }
}

/** Runs `work` to the end. */
export function atOnce<T>(work: Generator<void, T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
  }
}
