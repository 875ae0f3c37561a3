/** Lends a controller to the components below it. */
import { createContext, h } from 'preact';
import type { ComponentChildren, Context, VNode } from 'preact';
import { useContext, useMemo } from 'preact/hooks';
import { Controller } from '../../src/Controller.ts';
import { SignalboxError } from '../../src/diagnostics.ts';

/** Props of `<Provider>`. */
export interface ProviderProps {
  /** Default: one that lives as long as this provider. On a server give one per request. */
  readonly controller?: Controller | undefined;
  readonly children?: ComponentChildren;
}

export const ControllerContext: Context<Controller | undefined> = createContext<
  Controller | undefined
>(undefined);

/** Stands outside of every Suspense boundary: what suspends above a boundary loses its state, also this one's. */
// any: the props of a vnode are invariant, and a function component's result is a vnode of any props
export function Provider({ controller, children }: ProviderProps): VNode<any> {
  const value = useMemo(() => controller ?? new Controller(), [controller]);
  return h(ControllerContext.Provider, { value }, children);
}

/** The controller of the provider above. Throws A1 where there is none. */
export function useController(hook = 'useController'): Controller {
  const controller = useContext(ControllerContext);
  if (controller === undefined) throw new SignalboxError('A1', { hook });
  return controller;
}
