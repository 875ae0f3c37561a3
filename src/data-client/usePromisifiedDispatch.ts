/** A dispatch function of `useReducer` with a promise, which resolves when React has rendered the state. */
import { useEffect, useState } from '../../adapters/react/react.ts';

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
