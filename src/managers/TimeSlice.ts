/** Long work in slices: a frame between them can be drawn, and input is handled. */
import { elapsed, nextTask } from '../clock.ts';

// ms; what the engine does meanwhile comes on top
const SLICE = 8;

export class TimeSlice {
  #began = elapsed();

  get isOver(): boolean {
    return elapsed() - this.#began > SLICE;
  }

  /** Goes on in another task. */
  async next(): Promise<void> {
    await nextTask();
    this.#began = elapsed();
  }
}

/** Runs `work` in slices. Undefined where `isOver` says, between two of them, that its outcome is of no use any more. */
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

/** Runs `work` to its end. */
export function atOnce<T>(work: Generator<void, T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
  }
}
