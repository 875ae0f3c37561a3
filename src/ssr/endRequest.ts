/** Ends a controller that was made for one request. */
import type { Controller } from '../Controller.ts';
import { contextOf } from '../request/FetchContext.ts';

/**
 * Empties the controller of a request that has ended: requests in flight are aborted, and all timers are cleared. The
 * streams of this module call it; after rendering to a string, call it yourself.
 */
export function endRequest(controller: Controller): void {
  controller.reset();
  contextOf(controller).store.gc.stop();
}
