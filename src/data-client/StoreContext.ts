/** The contexts of the provider: the controller, and the store in the form that `useSyncExternalStore` reads. */
import { ControllerContext as OwnContext } from '../../adapters/react/Provider.ts';
import { createContext } from '../../adapters/react/react.ts';
import type { Context } from 'react';
import { SignalboxError } from '../errors.ts';
import type { DataClientController } from './DataClientController.ts';
import { initialState } from './State.ts';
import type { State } from './State.ts';
import type { DataClientDispatch } from './actionTypes.ts';

/** The store of a provider, with the same identity for its lifetime. */
export interface Store<S> {
  /** Calls the listener after each commit. Returns the function that stops it. */
  readonly subscribe: (listener: () => void) => () => void;
  readonly dispatch: DataClientDispatch;
  /** The state after the last commit: the same object until the next one. */
  readonly getState: () => S;
  /** True without a provider. */
  readonly uninitialized?: boolean;
}

/** The controller of the provider. Undefined without a provider. */
export const ControllerContext: Context<DataClientController> =
  OwnContext as unknown as Context<DataClientController>;

/** `useSyncExternalStore(store.subscribe, store.getState)` of this store re-renders at each commit. */
export const StoreContext: Context<Store<State<unknown>>> = createContext<Store<State<unknown>>>({
  subscribe: () => () => {},
  dispatch: () => Promise.reject(new SignalboxError('A1', { hook: 'useContext(StoreContext)' })),
  getState: () => initialState,
  uninitialized: true,
});

/** The store of a controller. */
export function createStore(controller: DataClientController): Store<State<unknown>> {
  return {
    subscribe: (listener) => controller.on('commit', listener),
    dispatch: controller.dispatch,
    getState: () => controller.getState(),
  };
}
