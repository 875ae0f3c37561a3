/** The state of the store as a context: its value is made when a component reads it. */
import { createElement } from 'react';
import type { Context, ReactElement, ReactNode } from 'react';
import { createContext, useState, useSyncExternalStore } from '../../adapters/react/react.ts';
import type { DataClientController } from './DataClientController.ts';
import { initialState, withReader } from './State.ts';
import type { State } from './State.ts';

/**
 * The state of the provider's store. Once a component has read a table of it, or has passed it to the controller, all
 * components with this context re-render at each commit.
 */
export const StateContext: Context<State<unknown>> = createContext<State<unknown>>(initialState);

/** Provides the state of a controller to `children`. */
export function StateProvider({
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

/** The states of a controller that components have read. Before the first read there is one, and no listener. */
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
