/** Sends a mutation, or calls any async function, and tracks the state of the latest call. */
import { onCleanup } from 'solid-js';
import type { EndpointInterface } from '../../src/endpoint/Endpoint.ts';
import { refuseRead } from '../../src/endpoint/argumentChecks.ts';
import type { UnknownError } from '../../src/errors.ts';
import { createActions, IDLE, NO_MUTATION, trackLatestCall } from '../Mutation.ts';
import type { AsyncFunction, Mutation, MutationOptions } from '../Mutation.ts';
import { createWritable, trackedObject, useControllerContext } from './SolidRuntime.ts';
import type { Accessor } from './SolidRuntime.ts';

/**
 * `const saving = useMutation(TodoResource.update, { onSuccess() {} }); saving.mutate({ id }, body)`. The state is
 * tracked and must not be destructured; the functions may be. Of overlapping calls the state is of the latest; the
 * callbacks are called for each. After a reset of the store there is no error, and the state is the initial state.
 * Throws E13 for a read, in development.
 */
export function useMutation<E extends EndpointInterface>(
  endpoint: E,
  options: MutationOptions<E> = {},
): Mutation<E> {
  refuseRead(endpoint);
  const { controller } = useControllerContext('useMutation');
  const [state, setState] = createWritable(NO_MUTATION);
  const actions = createActions({ controller, endpoint, options }, setState);
  onCleanup(controller.on('reset', actions.reset));
  const shown = trackedObject(state, Object.keys(NO_MUTATION) as (keyof typeof NO_MUTATION)[]);
  return Object.assign(shown, actions) as unknown as Mutation<E>;
}

/**
 * `const [save, loading, error] = useLoading(() => controller.fetch(…))`: for handlers. If the function fails, `save`
 * resolves with undefined, and `error()` is set until the next call. Of overlapping calls the latest counts.
 */
export function useLoading<F extends AsyncFunction>(
  fn: F,
): [F, Accessor<boolean>, Accessor<UnknownError | undefined>] {
  const [state, setState] = createWritable(IDLE);
  return [trackLatestCall({ fn }, setState), () => state().loading, () => state().error];
}
