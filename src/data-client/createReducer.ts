/** The store as a part of the application's own: a reducer, the middleware of managers, and `dispatch` with a promise. */
import { useEffect, useState } from '../../adapters/react/react.ts';
import type { DataClientController } from './DataClientController.ts';
import { middlewareOf } from './Manager.ts';
import type { ManagerInList } from './Manager.ts';
import { fillStore, initialState } from './State.ts';
import type { State } from './State.ts';
import type { ActionTypes, GenericDispatch } from './actionTypes.ts';

/** A state and an action give the next state. The state that was passed is unchanged. */
export type ReducerType = (
  state: State<unknown> | undefined,
  action: ActionTypes,
) => State<unknown>;

/** The actions that led to a state, and the state before the first action. */
interface PastActions {
  readonly base: State<unknown>;
  readonly actions: readonly ActionTypes[];
}

const histories = new WeakMap<State<unknown>, PastActions>();

/**
 * `const reducer = createReducer(new Controller())`: the first state is `initialState`, or from `mockInitialState`.
 * `controller.getResponse(endpoint, args, state)` reads each state. An action that changes nothing (FETCH, SUBSCRIBE,
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

/** Middleware, as applied by Redux. */
export type ReduxMiddleware = (api: {
  readonly dispatch: GenericDispatch;
  readonly getState: () => State<unknown>;
}) => (next: GenericDispatch) => GenericDispatch;

/** The middleware of the managers, for an application's own chain: acts on the store of the controller. */
export function applyManager(
  managers: readonly ManagerInList[],
  controller: DataClientController,
): ReduxMiddleware[] {
  return middlewareOf(managers).map((middleware) => () => middleware(controller) as never);
}

// any: reducers of every state and action
type AnyReducer = (state: any, action: any) => any;

/**
 * `dispatch`, with a promise that resolves in the effects of the next render with another `state`. The result is the
 * same function for the life of the component.
 */
export function usePromisifiedDispatch<R extends AnyReducer = AnyReducer>(
  dispatch: (action: Parameters<R>[1]) => unknown,
  state: ReturnType<R>,
): (action: Parameters<R>[1]) => Promise<void> {
  const [pending] = useState(() => new PendingDispatches<Parameters<R>[1]>(dispatch));
  useEffect(() => {
    pending.dispatchNow = dispatch;
  }, [dispatch, pending]);
  useEffect(() => pending.resolveAll(), [state, pending]);
  return pending.dispatch;
}

class PendingDispatches<A> {
  /** The function of the last render. */
  dispatchNow: (action: A) => unknown;
  readonly #resolvers = new Set<() => void>();

  constructor(dispatch: (action: A) => unknown) {
    this.dispatchNow = dispatch;
  }

  readonly dispatch = (action: A): Promise<void> =>
    new Promise((resolve) => {
      this.#resolvers.add(resolve);
      this.dispatchNow(action);
    });

  resolveAll(): void {
    for (const resolve of this.#resolvers) resolve();
    this.#resolvers.clear();
  }
}
