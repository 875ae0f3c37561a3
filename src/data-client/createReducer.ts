/** The effect of actions on a state, outside of a store. */
import { DataClientController } from './DataClientController.ts';
import type { ActionTypes } from './Manager.ts';
import { fillStore, initialState } from './State.ts';
import type { State } from './State.ts';

/** A state and an action give the next state. The state that was passed is unchanged. */
export type ReducerType = (state: State<unknown> | undefined, action: ActionTypes) => State<unknown>;

/**
 * `const reducer = createReducer(new Controller())`: each call copies the store of the state, performs the action on the
 * copy, and returns its state, which `controller.getResponse(endpoint, args, state)` reads. An action that changes
 * nothing (FETCH, SUBSCRIBE, …) returns the state that was passed. An action that cannot be stored changes nothing.
 */
export function createReducer(controller: DataClientController): ReducerType {
  const Class = controller.constructor as new () => DataClientController;
  return (state = initialState, action) => {
    const copy = new Class();
    fillStore(copy, state);
    const before = copy.getState();
    // without middleware, an action is performed before `dispatch` returns
    void copy.dispatch(action).catch(() => {});
    return copy.getState() === before ? state : copy.getState();
  };
}
