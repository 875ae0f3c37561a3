/** Sends a mutation, and follows its latest call. */
import type { EndpointInterface } from '../../src/endpoint/Endpoint.ts';
import { refuseRead } from '../../src/endpoint/refuseRead.ts';
import { useMutating } from '../mutating.ts';
import type { Mutation, MutationOptions } from '../mutating.ts';
import { lent } from './lent.ts';
import { useLent } from './Provider.ts';

/**
 * `const { mutate, isPending, error } = useMutation(TodoResource.update, { onSuccess() {} })`. The functions stay the same
 * in all renders. Of overlapping calls the latest is shown; the callbacks are called for each. A reset of the store is no
 * error: the state is that of no call. Nothing is sent while rendering. Throws E13 for a read, in development.
 */
export function useMutation<E extends EndpointInterface>(
  endpoint: E,
  options: MutationOptions<E> = {},
): Mutation<E> {
  refuseRead(endpoint);
  const controller = useLent('useMutation');
  return useMutating(lent, { controller, endpoint, options }) as unknown as Mutation<E>;
}
