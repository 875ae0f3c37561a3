/** The managers of a provider without the prop `managers`. */
import { DEV } from '../errors.ts';
import { DevToolsManager } from './DevToolsManager.ts';
import type { DevToolsConfig } from './DevToolsManager.ts';
import type { Manager } from './Manager.ts';
import { NetworkManager } from './NetworkManager.ts';
import type { NetworkManagerOptions } from './NetworkManager.ts';
import { SubscriptionManager } from './SubscriptionManager.ts';
import type { SubscriptionConstructable } from './SubscriptionManager.ts';

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
