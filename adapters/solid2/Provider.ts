/** Provides a controller to the components below, and makes Solid track their reads. */
import { Controller } from '../../src/Controller.ts';
import { refuseMutation } from '../../src/endpoint/argumentChecks.ts';
import type { EndpointInterface } from '../../src/endpoint/Endpoint.ts';
import { SignalboxError } from '../../src/errors.ts';
import { addTracker } from '../../src/signals.ts';
import { isServer } from '../../src/page.ts';
import { trackInSolid } from './trackInSolid.ts';
import { createComponent, createContext, createSignal, untrack, useContext } from './solid.ts';
import type { Accessor, Context, Element } from './solid.ts';

/** Props of `<Provider>`. */
export interface ProviderProps {
  /** Default: a new controller with the lifetime of this provider. On a server create one per request. */
  readonly controller?: Controller | undefined;
  readonly children?: Element;
}

/** A controller, and how often boundaries below the provider have been reset: readers then refetch expired errors. */
export interface ControllerContextValue {
  readonly controller: Controller;
  readonly resets: Accessor<number>;
  readonly reset: () => void;
}

export const ControllerContext: Context<ControllerContextValue | null> =
  createContext<ControllerContextValue | null>(null);

// one for all providers of the page, for its lifetime: it costs nothing outside of Solid's computations
let tracking = isServer();

/**
 * Provides a controller to the components below, and makes Solid track their reads. `controller` is read once, at
 * mount.
 */
export function Provider(props: ProviderProps): Element {
  const controller = untrack(() => props.controller) ?? new Controller();
  if (!tracking) addTracker(trackInSolid);
  tracking = true;
  const [resets, turn] = createSignal(0, { ownedWrite: true });
  let times = 0;
  const reset = (): void => turn(++times);
  return createComponent(ControllerContext, {
    value: { controller, resets, reset },
    get children() {
      return props.children;
    },
  });
}

/** The value of the provider above, for a hook. Throws A1 without a provider. */
export function useControllerContext(hook: string): ControllerContextValue {
  const lent = useContext(ControllerContext);
  if (lent === null) throw new SignalboxError('A1', { hook });
  return lent;
}

/**
 * As useLent, for hooks that read an endpoint. Throws E7 at once: an exception in a memo would be hidden by later ones.
 */
export function useReadingContext(
  hook: string,
  endpoint: EndpointInterface,
): ControllerContextValue {
  refuseMutation(endpoint);
  return useControllerContext(hook);
}

/** The controller of the provider above. Throws A1 without a provider. */
export function useController(): Controller {
  return useControllerContext('useController').controller;
}
