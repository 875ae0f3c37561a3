/** Polls for as long as a component is mounted. */
import type { ArgsOf, Controller } from '../src/Controller.ts';
import type { EndpointInterface } from '../src/endpoint/Endpoint.ts';
import { subscribe } from '../src/view/subscribe.ts';

/** Subscribes, again after each reset, which ends all subscriptions. Returns an unsubscribe function. */
export function keepPolling(
  controller: Controller,
  endpoint: EndpointInterface,
  args: readonly unknown[],
): () => void {
  const begin = () => subscribe(controller, endpoint, ...(args as ArgsOf<EndpointInterface>));
  let stop = begin();
  const forget = controller.on('reset', () => {
    stop = begin();
  });
  return () => {
    forget();
    stop();
  };
}
