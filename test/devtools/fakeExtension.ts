// The Redux DevTools extension, according to the documentation and the page script: data of a page are sent as JSON
// text, and actions of the user return as messages.
import type { DevToolsConnection, DevToolsExtension, DevToolsMessage } from 'signalbox/devtools';

interface Lifted {
  readonly actionsById: { readonly [id: number]: { readonly action: { readonly type: string } } };
  readonly computedStates: readonly { readonly state: unknown }[];
  readonly currentStateIndex: number;
}

export interface Shown {
  readonly type: string;
  readonly [detail: string]: unknown;
}

/** A connection with a monitor. */
export class FakeExtension implements DevToolsExtension {
  options: { readonly [option: string]: unknown } = {};
  errors: string[] = [];
  paused = false;
  #listeners: ((message: DevToolsMessage) => void)[] = [];
  /** The text as sent. The first text belongs to `@@INIT`. */
  #actions: string[] = [];
  #states: string[] = [];

  connect(options: object): DevToolsConnection {
    this.options = { ...options };
    return {
      init: (state) => {
        this.#actions = ['{"type":"@@INIT"}'];
        this.#states = [JSON.stringify(state)];
      },
      send: (action, state) => {
        if (this.paused) return;
        if (action === null) return this.#lift(JSON.parse(JSON.stringify(state)) as Lifted);
        if (!('type' in action)) throw new Error('an action needs a type');
        this.#actions.push(JSON.stringify(action));
        this.#states.push(JSON.stringify(state));
        // the oldest is committed
        if (this.#actions.length > Number(this.options['maxAge']) + 1) {
          this.#actions.splice(1, 1);
          this.#states.shift();
        }
      },
      subscribe: (listener) => {
        this.#listeners.push(listener);
        return () => {
          this.#listeners = this.#listeners.filter((other) => other !== listener);
        };
      },
      error: (message) => void this.errors.push(message),
    };
  }

  get listeners(): number {
    return this.#listeners.length;
  }

  get actions(): readonly Shown[] {
    return this.#actions.map((text) => JSON.parse(text) as Shown);
  }

  get types(): readonly string[] {
    return this.actions.map(({ type }) => type);
  }

  state(at = -1): { readonly [part: string]: never } {
    return JSON.parse(this.#states.at(at) ?? 'null') as never;
  }

  /** Whatever is posted to the page in the name of the extension. */
  tell(message: unknown): void {
    for (const listener of this.#listeners) listener(message as DevToolsMessage);
  }

  jump(index: number, type = 'JUMP_TO_ACTION'): void {
    const at = index < 0 ? this.#states.length + index : index;
    const payload = { type, actionId: at, index: at };
    this.tell({ type: 'DISPATCH', payload, state: this.#states[at] });
  }

  press(type: 'RESET' | 'COMMIT' | 'ROLLBACK'): void {
    const state = type === 'ROLLBACK' ? this.#states[0] : undefined;
    this.tell({ type: 'DISPATCH', payload: { type }, state });
  }

  /** The content of an exported file. */
  export(): string {
    const computedStates = this.#states.map((text) => ({ state: JSON.parse(text) as unknown }));
    const actionsById = Object.fromEntries(this.actions.map((action, id) => [id, { action }]));
    return JSON.stringify({
      actionsById,
      computedStates,
      currentStateIndex: computedStates.length - 1,
    });
  }

  import(file: string): void {
    const nextLiftedState = JSON.parse(file) as Lifted;
    this.tell({ type: 'DISPATCH', payload: { type: 'IMPORT_STATE', nextLiftedState } });
  }

  /** The message of the monitor to each listener when the monitor opens. */
  open(): void {
    this.tell({ type: 'START' });
  }

  #lift({ actionsById, computedStates }: Lifted): void {
    this.#actions = Object.values(actionsById).map(({ action }) => JSON.stringify(action));
    this.#states = computedStates.map(({ state }) => JSON.stringify(state));
  }
}
