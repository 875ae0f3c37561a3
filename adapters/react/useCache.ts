/** Reads what is stored of an endpoint, and never asks. */
import { useId } from 'react';
import type { ArgsOf, DataOf } from '../../src/Controller.ts';
import type { EndpointInterface } from '../../src/endpoint/Endpoint.ts';
import type { NullableArgs } from '../../src/view/EmptyOf.ts';
import { dataOf } from '../../src/store/thrownResult.ts';
import { useLent } from './Provider.ts';
import { useResult, whole } from './useResult.ts';

/** The data of `endpoint(...args)` where there are some to show, else undefined. */
export function useCache<E extends EndpointInterface>(
  endpoint: E,
  ...args: NullableArgs<E>
): DataOf<E> | undefined {
  const reader = useLent('useCache').view(endpoint, ...(args as ArgsOf<E>));
  return dataOf(useResult(reader, whole, useId()).result);
}
