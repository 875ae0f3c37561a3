/** The manager of requests: sends each, and holds the policies of the store. */
import type { DataClientController } from './DataClientController.ts';
import type { Manager, Middleware } from './Manager.ts';
import { actionTypes } from './actionTypes.ts';
import type { ActionTypes, FetchAction } from './actionTypes.ts';

/** Times in milliseconds. */
export interface NetworkManagerOptions {
  readonly dataExpiryLength?: number | undefined;
  readonly errorExpiryLength?: number | undefined;
}

/**
 * `new NetworkManager({ dataExpiryLength, errorExpiryLength })`: managers behind it receive no FETCH action. In older
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
