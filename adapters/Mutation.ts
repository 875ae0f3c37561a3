/** The state of the latest call, of a mutation or of any async function: the bodies of `useMutation` and `useLoading`. */
import type { Controller, DataOf } from '../src/Controller.ts';
import { isAbort } from '../src/endpoint/Endpoint.ts';
import type { EndpointInterface } from '../src/endpoint/Endpoint.ts';
import { ResetError } from '../src/errors.ts';
import type { UnknownError } from '../src/errors.ts';
import { fetchAbortable } from '../src/request/InFlightRequest.ts';
import { LazyAbortController } from '../src/request/LazyAbortController.ts';
import { isPlainObject } from '../src/schema/fieldOf.ts';
import type { FrameworkHooks } from './FrameworkHooks.ts';
import { toError } from './toError.ts';

/** The state of the latest call. */
export interface MutationState<E extends EndpointInterface> {
  /** The latest call has not settled. */
  readonly isPending: boolean;
  /** The error of the latest call, until the next call or `reset`. */
  readonly error: UnknownError | undefined;
  /** The data of the latest call, as returned by `controller.fetch`. */
  readonly data: DataOf<E> | undefined;
  /** The arguments of the latest call. */
  readonly variables: Readonly<Parameters<E>> | undefined;
}

/** The functions that call a mutation. */
export interface MutationActions<E extends EndpointInterface> {
  /** Sends the mutation. An error is in `error`. A last argument with callbacks is for this call alone. */
  readonly mutate: (...args: MutationArgs<E>) => void;
  /** Sends the mutation; resolves with the data, and rejects as `controller.fetch` does. */
  readonly mutateAsync: (...args: MutationArgs<E>) => Promise<DataOf<E>>;
  /** Clears the state of the latest call. A request in flight continues. */
  readonly reset: () => void;
  /** Aborts the request of the latest call: not an error, optimistic changes are undone, and the state is cleared. */
  readonly abort: () => void;
}

/** The arguments of a call, and callbacks, which are called after the callbacks of the hook. */
type MutationArgs<E extends EndpointInterface> =
  | Parameters<E>
  | [...Parameters<E>, MutationOptions<E>];

/** What `useMutation` returns. */
export type Mutation<E extends EndpointInterface> = MutationState<E> & MutationActions<E>;

/** Called when a call settles, also after the component has unmounted; `variables` are the arguments of the call. */
export interface MutationOptions<E extends EndpointInterface> {
  onSuccess?: ((data: DataOf<E>, variables: Readonly<Parameters<E>>) => void) | undefined;
  /** Not called when the store was reset or the request was aborted. */
  onError?: ((error: UnknownError, variables: Readonly<Parameters<E>>) => void) | undefined;
  /** Called after the two above; after a reset or an abort, with neither data nor an error. */
  onSettled?:
    | ((
        data: DataOf<E> | undefined,
        error: UnknownError | undefined,
        variables: Readonly<Parameters<E>>,
      ) => void)
    | undefined;
}

type AnyOptions = MutationOptions<EndpointInterface>;

// any: the arguments of every endpoint
type AnyState = MutationState<any>;

/** Before the first call. */
export const NO_MUTATION: AnyState = {
  isPending: false,
  error: undefined,
  data: undefined,
  variables: undefined,
};

