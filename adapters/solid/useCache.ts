/** Reads what is stored of an endpoint, and never asks. */
import { createMemo, createUniqueId, untrack } from 'solid-js';
import type { Accessor } from 'solid-js';
import type { ArgsOf, DataOf } from '../../src/Controller.ts';
import type { EndpointInterface } from '../../src/endpoint/Endpoint.ts';
import { dataOf } from '../../src/store/thrownResult.ts';
import type { NullableArgs } from '../../src/view/EmptyOf.ts';
import { look } from './bridge.ts';
import { createServed } from './createReading.ts';
import type { Params } from './createReading.ts';
import { useController } from './Provider.ts';

/** The live data where there are some to show, else undefined. Arguments are functions, as with `useSuspense`. */
export function useCache<E extends EndpointInterface>(
  endpoint: E,
  ...params: Params<NullableArgs<E>>
): Accessor<DataOf<E> | undefined> {
  const controller = useController('useCache');
  const asked = params as readonly Accessor<unknown>[];
  const reader = createMemo(() => {
    const args = asked.map((param) => param()) as unknown as ArgsOf<E>;
    return untrack(() => controller.view(endpoint, ...args));
  });
  const served = createServed(reader, createUniqueId());
  return () => dataOf(look((served() ?? reader()).live)) as DataOf<E> | undefined;
}
