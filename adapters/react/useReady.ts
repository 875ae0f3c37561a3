/** Suspends the rendering component until a reader has data or an error. */
import type { Controller } from '../../src/Controller.ts';
import type { Ready, Reader } from '../../src/view/Reader.ts';
import { timelineOf } from './concurrent/Timeline.ts';
import type { ShownResult } from './concurrent/useResult.ts';

/**
 * The promise to wait for, or undefined. A component that renders this reader's data does not fetch: in a pending
 * transition, the old content stays.
 */
export function suspensePromise(
  reader: Reader,
  { result, first, waiter }: ShownResult<unknown>,
): Ready | undefined {
  return first || result.status === 'pending' ? reader.ensure(first, waiter) : undefined;
}

/**
 * Throws the promise, in React 19 too: a synchronous `act` (Testing Library's `render`) then commits the fallback, and
 * the settled promise schedules a render. With `use`, React 19 drops the suspended render, and never renders anything.
 */
export function useReady(controller: Controller, wait: Ready | undefined): void {
  if (wait === undefined) return;
  timelineOf(controller).suspended(wait);
  // eslint-disable-next-line typescript/only-throw-error
  throw wait;
}
