/** Redux DevTools: the manager that shows commits and requests there, and the button that opens the extension. */
import { createElement } from 'react';
import type { ReactElement } from 'react';
import { connectDevTools } from '../devtools/connectDevTools.ts';
import type { DevToolsOptions } from '../devtools/connectDevTools.ts';
import { DEV } from '../errors.ts';
import type { DataClientController } from './DataClientController.ts';
import type { Manager, Middleware } from './Manager.ts';
import type { ActionTypes } from './actionTypes.ts';

/** Options of the extension. */
export interface DevToolsConfig extends DevToolsOptions {
  /** False for actions of the log that are left out. */
  // any: actions of the log, and tables with rows of every type
  readonly predicate?: ((state: any, action: any) => boolean) | undefined;
}

/** `new DevToolsManager(config)`: connects when the provider mounts. Shows the actions of `connectDevTools`. */
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

/** The corner of the page. */
export type DevToolsPosition = 'bottom-right' | 'bottom-left' | 'top-right' | 'top-left';

interface OpenableExtension {
  open?(): void;
}

/** Renders nothing in production, and nothing without the extension. */
export function DevToolsButton(props: {
  readonly position: DevToolsPosition | null | undefined;
}): ReactElement | null {
  const { position } = props;
  const page = globalThis as { __REDUX_DEVTOOLS_EXTENSION__?: OpenableExtension };
  const extension = page.__REDUX_DEVTOOLS_EXTENSION__;
  if (!DEV || position === null || position === undefined || extension?.open === undefined)
    return null;
  const [vertical = 'bottom', horizontal = 'right'] = position.split('-');
  return createElement(
    'button',
    {
      type: 'button',
      title: 'Open the Redux DevTools',
      style: { position: 'fixed', [vertical]: 10, [horizontal]: 10, zIndex: 9999 },
      onClick: () => extension.open?.(),
    },
    'DC',
  );
}
