/** The effect of actions on a state, outside of a store. */
import type { DataClientController } from './DataClientController.ts';
import type { ActionTypes } from './Manager.ts';
import { fillStore, initialState } from './State.ts';
import type { State } from './State.ts';

/** A state and an action give the next state. The state that was passed is unchanged. */
export type ReducerType = (
  state: State<unknown> | undefined,
  action: ActionTypes,
) => State<unknown>;

/** The actions that led to a state, and the state before the first of them. */
interface PastActions {
  readonly base: State<unknown>;
  readonly actions: readonly ActionTypes[];
}

const histories = new WeakMap<State<unknown>, PastActions>();

/**
 * `const reducer = createReducer(new Controller())`: the first state is `initialState`, or one of `mockInitialState`.
 * `controller.getResponse(endpoint, args, state)` reads each of them. An action that changes nothing (FETCH, SUBSCRIBE,
 * …), or that cannot be stored, returns the state that was passed. For tests: each call performs all actions since the
 * first state, in a store of the controller's class.
 */
export function createReducer(controller: DataClientController): ReducerType {
  const Class = controller.constructor as new () => DataClientController;
  return (state = initialState, action) => {
    const { base, actions } = histories.get(state) ?? { base: state, actions: [] };
    const copy = new Class();
    fillStore(copy, base);
    for (const past of actions) perform(copy, past);
    const before = copy.getState();
    perform(copy, action);
    const after = copy.getState();
    if (after === before) return state;
    histories.set(after, { base, actions: [...actions, action] });
    return after;
  };
}

/** Without middleware, an action is performed before `dispatch` returns. */
function perform(controller: DataClientController, action: ActionTypes): void {
  void controller.dispatch(action).catch(() => {});
}
