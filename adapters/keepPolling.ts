/** Polls for as long as a component is mounted: the body of `useSubscription`. */
import type { ArgsOf, Controller } from '../src/Controller.ts';
import type { EndpointInterface } from '../src/endpoint/Endpoint.ts';
import { refuseMutation } from '../src/endpoint/argumentChecks.ts';
import { subscribe } from '../src/view/subscribe.ts';
import type { FrameworkHooks } from './FrameworkHooks.ts';

/** Subscribes, again after each reset, which ends all subscriptions. Returns an unsubscribe function. */
export function keepPolling(
  controller: Controller,
  endpoint: EndpointInterface,
  args: readonly unknown[],
): () => void {
  const begin = () => subscribe(controller, endpoint, ...(args as ArgsOf<EndpointInterface>));
  let stop = begin();
  const stopListening = controller.on('reset', () => {
    stop = begin();
  });
  return () => {
    stopListening();
    stop();
  };
}

/**
 * Polls while the component is mounted. The key identifies endpoint and arguments, which may be new objects each time.
 */
export function usePolling(
  { useEffect }: Pick<FrameworkHooks, 'useEffect'>,
  controller: Controller,
  endpoint: EndpointInterface,
  args: readonly unknown[],
): void {
  // here, not in the effect: a boundary catches exceptions of rendering
  refuseMutation(endpoint);
  const key = args[0] === null ? null : endpoint.key(...args);
  useEffect(
    () => keepPolling(controller, endpoint, args),
    [controller, key, endpoint.pollFrequency],
  );
}
