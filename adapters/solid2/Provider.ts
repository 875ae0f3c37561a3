/** Provides a controller to the components below, and makes Solid track their reads. */
import { Controller } from '../../src/Controller.ts';
import { refuseMutation } from '../../src/endpoint/refuseMutation.ts';
import type { EndpointInterface } from '../../src/endpoint/Endpoint.ts';
import { SignalboxError } from '../../src/diagnostics.ts';
import { addTracker } from '../../src/reactive.ts';
import { isServer } from '../../src/surroundings.ts';
import { bridge } from './bridge.ts';
import { createComponent, createContext, createSignal, untrack, useContext } from './solid.ts';
import type { Accessor, Context, Drawn } from './solid.ts';

/** Props of `<Provider>`. */
export interface ProviderProps {
  /** Default: a new controller with the lifetime of this provider. On a server create one per request. */
  readonly controller?: Controller | undefined;
  readonly children?: Drawn;
}

/** A controller, and how often boundaries below the provider have been reset. */
export interface Lent {
  readonly controller: Controller;
  readonly resets: Accessor<number>;
  readonly reset: () => void;
}

export const LentContext: Context<Lent | null> = createContext<Lent | null>(null);

// one for all providers of the page, for its lifetime: it costs nothing outside of Solid's computations
let tracking = isServer();

/**
 * Provides a controller to the components below, and makes Solid track their reads. `controller` is read once, at
 * mount.
 */
export function Provider(props: ProviderProps): Drawn {
  const controller = untrack(() => props.controller) ?? new Controller();
  if (!tracking) addTracker(bridge);
  tracking = true;
  const [resets, turn] = createSignal(0, { ownedWrite: true });
  let times = 0;
  const reset = (): void => {
    controller.expireErrors();
    turn(++times);
  };
  return createComponent(LentContext, {
    value: { controller, resets, reset },
    get children() {
      return props.children;
    },
  });
}

/** The value of the provider above, for a hook. Throws A1 without a provider. */
export function useLent(hook: string): Lent {
  const lent = useContext(LentContext);
  if (lent === null) throw new SignalboxError('A1', { hook });
  return lent;
}

/**
 * As useLent, for hooks that read an endpoint. Throws E7 at once: an exception in a memo would be hidden by later ones.
 */
export function useLentToRead(hook: string, endpoint: EndpointInterface): Lent {
  refuseMutation(endpoint);
  return useLent(hook);
}

/** The controller of the provider above. Throws A1 without a provider. */
export function useController(): Controller {
  return useLent('useController').controller;
}
