/** Reads the error of an endpoint, and never fetches. */
import type { ReadEndpoint } from '../../src/endpoint/Endpoint.ts';
import type { UnknownError } from '../../src/errors.ts';
import type { NullableArgs } from '../EmptyOf.ts';
import { createError } from '../solid-shared/SolidRuntime.ts';
import type { Accessor, Params } from '../solid-shared/SolidRuntime.ts';
import { solid2Runtime } from './solid2Runtime.ts';

/**
 * The error that `useSuspense` would throw; undefined without an error: there are data, or nothing was fetched.
 * Arguments are functions, as with `useSuspense`.
 */
export function useError<E extends ReadEndpoint>(
  endpoint: E,
  ...params: Params<NullableArgs<E>>
): Accessor<UnknownError | undefined> {
  return createError(solid2Runtime, endpoint, params);
}
