/** The members of the Redux DevTools extension that are used. */

/** `window.__REDUX_DEVTOOLS_EXTENSION__` */
export interface DevToolsExtension {
  connect(options: object): DevToolsConnection;
}

/** https://github.com/reduxjs/redux-devtools/blob/main/extension/docs/API/Methods.md#connectoptions */
export interface DevToolsConnection {
  init(state: unknown): void;
  /** Without an action: sends a complete history. */
  send(action: object | null, state: unknown): void;
  subscribe(listener: (message: DevToolsMessage) => void): (() => void) | undefined;
  error(message: string): void;
}

/** An action of the extension's user; `state` is JSON. */
export interface DevToolsMessage {
  readonly type: string;
  readonly state?: string | undefined;
  readonly payload?: { readonly type?: string; readonly nextLiftedState?: History } | undefined;
}

/** A history of actions with the state after each. */
export interface History {
  readonly computedStates: readonly { readonly state: unknown }[];
  readonly currentStateIndex: number;
}

/** The extension of this page. */
export function devToolsExtension(): DevToolsExtension | undefined {
  const page = globalThis as { __REDUX_DEVTOOLS_EXTENSION__?: DevToolsExtension };
  return page.__REDUX_DEVTOOLS_EXTENSION__;
}
