/** Reads several endpoints in parallel: an accessor that suspends the place where it is read. */
import type { Accessor } from 'solid-js';
import type { AnyReads, DataOfReads, ReadsOf } from '../readersOf.ts';
import { createReads } from './createReads.ts';
import { defaultFor } from './defaultFor.ts';
import { useController } from './Provider.ts';
import { useSuspense } from './useSuspense.ts';

/**
 * `const all = useSuspenseAll(() => ids().map((id) => [getTodo, { id }]))`: the live data of each read, as from
 * `useSuspense`. All requests are started at once. The place that reads `all()` suspends until all have data; meanwhile
 * missing data are placeholders. The number and the order of the reads may change; only reads that are new then are
 * fetched. The first error is thrown at the place that reads.
 */
export function useSuspenseAll<const R extends AnyReads>(
  reads: () => ReadsOf<R>,
): Accessor<DataOfReads<R>> {
  const { each, held } = createReads(
    useController('useSuspenseAll'),
    reads as Accessor<AnyReads>,
    (endpoint, params) => useSuspense(endpoint, ...(params as [])),
  );
  return () => {
    const waiting = held();
    if (waiting === undefined) return each().map((read) => read()) as DataOfReads<R>;
    // the accessor that the reads depend on suspends this place
    void reads();
    return waiting.map(([{ schema }]) => defaultFor(schema as never)) as DataOfReads<R>;
  };
}
