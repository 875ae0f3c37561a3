/** The framework-independent part of `useMutation`: calls a mutation, and keeps the state of its latest call. */
import type { UnknownError } from '../src/store/results/Result.ts';
import type { Controller, DataOf } from '../src/Controller.ts';
import { ResetError } from '../src/errors.ts';
import type { EndpointInterface } from '../src/endpoint/Endpoint.ts';
import { isAbort } from '../src/endpoint/defaultErrorPolicy.ts';
import { errorOf } from './errorOf.ts';
import type { FrameworkHooks } from './FrameworkHooks.ts';

/** The state of the latest call. */
export interface MutationState<E extends EndpointInterface> {
  /** The latest call has not settled. */
  readonly isPending: boolean;
  /** The error of the latest call, until the next call or `reset`. */
  readonly error: UnknownError | undefined;
  /** The data of the latest call, as `controller.fetch` returns them. */
  readonly data: DataOf<E> | undefined;
  /** The arguments of the latest call. */
  readonly variables: Readonly<Parameters<E>> | undefined;
}

/** The functions that call a mutation. */
export interface MutationActions<E extends EndpointInterface> {
  /** Sends the mutation. An error is in `error`. */
  readonly mutate: (...args: Parameters<E>) => void;
  /** Sends the mutation; resolves with its data, and rejects as `controller.fetch` does. */
  readonly mutateAsync: (...args: Parameters<E>) => Promise<DataOf<E>>;
  /** Clears the state of the latest call. A request in flight continues. */
  readonly reset: () => void;
}

/** What `useMutation` returns. */
export type Mutation<E extends EndpointInterface> = MutationState<E> & MutationActions<E>;

/** Called for each call when it settles, also after the component has unmounted; `variables` are its arguments. */
export interface MutationOptions<E extends EndpointInterface> {
  onSuccess?: ((data: DataOf<E>, variables: Readonly<Parameters<E>>) => void) | undefined;
  /** Not called when the store was reset or the request was aborted. */
  onError?: ((error: UnknownError, variables: Readonly<Parameters<E>>) => void) | undefined;
  /** Called after the two above. After a reset or an abort it gets neither data nor an error. */
  onSettled?:
    | ((
        data: DataOf<E> | undefined,
        error: UnknownError | undefined,
        variables: Readonly<Parameters<E>>,
      ) => void)
    | undefined;
}

// any: the arguments of every endpoint
type AnyState = MutationState<any>;

export const NO_MUTATION: AnyState = {
  isPending: false,
  error: undefined,
  data: undefined,
  variables: undefined,
};

/** The values of the last render. */
export interface Mutating {
  controller: Controller;
  endpoint: EndpointInterface;
  options: MutationOptions<EndpointInterface>;
}

interface Outcome {
  readonly data?: unknown;
  readonly error?: UnknownError;
  /** The rejection reason of the request. */
  readonly thrown?: { readonly reason: unknown };
}

async function settled(promise: Promise<unknown>): Promise<Outcome> {
  try {
    return { data: await promise };
  } catch (reason) {
    // a reset is no error: its message would be displayed to the next user
    const isQuiet = reason instanceof ResetError || isAbort(reason);
    return isQuiet ? { thrown: { reason } } : { thrown: { reason }, error: errorOf(reason) };
  }
}

/**
 * `show` gets the state of the latest call. An exception of a callback is not caught: it belongs to the application.
 */
export function mutating(
  now: Mutating,
  show: (state: AnyState) => void,
): MutationActions<EndpointInterface> {
  let latest: object | undefined;
  const call = async (variables: readonly unknown[]): Promise<Outcome> => {
    const mine = (latest = {});
    show({ ...NO_MUTATION, isPending: true, variables });
    const outcome = await settled(now.controller.fetch(now.endpoint, ...(variables as [unknown])));
    const { data, error, thrown } = outcome;
    const isQuiet = thrown !== undefined && error === undefined;
    if (mine === latest) show(isQuiet ? NO_MUTATION : { isPending: false, data, error, variables });
    const { onSuccess, onError, onSettled } = now.options;
    if (thrown === undefined) onSuccess?.(data, variables);
    else if (error !== undefined) onError?.(error, variables);
    onSettled?.(data, error, variables);
    return outcome;
  };
  return {
    mutate: (...args) => void call(args),
    async mutateAsync(...args) {
      const { data, thrown } = await call(args);
      if (thrown !== undefined) throw thrown.reason;
      return data;
    },
    reset() {
      latest = undefined;
      show(NO_MUTATION);
    },
  };
}

/** `useMutation` of React and Preact. The three functions have a stable identity. */
export function useMutating(
  {
    useState,
    useMemo,
    useInsertionEffect: useCommit,
    useEffect,
  }: Pick<FrameworkHooks, 'useState' | 'useMemo' | 'useInsertionEffect' | 'useEffect'>,
  latest: Mutating,
): Mutation<EndpointInterface> {
  const [state, show] = useState(() => NO_MUTATION);
  const [now] = useState((): Mutating => ({ ...latest }));
  useCommit(() => void Object.assign(now, latest));
  const actions = useMemo(() => mutating(now, (next) => show(() => next)), [now]);
  const { controller } = latest;
  useEffect(() => controller.on('reset', actions.reset), [controller, actions]);
  return { ...state, ...actions };
}
