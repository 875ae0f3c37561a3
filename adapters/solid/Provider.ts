/** Lends a controller to the components below it, and lets Solid see what they read. */
import { batch, createComponent, createContext, onCleanup, untrack, useContext } from 'solid-js';
import type { Context, JSX } from 'solid-js';
import { isServer } from 'solid-js/web';
import { Controller } from '../../src/Controller.ts';
import { SignalboxError } from '../../src/diagnostics.ts';
import { refuseMutation } from '../../src/endpoint/refuseMutation.ts';
import type { EndpointInterface } from '../../src/endpoint/Endpoint.ts';
import { addTracker } from '../../src/reactive.ts';
import { bridge } from './bridge.ts';

/** Props of `<Provider>`. */
export interface ProviderProps {
  /** Default: one that lives as long as this provider. On a server give one per request. */
  readonly controller?: Controller | undefined;
  readonly children?: JSX.Element;
}

export const ControllerContext: Context<Controller | undefined> = createContext<Controller>();

// one for all providers of the page, for as long as it lives: it costs nothing outside of Solid's computations
let tracking = isServer;

/** Lends a controller to what is below it, and lets Solid see what is read there. It is read once, when it is mounted. */
export function Provider(props: ProviderProps): JSX.Element {
  const controller = untrack(() => props.controller) ?? new Controller();
  if (!tracking) addTracker(bridge);
  tracking = true;
  // Solid runs once per commit; who commits does not depend on what the commit reads
  onCleanup(controller.wrapCommits((commit) => batch(() => untrack(commit))));
  return createComponent(ControllerContext.Provider, {
    value: controller,
    get children() {
      return props.children;
    },
  });
}

/** The controller of the provider above. Throws A1 where there is none. */
export function useController(hook = 'useController'): Controller {
  const controller = useContext(ControllerContext);
  if (controller === undefined) throw new SignalboxError('A1', { hook });
  return controller;
}

/** The same, for a hook that reads an endpoint. Throws E7 at once: what a memo throws is hidden by what it then lacks. */
export function useReadingController(hook: string, endpoint: EndpointInterface): Controller {
  refuseMutation(endpoint);
  return useController(hook);
}
