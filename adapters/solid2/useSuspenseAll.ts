/** Reads several endpoints in parallel: an accessor that is pending before all have data. */
import type { AnyReads, DataOfReads, ReadsOf } from '../readersOf.ts';
import { createReads } from './createReads.ts';
import { useControllerContext } from './Provider.ts';
import { createMemo } from './solid.ts';
import type { Accessor } from './solid.ts';
import { useSuspense } from './useSuspense.ts';

/**
 * `const all = useSuspenseAll(() => ids().map((id) => [getTodo, { id }]))`: the live data of each read, as from
 * `useSuspense`. All requests are started at once; readers are pending until all have data. The number and the order of
 * the reads may change; only reads that are new then are fetched. The first error is thrown at the place that reads.
 */
export function useSuspenseAll<const R extends AnyReads>(
  reads: () => ReadsOf<R>,
): Accessor<DataOfReads<R>> {
  const { controller } = useControllerContext('useSuspenseAll');
  const each = createReads(controller, reads as Accessor<AnyReads>, (endpoint, params) =>
    useSuspense(endpoint, ...(params as [])),
  );
  return createMemo(() => each().map((read) => read())) as Accessor<DataOfReads<R>>;
}
