/** The end of a controller that was made for one request. */
import type { Controller } from '../Controller.ts';
import { viewContextOf } from '../view/Hydrator.ts';

/**
 * Empties the controller of a request that is over: what is still under way is aborted, and no timer stays. The streams
 * of this entry do it by themselves; who renders to a string does it when the string is there.
 */
export function endRequest(controller: Controller): void {
  controller.reset();
  viewContextOf(controller).store.gc.stop();
}
