/** Polling: refetches reads at an interval. */
import type { ArgsOf, Controller } from '../Controller.ts';
import type { EndpointInterface } from '../endpoint/Endpoint.ts';
import { contextOf } from '../request/FetchContext.ts';
import { Polling } from './Polling.ts';
import { noop } from '../request/promiseTry.ts';

/**
 * `subscribe(controller, endpoint, ...args)`: fetches every `pollFrequency` ms, and at once if the stored data are
 * older than that, until the returned function is called (once for each subscription), `unsubscribe`, or `reset`.
 * Errors are kept in the store. Does nothing without a `pollFrequency`, or with null as the first argument. Throws A7
 * if `controller` is not a controller, E7 for a mutation.
 */
export function subscribe<E extends EndpointInterface>(
  controller: Controller,
  endpoint: E,
  ...args: ArgsOf<E>
): () => void {
  const polling = pollingOf(controller);
  return args[0] === null ? noop : polling.subscribe(endpoint, args);
}

/** Ends one subscription with these arguments. */
export function unsubscribe<E extends EndpointInterface>(
  controller: Controller,
  endpoint: E,
  ...args: ArgsOf<E>
): void {
  const polling = pollingOf(controller);
  if (args[0] !== null) polling.unsubscribe(endpoint, args);
}

function pollingOf(controller: Controller): Polling {
  const context = contextOf(controller);
  return (context.polling ??= new Polling(context)) as Polling;
}
