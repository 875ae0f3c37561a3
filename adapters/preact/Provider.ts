/** Provides a controller to the components below. */
import { createContext, h } from 'preact';
import type { ComponentChildren, Context, VNode } from 'preact';
import { useContext, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { Controller } from '../../src/Controller.ts';
import { SignalboxError } from '../../src/errors.ts';

/** Props of `<Provider>`. */
export interface ProviderProps {
  /** Default: a new controller with the lifetime of this provider. On a server create a controller per request. */
  readonly controller?: Controller | undefined;
  readonly children?: ComponentChildren;
}

export const PreactControllerContext: Context<Controller | undefined> = createContext<
  Controller | undefined
>(undefined);

/**
 * Whether the provider above is mounted: components that render later hydrate no markup, as far as Preact tells. A
 * boundary that suspends during hydration (`lazy`) renders the present data, too.
 */
export const IsMountedContext: Context<{ current?: boolean }> = createContext({});

/**
 * Must be placed outside of every Suspense boundary: a component that suspends without a boundary loses its state, and
 * this state as well.
 */
// any: the props of a vnode are invariant, and a function component's result is a vnode of any props
export function Provider({ controller, children }: ProviderProps): VNode<any> {
  const value = useMemo(() => controller ?? new Controller(), [controller]);
  const isMounted = useRef(false);
  useLayoutEffect(() => {
    isMounted.current = true;
  }, []);
  return h(
    PreactControllerContext.Provider,
    { value },
    h(IsMountedContext.Provider, { value: isMounted }, children),
  );
}

/** The controller of the provider above. Throws A1 without a provider. */
export function useController(hook = 'useController'): Controller {
  const controller = useContext(PreactControllerContext);
  if (controller === undefined) throw new SignalboxError('A1', { hook });
  return controller;
}
