/** Managers: objects with a middleware that receives each action. Their life, and the managers of a provider by default. */
import { DEV } from '../errors.ts';
import type { UnknownError } from '../errors.ts';
import { endedControllers } from './ActionPipeline.ts';
import type { DataClientController } from './DataClientController.ts';
import { DevToolsManager } from './DevToolsManager.ts';
import type { DevToolsConfig } from './DevToolsManager.ts';
import type { State } from './State.ts';
import { SubscriptionManager } from './SubscriptionManager.ts';
import type { SubscriptionConstructable } from './SubscriptionManager.ts';
import { actionTypes } from './actionTypes.ts';
import type {
  ActionTypes,
  DataClientDispatch,
  Dispatch,
  GenericDispatch,
  FetchAction,
} from './actionTypes.ts';

/** The controller, as passed to a middleware. In Rest Hooks 5 the type parameter is that of a reducer. */
export type MiddlewareAPI<D = DataClientDispatch> = DataClientController<
  D extends GenericDispatch ? D : DataClientDispatch
>;

/** `(controller) => (next) => async (action) => { await next(action); }` */
export type Middleware<Actions = ActionTypes> = (
  controller: DataClientController,
) => (next: Dispatch<Actions>) => Dispatch<Actions>;

interface ManagerLife<Actions> {
  /** `middleware` in older versions. */
  getMiddleware?(): Middleware<Actions>;
  /** Called once the provider has mounted. */
  init?(state: State): void;
  /** Called when the provider unmounts. */
  cleanup(): void;
}

/**
 * An object that takes part in the life of the store. The `middleware` receives each action, in the order of the
 * managers. Classes of older versions declare `middleware` as protected, which no interface with this member allows.
 */
export interface Manager<Actions = ActionTypes> extends ManagerLife<Actions> {
  // any: `middleware`, and members of the class
  readonly [member: string]: any;
}

/** A manager in a list of managers, where an object may leave out the types of the middleware. */
export type ManagerInList<Actions = ActionTypes> =
  | (ManagerLife<Actions> & { readonly middleware?: Middleware<Actions> })
  | ManagerLife<Actions>;

/** The middleware of all managers, in order. */
export function middlewareOf(managers: readonly ManagerInList[]): readonly Middleware[] {
  return (managers as readonly Manager[]).flatMap((manager): readonly Middleware[] => {
    const own: Middleware | undefined = manager.getMiddleware?.() ?? manager['middleware'];
    return own === undefined ? [] : [own.bind(manager)];
  });
}

/** `useEffect(initManager(managers, controller, state), [])`: calls `init` of each manager, finally `cleanup`. */
export function initManager(
  managers: readonly ManagerInList[],
  controller: DataClientController,
  initialState: State<unknown> = controller.getState(),
): () => () => void {
  return () => {
    endedControllers.delete(controller);
    for (const manager of managers) manager.init?.(initialState);
    return () => {
      for (const manager of managers) manager.cleanup();
      endedControllers.add(controller);
    };
  };
}

/** Managers, or the options of their constructors; null leaves a manager out. */
export interface GetManagersOptions {
  readonly devToolsManager?: DevToolsManager | DevToolsConfig | null | undefined;
  readonly networkManager?: NetworkManager | NetworkManagerOptions | undefined;
  readonly subscriptionManager?: SubscriptionManager | SubscriptionConstructable | null | undefined;
}

/** Requests, subscriptions, and in development the Redux DevTools: `[new MyManager(), ...getDefaultManagers()]`. */
export function getDefaultManagers(options: GetManagersOptions = {}): Manager[] {
  const { devToolsManager = {}, networkManager = {}, subscriptionManager } = options;
  const managers: Manager[] = [
    networkManager instanceof NetworkManager ? networkManager : new NetworkManager(networkManager),
  ];
  if (subscriptionManager !== null) managers.push(toSubscriptionManager(subscriptionManager));
  if (DEV && devToolsManager !== null) {
    const isManager = devToolsManager instanceof DevToolsManager;
    managers.unshift(isManager ? devToolsManager : new DevToolsManager(devToolsManager));
  }
  return managers;
}

function toSubscriptionManager(
  given: SubscriptionManager | SubscriptionConstructable | undefined,
): SubscriptionManager {
  return given instanceof SubscriptionManager ? given : new SubscriptionManager(given);
}

/** Times in milliseconds. */
interface NetworkManagerOptions {
  readonly dataExpiryLength?: number | undefined;
  readonly errorExpiryLength?: number | undefined;
}

/**
 * `new NetworkManager({ dataExpiryLength, errorExpiryLength })`: later managers receive no FETCH action. In older
 * versions the times are two arguments.
 */
export class NetworkManager implements Manager {
  readonly dataExpiryLength: number;
  readonly errorExpiryLength: number;
  protected controller: DataClientController | undefined;
  readonly #sent = new Set<PromiseLike<unknown>>();

  constructor(times: NetworkManagerOptions | number = {}, errorExpiryLength?: number) {
    const options =
      typeof times === 'number' ? { dataExpiryLength: times, errorExpiryLength } : times;
    this.dataExpiryLength = options.dataExpiryLength ?? 60_000;
    this.errorExpiryLength = options.errorExpiryLength ?? 1000;
  }

  readonly middleware: Middleware = (controller) => {
    this.controller = controller;
    return (next) => async (action) => {
      if (action.type !== actionTypes.FETCH) return next(action);
      this.handleFetch(action);
    };
  };

  /** `middleware` in older versions. */
  getMiddleware(): Middleware {
    return this.middleware;
  }

  /** True for actions that reach no store: requests. */
  skipLogging({ type }: ActionTypes): boolean {
    return type === actionTypes.FETCH;
  }

  /** Sends the request of an action. */
  protected handleFetch(action: FetchAction): void {
    const { promise } = action.meta;
    const forget = () => void this.#sent.delete(promise);
    this.#sent.add(promise);
    promise.then(forget, forget);
    this.controller?.handleFetch(action);
  }

  /** Resolves when all requests in flight have settled; undefined if there are none. */
  allSettled(): Promise<PromiseSettledResult<unknown>[]> | undefined {
    return this.#sent.size === 0 ? undefined : Promise.allSettled(this.#sent);
  }

  init(): void {}

  cleanup(): void {}
}

/** The same: browsers schedule requests themselves. */
export class IdlingNetworkManager extends NetworkManager {}

/** Options of `new LogoutManager`. */
interface LogoutManagerOptions {
  /** Default: empties the store. */
  readonly handleLogout?: ((controller: DataClientController) => void) | undefined;
  /** Default: status 401. */
  readonly shouldLogout?: ((error: UnknownError) => boolean) | undefined;
}

/** `new LogoutManager()`: an error with status 401 empties the store. */
export class LogoutManager implements Manager {
  constructor({ handleLogout, shouldLogout }: LogoutManagerOptions = {}) {
    if (handleLogout !== undefined) this.handleLogout = handleLogout;
    if (shouldLogout !== undefined) this.shouldLogout = shouldLogout;
  }

  readonly middleware: Middleware = (controller) => (next) => async (action) => {
    await next(action);
    if (action.type !== actionTypes.SET_RESPONSE || action.error !== true) return;
    if (this.shouldLogout(action.response)) this.handleLogout(controller);
  };

  /** `middleware` in older versions. */
  getMiddleware(): Middleware {
    return this.middleware;
  }

  protected shouldLogout(error: UnknownError): boolean {
    return error.status === 401;
  }

  handleLogout(controller: DataClientController): void {
    void controller.resetEntireStore();
  }

  cleanup(): void {}
}
