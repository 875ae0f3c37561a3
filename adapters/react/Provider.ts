/** Lends a controller to the components below it. */
import { createContext, createElement, useContext, useState } from 'react';
import type { Context, FunctionComponent, ReactNode } from 'react';
import { Controller } from '../../src/Controller.ts';
import { SignalboxError } from '../../src/diagnostics.ts';

export interface ProviderProps {
  /** Default: one that lives as long as this provider. On a server give one per request. */
  readonly controller?: Controller | undefined;
  readonly children?: ReactNode;
}

const ControllerContext: Context<Controller | undefined> = createContext<Controller | undefined>(
  undefined,
);

/** Stands outside of every Suspense boundary: what suspends above a boundary loses its state, also this one's. */
export const Provider: FunctionComponent<ProviderProps> = ({ controller, children }) => {
  const [own] = useState(() => (controller === undefined ? new Controller() : undefined));
  return createElement(ControllerContext.Provider, { value: controller ?? own }, children);
};

/** The controller of the provider above. Throws A1 where there is none. */
export function useController(): Controller {
  return useLent('useController');
}

/** As useController, for the hook that a message is to name. */
export function useLent(hook: string): Controller {
  const controller = useContext(ControllerContext);
  if (controller === undefined) throw new SignalboxError('A1', { hook });
  return controller;
}
