/** Provides a controller to the components below, and makes Solid track their reads. */
import { batch, createComponent, createContext, onCleanup, untrack, useContext } from 'solid-js';
import type { Context, JSX } from 'solid-js';
import { isServer } from 'solid-js/web';
import { Controller } from '../../src/Controller.ts';
import { SignalboxError } from '../../src/errors.ts';
import { refuseMutation } from '../../src/endpoint/argumentChecks.ts';
import type { EndpointInterface } from '../../src/endpoint/Endpoint.ts';
import { addTracker } from '../../src/signals.ts';
import { trackInSolid } from './trackInSolid.ts';

/** Props of `<Provider>`. */
export interface ProviderProps {
  /** Default: a new controller with the lifetime of this provider. On a server create one per request. */
  readonly controller?: Controller | undefined;
  readonly children?: JSX.Element;
}

export const ControllerContext: Context<Controller | undefined> = createContext<Controller>();

// one for all providers of the page, for its lifetime: it costs nothing outside of Solid's computations
let tracking = isServer;

/**
 * Provides a controller to the components below, and makes Solid track their reads. `controller` is read once, at
 * mount.
 */
export function Provider(props: ProviderProps): JSX.Element {
  const controller = untrack(() => props.controller) ?? new Controller();
  if (!tracking) addTracker(trackInSolid);
  tracking = true;
  // Solid updates once per commit; the committing computation does not depend on the commit's reads
  onCleanup(controller.wrapCommits((commit) => batch(() => untrack(commit))));
  return createComponent(ControllerContext.Provider, {
    value: controller,
    get children() {
      return props.children;
    },
  });
}

/** The controller of the provider above. Throws A1 without a provider. */
export function useController(hook = 'useController'): Controller {
  const controller = useContext(ControllerContext);
  if (controller === undefined) throw new SignalboxError('A1', { hook });
  return controller;
}

/**
 * As useController, for hooks that read an endpoint. Throws E7 at once: an exception in a memo would be hidden by later
 * ones.
 */
export function useReadingController(hook: string, endpoint: EndpointInterface): Controller {
  refuseMutation(endpoint);
  return useController(hook);
}
