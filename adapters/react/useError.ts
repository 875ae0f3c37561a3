/** Reads the error of an endpoint, and never fetches. */
import type { ArgsOf } from '../../src/Controller.ts';
import type { ReadEndpoint } from '../../src/endpoint/Endpoint.ts';
import type { UnknownError } from '../../src/errors.ts';
import type { Result } from '../../src/store/StorePort.ts';
import type { NullableArgs } from '../EmptyOf.ts';
import { useControllerFor } from './Provider.ts';
import { useResult } from './concurrent/useResult.ts';
import type { ResultSelector } from './concurrent/useResult.ts';
import { useId } from 'react';

const NO_ERROR: Result<never> = { status: 'success', data: undefined as never, error: undefined };

/** Only the error that a reader would throw: changes of data notify no reader. */
const errorOnly: ResultSelector = {
  sources: /* @__PURE__ */ new WeakMap(),
  peek: (reader) => {
    const result = reader.result.peek();
    return result.status === 'error' ? result : NO_ERROR;
  },
  listen: (reader, listener) => reader.listen(listener),
};

/** The error that `useSuspense` would throw; undefined without an error: there are data, or nothing was fetched. */
export function useError<E extends ReadEndpoint>(
  endpoint: E,
  ...args: NullableArgs<E>
): UnknownError | undefined {
  const controller = useControllerFor('useError');
  const reader = controller.view(endpoint, ...(args as ArgsOf<E>));
  return useResult(controller, reader, errorOnly, useId()).result.error;
}
