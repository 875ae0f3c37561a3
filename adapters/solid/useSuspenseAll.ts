/** Reads several endpoints in parallel: an accessor that suspends the place where it is read. */
import type { AnyReads, DataOfReads, ReadsOf } from '../ReadsOf.ts';
import type { Accessor } from '../solid-shared/SolidRuntime.ts';
import { createDependentReads } from './createDependentReads.ts';
import { createPlaceholder } from './createPlaceholder.ts';
import { createListedRead, suspendForAll } from './useSuspense.ts';

/**
 * `const all = useSuspenseAll(() => ids().map((id) => [getTodo, { id }]))`: the live data of each read, as from
 * `useSuspense`. All requests are started at once. The place that reads `all()` suspends until all have data; meanwhile
 * missing data are placeholders. The number and the order of the reads may change; only reads that are new then are
 * fetched. The first error is thrown at the place that reads.
 */
export function useSuspenseAll<const R extends AnyReads>(
  reads: () => ReadsOf<R>,
): Accessor<DataOfReads<R>> {
  const listed = reads as Accessor<AnyReads>;
  const { each, known, placeholders } = createDependentReads(
    'useSuspenseAll',
    listed,
    createListedRead,
  );
  return () => {
    suspendForAll(known);
    const waiting = placeholders();
    if (waiting === undefined) return each().map((read) => read()) as DataOfReads<R>;
    // the accessor that the reads depend on suspends this place
    void reads();
    return waiting.map(([{ schema }]) => createPlaceholder(schema as never)) as DataOfReads<R>;
  };
}
