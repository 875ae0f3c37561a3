/** Sends a mutation, or calls any async function, and tracks the state of the latest call. */
import type { EndpointInterface } from '../../src/endpoint/Endpoint.ts';
import { refuseRead } from '../../src/endpoint/argumentChecks.ts';
import type { UnknownError } from '../../src/errors.ts';
import { useLatestCall, useMutationState } from '../Mutation.ts';
import type { AsyncFunction, Mutation, MutationOptions } from '../Mutation.ts';
import { useController } from './Provider.ts';
import { preactHooks } from './preactHooks.ts';

/**
 * `const { mutate, isPending, error } = useMutation(TodoResource.update, { onSuccess() {} })`. The functions have a
 * stable identity. Of overlapping calls the state is of the latest; the callbacks are called for each. After a reset of
 * the store there is no error, and the state is the initial state. No request is sent while rendering. Throws E13 for a
 * read, in development.
 */
export function useMutation<E extends EndpointInterface>(
  endpoint: E,
  options: MutationOptions<E> = {},
): Mutation<E> {
  refuseRead(endpoint);
  const controller = useController('useMutation');
  return useMutationState(preactHooks, { controller, endpoint, options }) as unknown as Mutation<E>;
}

/**
 * `const [save, loading, error] = useLoading(() => controller.fetch(…))`: for handlers. `save` has a stable identity
 * while `deps` are the same, and calls the `fn` of the last render. If `fn` fails, `save` resolves with undefined, and
 * `error` is set until the next call. Of overlapping calls the latest counts.
 */
export function useLoading<F extends AsyncFunction>(
  fn: F,
  deps: readonly unknown[] = [],
): [F, boolean, UnknownError | undefined] {
  return useLatestCall(preactHooks, fn, deps);
}
