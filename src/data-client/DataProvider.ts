/** The provider with managers: creates the controller, and provides controller, store and state. */
import { createElement } from 'react';
import type { ReactElement, ReactNode, Context } from 'react';
import { Provider, ControllerContext as OwnContext } from '../../adapters/react/Provider.ts';
import {
  useEffect,
  useState,
  createContext,
  useSyncExternalStore,
} from '../../adapters/react/react.ts';
import type { ControllerOptions } from '../Controller.ts';
import { SignalboxError } from '../errors.ts';
import { DataClientController } from './DataClientController.ts';
import { DevToolsManager, DevToolsButton } from './DevToolsManager.ts';
import type { DevToolsPosition } from './DevToolsManager.ts';
import { initManager, middlewareOf, getDefaultManagers, NetworkManager } from './Manager.ts';
import type { ManagerInList } from './Manager.ts';
import { fillStore, initialState, withReader } from './State.ts';
import type { State } from './State.ts';
import type { DataClientDispatch } from './actionTypes.ts';

/** Props of `<DataProvider>`, read at the first render. */
export interface ProviderProps {
  readonly children?: ReactNode;
  /** A list, or a function that creates the list for this provider. Default: `getDefaultManagers()`. */
  readonly managers?: readonly ManagerInList[] | (() => readonly ManagerInList[]) | undefined;
  /** The contents of the store: a state of `getState`, or of `mockInitialState`. */
  readonly initialState?: State<unknown> | undefined;
  /** The class of the controller. */
  // any: subclasses declare their types
  readonly Controller?: (new (options: any) => DataClientController<any>) | undefined;
  /** An existing controller. Default: a new controller. */
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

/** Provides a controller with optimistic writes, whose requests are not retried; managers are active while mounted. */
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
  const { managers: given = getDefaultManagers, initialState } = props;
  const { Controller = DataClientController } = props;
  const managers = typeof given === 'function' ? given() : given;
  const controller = props.controller ?? new Controller(policiesOf(managers, props.gcPolicy));
  if (initialState !== undefined) fillStore(controller, initialState);
  // before the effects: children fetch while rendering; for good: in StrictMode, children subscribe again before the
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

/** The options of Data Client, without effect: garbage collection needs no interval here. */
export interface GCOptions {
  readonly intervalMS?: number;
  readonly expiryMultiplier?: number;
  // any: the metadata of a row
  expiresAt?(meta: any): number;
}

/** Collects rows that no component has used for `sweepAfter` ms. */
export class GCPolicy {
  /** How long unread data stay in memory; undefined: the default of the controller. */
  readonly sweepAfter: number | undefined = undefined;

  readonly options: GCOptions;

  constructor(options: GCOptions = {}) {
    this.options = options;
  }
}

/** Collects nothing. */
export class ImmortalGCPolicy extends GCPolicy {
  override readonly sweepAfter: number = Infinity;
}

/** A policy of garbage collection. */
export type GCInterface = Pick<GCPolicy, 'sweepAfter'>;

/** The store of a provider, with an identity that never changes. */
export interface Store<S> {
  /** Calls the listener after each commit. Returns the function that unsubscribes. */
  readonly subscribe: (listener: () => void) => () => void;
  readonly dispatch: DataClientDispatch;
  /** The state after the last commit: the same object until the next commit. */
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
function createStore(controller: DataClientController): Store<State<unknown>> {
  return {
    subscribe: (listener) => controller.on('commit', listener),
    dispatch: controller.dispatch,
    getState: () => controller.getState(),
  };
}

/**
 * The state of the provider's store. Once a component has read a table, or has passed the state to the controller, all
 * components with this context re-render at each commit.
 */
export const StateContext: Context<State<unknown>> = createContext<State<unknown>>(initialState);

/** Provides the state of a controller to `children`. */
function StateProvider({
  controller,
  children,
}: {
  readonly controller: DataClientController;
  readonly children?: ReactNode;
}): ReactElement {
  const [{ subscribe, getState }] = useState(() => new ReadState(controller));
  const value = useSyncExternalStore(subscribe, getState, getState);
  return createElement(StateContext.Provider, { value }, children);
}

/** The states of a controller that components have read. Before the first read: a single state, and no listener. */
class ReadState {
  readonly #controller: DataClientController;
  #isRead = false;
  #onCommit: (() => void) | undefined;
  #stop: (() => void) | undefined;
  #source: State | undefined;
  #state: State = initialState;

  constructor(controller: DataClientController) {
    this.#controller = controller;
  }

  readonly subscribe = (onCommit: () => void): (() => void) => {
    this.#onCommit = onCommit;
    if (this.#isRead) this.#listen();
    return () => {
      this.#onCommit = undefined;
      this.#stop?.();
      this.#stop = undefined;
    };
  };

  readonly getState = (): State => {
    const source = this.#controller.getState();
    if (source !== this.#source && (this.#isRead || this.#source === undefined)) {
      this.#source = source;
      this.#state = withReader(this.#controller, this.#noteRead);
    }
    return this.#state;
  };

  readonly #noteRead = (): void => {
    this.#isRead = true;
    if (this.#onCommit !== undefined) this.#listen();
  };

  #listen(): void {
    this.#stop ??= this.#controller.on('commit', () => this.#onCommit?.());
  }
}
