/** Managers: objects with a middleware that receives each action. Their life, and the managers of a provider by default. */
import { DEV } from '../errors.ts';
import type { DataClientController } from './DataClientController.ts';
import { DevToolsManager } from './DevToolsManager.ts';
import type { DevToolsConfig } from './DevToolsManager.ts';
import { NetworkManager } from './NetworkManager.ts';
import type { NetworkManagerOptions } from './NetworkManager.ts';
import type { State } from './State.ts';
import { SubscriptionManager } from './SubscriptionManager.ts';
import type { SubscriptionConstructable } from './SubscriptionManager.ts';
import type { ActionTypes, DataClientDispatch, Dispatch, GenericDispatch } from './actionTypes.ts';

/** The controller as a middleware receives it. */
export type MiddlewareAPI<D extends GenericDispatch = DataClientDispatch> = DataClientController<D>;

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
 * An object that takes part in the life of the store. Its `middleware` receives each action, in the order of the
 * managers. Classes of older versions declare it as protected, which no interface with this member allows.
 */
export interface Manager<Actions = ActionTypes> extends ManagerLife<Actions> {
  // any: `middleware`, and members of the class
  readonly [member: string]: any;
}

/** A manager in a list of managers, where an object may leave out the types of its middleware. */
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

/** `useEffect(initManager(managers, controller, state), [])`: begins the life of managers; its result ends it. */
export function initManager(
  managers: readonly ManagerInList[],
  controller: DataClientController,
  initialState: State<unknown> = controller.getState(),
): () => () => void {
  return () => {
    for (const manager of managers) manager.init?.(initialState);
    return () => {
      for (const manager of managers) manager.cleanup();
    };
  };
}

/** Each manager, or the options of its constructor; null leaves a manager out. */
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
