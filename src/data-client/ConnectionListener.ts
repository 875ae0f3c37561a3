/** The network as `PollingSubscription` listens to it. */
import { listenToConnection, pageSurroundings } from '../page.ts';

/** `new PollingSubscription(action, controller, listener)`: no request while offline, one at once when back. */
export interface ConnectionListener {
  isOnline(): boolean;
  addOnlineListener(handler: () => void): void;
  removeOnlineListener(handler: () => void): void;
  addOfflineListener(handler: () => void): void;
  removeOfflineListener(handler: () => void): void;
}

/** The network of the page; always online without a page. */
export class DefaultConnectionListener implements ConnectionListener {
  readonly #online = new Map<() => void, () => void>();
  readonly #offline = new Map<() => void, () => void>();

  isOnline(): boolean {
    return !pageSurroundings.offline;
  }

  addOnlineListener(handler: () => void): void {
    this.removeOnlineListener(handler);
    this.#online.set(handler, listenToConnection('online', handler));
  }

  removeOnlineListener(handler: () => void): void {
    this.#online.get(handler)?.();
    this.#online.delete(handler);
  }

  addOfflineListener(handler: () => void): void {
    this.removeOfflineListener(handler);
    this.#offline.set(handler, listenToConnection('offline', handler));
  }

  removeOfflineListener(handler: () => void): void {
    this.#offline.get(handler)?.();
    this.#offline.delete(handler);
  }
}
