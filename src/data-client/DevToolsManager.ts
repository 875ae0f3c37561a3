/** The manager that shows commits and requests in the Redux DevTools extension. */
import { connectDevTools } from '../devtools/connectDevTools.ts';
import type { DevToolsOptions } from '../devtools/connectDevTools.ts';
import type { DataClientController } from './DataClientController.ts';
import type { ActionTypes } from './actionTypes.ts';
import type { Manager, Middleware } from './Manager.ts';

/** Options of the extension. */
export type DevToolsConfig = DevToolsOptions;

/** `new DevToolsManager(config)`: connects when its provider mounts. The actions are those of `connectDevTools`. */
export class DevToolsManager implements Manager {
  readonly #config: DevToolsConfig;
  #controller: DataClientController | undefined;
  #stop: (() => void) | undefined;

  /** The second argument of Data Client, a filter of actions, has no effect: `actionsDenylist` filters. */
  constructor(config: DevToolsConfig = {}, _skipLogging?: (action: ActionTypes) => boolean) {
    this.#config = config;
  }

  readonly middleware: Middleware = (controller) => {
    this.#controller = controller;
    return (next) => (action) => next(action);
  };

  /** `middleware` in older versions. */
  getMiddleware(): Middleware {
    return this.middleware;
  }

  init(): void {
    if (this.#controller === undefined) return;
    this.#stop = connectDevTools(this.#controller, { name: 'Data Client', ...this.#config });
  }

  cleanup(): void {
    this.#stop?.();
  }
}
