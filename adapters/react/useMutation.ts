/** Sends a mutation, and tracks the state of its latest call. */
import type { EndpointInterface } from '../../src/endpoint/Endpoint.ts';
import { refuseRead } from '../../src/endpoint/argumentChecks.ts';
import { useMutationState } from '../Mutation.ts';
import type { Mutation, MutationOptions } from '../Mutation.ts';
import { reactHooks } from './reactHooks.ts';
import { useControllerFor } from './Provider.ts';

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
  const controller = useControllerFor('useMutation');
  refuseRead(endpoint);
  return useMutationState(reactHooks, { controller, endpoint, options }) as unknown as Mutation<E>;
}
