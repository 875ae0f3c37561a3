/** Reads the stored data of an endpoint, and never fetches. */
import { createMemo, createUniqueId, untrack } from 'solid-js';
import type { Accessor } from 'solid-js';
import type { ArgsOf, DataOf } from '../../src/Controller.ts';
import type { ReadEndpoint } from '../../src/endpoint/Endpoint.ts';
import { dataOf } from '../../src/store/results/thrownResult.ts';
import { cached } from '../cached.ts';
import type { CachedOf, NullableArgs } from '../EmptyOf.ts';
import type { Reader } from '../../src/view/Reader.ts';
import { createHydratingReader, resultAt } from './createQueryHandle.ts';
import type { Params } from './createQueryHandle.ts';
import { useReadingController } from './Provider.ts';

interface Seeing {
  readonly reader: Reader;
  had: boolean;
}

/**
 * The live data if there are any; else undefined, or the empty value of a schema that is an object. Arguments are
 * functions, as with `useSuspense`; null as first argument gives the schema's empty value, also that of a list. Errors
 * of requests are not thrown, exceptions of the schema's own functions are.
 */
export function useCache<E extends ReadEndpoint>(
  endpoint: E,
  ...params: Params<NullableArgs<E>>
): Accessor<DataOf<E> | CachedOf<E['schema']>> {
  const controller = useReadingController('useCache', endpoint);
  const asked = params as readonly Accessor<unknown>[];
  const stay = createMemo<Seeing>((last) => {
    const args = asked.map((param) => param()) as unknown as ArgsOf<E>;
    const reader = untrack(() => controller.view(endpoint, ...args)) as Reader;
    return last?.reader === reader ? last : { reader, had: false };
  });
  const served = createHydratingReader(() => stay().reader, createUniqueId());
  return () => cached(endpoint, dataOf(resultAt(stay(), served()))) as DataOf<E>;
}
