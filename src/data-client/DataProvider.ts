/** The provider with managers: creates the controller. */
import { createElement } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { useEffect, useState } from '../../adapters/react/react.ts';
import { Provider } from '../../adapters/react/Provider.ts';
import { DataClientController } from './DataClientController.ts';
import type { ControllerOptions } from '../Controller.ts';
import { initManager, middlewareOf, getDefaultManagers } from './Manager.ts';
import { DevToolsManager } from './DevToolsManager.ts';
import { DevToolsButton } from './DevToolsButton.ts';
import type { DevToolsPosition } from './DevToolsButton.ts';
import type { GCInterface } from './GCPolicy.ts';
import type { ManagerInList } from './Manager.ts';
import { NetworkManager } from './NetworkManager.ts';
import { fillStore } from './State.ts';
import type { State } from './State.ts';
import { StateProvider } from './StateContext.ts';
import { createStore, StoreContext } from './StoreContext.ts';
import type { Store } from './StoreContext.ts';

/** Props of `<DataProvider>`. They are read at the first render. */
export interface ProviderProps {
  readonly children?: ReactNode;
  /** Default: `getDefaultManagers()`. */
  readonly managers?: readonly ManagerInList[] | undefined;
  /** The contents of the store: a state of `getState`, or of `mockInitialState`. */
  readonly initialState?: State<unknown> | undefined;
  /** The class of the controller. */
  // any: subclasses declare their types
  readonly Controller?: (new (options: any) => DataClientController<any>) | undefined;
  /** An existing controller, in the place of a new one. */
  readonly controller?: DataClientController | undefined;
  /** The corner of the button that opens the Redux DevTools, in development; null: no button. */
  readonly devButton?: DevToolsPosition | null | undefined;
  /** `new ImmortalGCPolicy()` switches garbage collection off. */
  readonly gcPolicy?: GCInterface | undefined;
}

interface Managed {
  readonly controller: DataClientController;
  readonly managers: readonly ManagerInList[];
  readonly store: Store<State<unknown>>;
}

/** Provides a controller with optimistic writes, whose requests are not retried, and manages it while mounted. */
export function DataProvider(props: ProviderProps): ReactElement {
  const { children, devButton = 'bottom-right' } = props;
  const [{ controller, managers, store }] = useState(() => createManaged(props));
  useEffect(() => {
    unmounted.delete(props);
    return initManager(managers, controller)();
  }, [controller, managers]);
  const hasTools = managers.some((manager) => manager instanceof DevToolsManager);
  return createElement(
    Provider,
    { controller },
    createElement(
      StoreContext.Provider,
      { value: store },
      createElement(StateProvider, { controller }, children),
    ),
    hasTools && createElement(DevToolsButton, { position: devButton }),
  );
}

/** By the props of a provider that is not mounted yet: StrictMode creates the state of a component twice. */
const unmounted = new WeakMap<ProviderProps, Managed>();

function createManaged(props: ProviderProps): Managed {
  const known = unmounted.get(props);
  if (known !== undefined) return known;
  const {
    managers = getDefaultManagers(),
    initialState,
    Controller = DataClientController,
  } = props;
  const controller = props.controller ?? new Controller(policiesOf(managers, props.gcPolicy));
  if (initialState !== undefined) fillStore(controller, initialState);
  // before the effects: children fetch while they render; for good: in StrictMode, children subscribe again before the
  // effects of the provider
  controller.bindMiddleware(middlewareOf(managers));
  const managed = { controller, managers, store: createStore(controller) };
  unmounted.set(props, managed);
  return managed;
}

/** The policies of the manager of requests, and of garbage collection. */
function policiesOf(
  managers: readonly ManagerInList[],
  { sweepAfter }: GCInterface = { sweepAfter: undefined },
): ControllerOptions {
  const { dataExpiryLength, errorExpiryLength } =
    managers.find((manager) => manager instanceof NetworkManager) ?? new NetworkManager();
  return {
    ...(dataExpiryLength !== undefined && { dataExpiryLength }),
    ...(errorExpiryLength !== undefined && { errorExpiryLength }),
    ...(sweepAfter !== undefined && { sweepAfter }),
  };
}