/** The values of the last render. */
interface MutationInputs {
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

async function outcomeOf(promise: Promise<unknown>): Promise<Outcome> {
  try {
    return { data: await promise };
  } catch (reason) {
    // a reset is no error: the message would be displayed to the next user
    const isQuiet = reason instanceof ResetError || isAbort(reason);
    return isQuiet ? { thrown: { reason } } : { thrown: { reason }, error: toError(reason) };
  }
}

const CALLBACK_NAMES = ['onSuccess', 'onError', 'onSettled'];

/** The callbacks of a call, if the last argument is an object of functions with these names, which no body can be. */
function splitCallbacks(args: readonly unknown[]): readonly [readonly unknown[], AnyOptions] {
  const entries = isPlainObject(args.at(-1)) ? Object.entries(args.at(-1) as object) : [];
  const isCallbacks =
    entries.length > 0 &&
    entries.every(
      ([name, value]) =>
        CALLBACK_NAMES.includes(name) && (value === undefined || typeof value === 'function'),
    );
  return isCallbacks ? [args.slice(0, -1), args.at(-1) as AnyOptions] : [args, {}];
}

/**
 * `report` gets the state of the latest call, and the controller of the call. An exception of a callback is not caught,
 * since callbacks belong to the application.
 */
export function createActions(
  inputs: MutationInputs,
  report: (state: AnyState, controller: Controller) => void,
): MutationActions<EndpointInterface> {
  let latest: LazyAbortController | undefined;
  const send = async (args: readonly unknown[]): Promise<Outcome> => {
    const [variables, own] = splitCallbacks(args);
    const call = (latest = new LazyAbortController());
    const { controller, endpoint } = inputs;
    report({ ...NO_MUTATION, isPending: true, variables }, controller);
    const request = fetchAbortable(controller, endpoint, variables, call);
    const outcome = await outcomeOf(request);
    const { data, error, thrown } = outcome;
    const isQuiet = thrown !== undefined && error === undefined;
    if (call === latest)
      report(isQuiet ? NO_MUTATION : { isPending: false, data, error, variables }, controller);
    for (const { onSuccess, onError, onSettled } of [inputs.options, own]) {
      if (thrown === undefined) onSuccess?.(data, variables);
      else if (error !== undefined) onError?.(error, variables);
      onSettled?.(data, error, variables);
    }
    return outcome;
  };
  return {
    mutate: (...args) => void send(args),
    async mutateAsync(...args) {
      const { data, thrown } = await send(args);
      if (thrown !== undefined) throw thrown.reason;
      return data;
    },
    reset() {
      latest = undefined;
      report(NO_MUTATION, inputs.controller);
    },
    abort: () => latest?.abort(),
  };
}

/** `useMutation` of React and Preact. The functions have a stable identity. */
export function useMutationState(
  {
    useState,
    useMemo,
    useInsertionEffect: useCommit,
  }: Pick<FrameworkHooks, 'useState' | 'useMemo' | 'useInsertionEffect'>,
  latest: MutationInputs,
): Mutation<EndpointInterface> {
  const { controller } = latest;
  const [reported, setReported] = useState(() => ({ state: NO_MUTATION, controller }));
  const [inputs] = useState((): MutationInputs => ({ ...latest }));
  useCommit(() => void Object.assign(inputs, latest));
  const actions = useMemo(
    () => createActions(inputs, (state, from) => setReported(() => ({ state, controller: from }))),
    [inputs],
  );
  // an insertion effect: React keeps the effect in a hidden tree, which must not show a former user's data once
  // revealed
  useCommit(() => controller.on('reset', actions.reset), [controller, actions]);
  return { ...(reported.controller === controller ? reported.state : NO_MUTATION), ...actions };
}

/** The functions that `useLoading` wraps: any function that returns a promise. */
// any: functions of every parameter list must fit; parameters are contravariant
export type AsyncFunction = (...args: any[]) => Promise<unknown>;

/** The state of the latest call of a function. */
interface CallState {
  readonly loading: boolean;
  readonly error: UnknownError | undefined;
}

export const IDLE: CallState = { loading: false, error: undefined };

/** The shared state of all calls of a hook. */
interface Calls<F> {
  /** The function of the last render. */
  fn: F;
  latest?: object;
}

/**
 * Wraps `fn` to report the state of the latest call. If `fn` fails, the wrapper resolves with undefined and reports the
 * error.
 */
export function trackLatestCall<F extends AsyncFunction>(
  calls: Calls<F>,
  report: (state: CallState) => void,
): F {
  const wrapper = async (...args: Parameters<F>): Promise<unknown> => {
    const call = (calls.latest = {});
    const end = (state: CallState) => call === calls.latest && report(state);
    report({ loading: true, error: undefined });
    try {
      const result = await calls.fn(...args);
      end(IDLE);
      return result;
    } catch (thrown) {
      // as with a mutation, a reset is no error
      end(thrown instanceof ResetError ? IDLE : { loading: false, error: toError(thrown) });
      return undefined;
    }
  };
  return wrapper as F;
}

/** A function that calls the `fn` of the last render, stable for equal `deps`; loading and error of the latest call. */
export function useLatestCall<F extends AsyncFunction>(
  {
    useState,
    useMemo,
    useInsertionEffect: useCommit,
  }: Pick<FrameworkHooks, 'useState' | 'useMemo' | 'useInsertionEffect'>,
  fn: F,
  deps: readonly unknown[],
): [F, boolean, UnknownError | undefined] {
  const [{ loading, error }, setState] = useState(() => IDLE);
  const [calls] = useState((): Calls<F> => ({ fn }));
  useCommit(() => {
    calls.fn = fn;
  });
  const wrapper = useMemo(
    () => trackLatestCall(calls, (state) => setState(() => state)),
    [calls, ...deps],
  );
  return [wrapper, loading, error];
}
