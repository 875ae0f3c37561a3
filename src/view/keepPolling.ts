/** Polls for as long as a component is mounted. */
import type { EndpointInterface } from '../endpoint/Endpoint.ts';

/** What it asks of a controller. */
interface Port {
  subscribe(endpoint: EndpointInterface, ...args: readonly unknown[]): () => void;
  on(event: 'reset', listener: () => void): () => void;
}

/** Subscribes, again after each reset, which ends all subscriptions. Gives back how to stop. */
export function keepPolling(
  controller: Port,
  endpoint: EndpointInterface,
  args: readonly unknown[],
): () => void {
  let stop = controller.subscribe(endpoint, ...args);
  const forget = controller.on('reset', () => {
    stop = controller.subscribe(endpoint, ...args);
  });
  return () => {
    forget();
    stop();
  };
}
