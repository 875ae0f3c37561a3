/** Lends a controller to the components below it, and lets Solid see what they read. */
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
  /** Default: one that lives as long as this provider. On a server give one per request. */
  readonly controller?: Controller | undefined;
  readonly children?: Drawn;
}

/** A controller, and how often boundaries below it have been reset. */
export interface Lent {
  readonly controller: Controller;
  readonly resets: Accessor<number>;
  readonly reset: () => void;
}

export const LentContext: Context<Lent | null> = createContext<Lent | null>(null);

// one for all providers of the page, for as long as it lives: it costs nothing outside of Solid's computations
let tracking = isServer();

/** Lends a controller to what is below it, and lets Solid see what is read there. It is read once, when it is mounted. */
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

/** What the provider above lends to a hook. Throws A1 where there is none. */
export function useLent(hook: string): Lent {
  const lent = useContext(LentContext);
  if (lent === null) throw new SignalboxError('A1', { hook });
  return lent;
}

/** The same, for a hook that reads an endpoint. Throws E7 at once: what a memo throws is hidden by what it then lacks. */
export function useLentToRead(hook: string, endpoint: EndpointInterface): Lent {
  refuseMutation(endpoint);
  return useLent(hook);
}

/** The controller of the provider above. Throws A1 where there is none. */
export function useController(): Controller {
  return useLent('useController').controller;
}
