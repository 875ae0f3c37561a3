/** The manager of subscriptions, polling as the default, and the network listener of polling. */
import type { EndpointInterface } from '../endpoint/Endpoint.ts';
import { listenToConnection, pageSurroundings } from '../page.ts';
import { subscribe } from '../view/subscribe.ts';
import type { DataClientController } from './DataClientController.ts';
import type { Manager, Middleware } from './Manager.ts';
import { actionTypes } from './actionTypes.ts';
import type { SubscribeAction, UnsubscribeAction } from './actionTypes.ts';

/** The subscriptions of a key. */
export interface Subscription {
  /** A further component subscribes. */
  add(frequency?: number): void;
  /** A component unsubscribes. True: there are no others. */
  remove(frequency?: number): boolean;
  cleanup(): void;
}

/** A class of subscriptions, with an instance for each key, created for the first component. */
export interface SubscriptionConstructable {
  new (action: Omit<SubscribeAction, 'type'>, controller: DataClientController): Subscription;
}

/**
 * Fetches every `pollFrequency` ms, except while the page is hidden or offline; the least interval counts. A listener of
 * the application's own decides instead whether there is a network.
 */
export class PollingSubscription implements Subscription {
  protected readonly endpoint: EndpointInterface;
  protected readonly args: readonly unknown[];
  protected readonly key: string;
  protected readonly controller: DataClientController;
  readonly #polls: { readonly frequency: number | undefined; stop: () => void }[] = [];
  readonly #connection: ConnectionListener | undefined;
  #isOffline = false;
  readonly #stopListening: () => void;

  constructor(
    { endpoint, args, key }: Omit<SubscribeAction, 'type'>,
    controller: DataClientController,
    connectionListener?: ConnectionListener,
  ) {
    this.endpoint = endpoint;
    this.args = args;
    this.key = key;
    this.controller = controller;
    this.#connection = connectionListener;
    this.#isOffline = connectionListener?.isOnline() === false;
    connectionListener?.addOnlineListener(this.onlineListener);
    connectionListener?.addOfflineListener(this.offlineListener);
    this.add(frequencyOf(endpoint));
    // a reset ends all polls
    this.#stopListening = controller.on('reset', () => this.#restart());
  }

  protected readonly offlineListener = (): void => {
    this.#isOffline = true;
    this.#restart();
  };

  protected readonly onlineListener = (): void => {
    this.#isOffline = false;
    this.#restart();
  };

  #restart(): void {
    for (const poll of this.#polls) {
      poll.stop();
      poll.stop = this.#poll(poll.frequency);
    }
  }

  #poll(frequency: number | undefined): () => void {
    if (this.#isOffline) return () => {};
    const { endpoint, args, controller } = this;
    const { extend } = endpoint as { extend?: (options: object) => EndpointInterface };
    const hasOther = frequency !== undefined && frequency !== endpoint.pollFrequency;
    const polled = hasOther ? extend?.call(endpoint, { pollFrequency: frequency }) : undefined;
    return subscribe(controller, polled ?? endpoint, ...(args as [unknown]));
  }

  add(frequency?: number): void {
    this.#polls.push({ frequency, stop: this.#poll(frequency) });
  }

  remove(frequency?: number): boolean {
    const at = this.#polls.findIndex((poll) => poll.frequency === frequency);
    const [removed] = this.#polls.splice(Math.max(at, 0), 1);
    removed?.stop();
    if (this.#polls.length > 0) return false;
    this.cleanup();
    return true;
  }

  cleanup(): void {
    this.#stopListening();
    this.#connection?.removeOnlineListener(this.onlineListener);
    this.#connection?.removeOfflineListener(this.offlineListener);
    for (const { stop } of this.#polls.splice(0)) stop();
  }
}

/** `new SubscriptionManager(PollingSubscription)`: later managers receive no SUBSCRIBE and no UNSUBSCRIBE. */
export class SubscriptionManager<
  S extends SubscriptionConstructable = SubscriptionConstructable,
> implements Manager {
  protected readonly Subscription: S;
  protected readonly subscriptions: Map<string, Subscription> = new Map();
  protected controller: DataClientController | undefined;

  constructor(Subscription?: S) {
    this.Subscription = Subscription ?? (PollingSubscription as never);
  }

  readonly middleware: Middleware = (controller) => {
    this.controller = controller;
    return (next) => async (action) => {
      switch (action.type) {
        case actionTypes.SUBSCRIBE:
          return this.handleSubscribe(action);
        case actionTypes.UNSUBSCRIBE:
          return this.handleUnsubscribe(action);
        default:
          return next(action);
      }
    };
  };

  /** `middleware` in older versions. */
  getMiddleware(): Middleware {
    return this.middleware;
  }

  protected handleSubscribe(action: SubscribeAction): void {
    const { key, endpoint } = action;
    const known = this.subscriptions.get(key);
    if (known !== undefined) known.add(frequencyOf(endpoint));
    else if (this.controller !== undefined)
      this.subscriptions.set(key, new this.Subscription(action, this.controller));
  }

  protected handleUnsubscribe({ key, endpoint }: UnsubscribeAction): void {
    if (this.subscriptions.get(key)?.remove(frequencyOf(endpoint))) this.subscriptions.delete(key);
  }

  cleanup(): void {
    for (const each of this.subscriptions.values()) each.cleanup();
    this.subscriptions.clear();
  }
}

/** ms; undefined for an interval that a function computes, which the poll itself asks for. */
function frequencyOf({ pollFrequency }: EndpointInterface): number | undefined {
  return typeof pollFrequency === 'number' ? pollFrequency : undefined;
}

/** `new PollingSubscription(action, controller, listener)`: no request while offline, a request at once when back. */
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
