/** Reads several endpoints in parallel: an accessor that is pending before all have data. */
import { createMemo } from 'solid-js';
import { createReads } from '../solid-shared/createReads.ts';
import type { AnyReads, DataOfReads, ReadsOf } from '../ReadsOf.ts';
import type { Accessor } from '../solid-shared/SolidRuntime.ts';
import { listReads } from './solid2Runtime.ts';
import { useSuspense } from './useSuspense.ts';

/**
 * `const all = useSuspenseAll(() => ids().map((id) => [getTodo, { id }]))`: the live data of each read, as from
 * `useSuspense`. All requests are started at once; readers are pending until all have data. The number and the order of
 * the reads may change; only reads that are new then are fetched. The first error is thrown at the place that reads.
 */
export function useSuspenseAll<const R extends AnyReads>(
  reads: () => ReadsOf<R>,
): Accessor<DataOfReads<R>> {
  const listed = listReads('useSuspenseAll', reads as Accessor<AnyReads>);
  const each = createReads(listed, useSuspense);
  return createMemo(() => each().map((read) => read())) as Accessor<DataOfReads<R>>;
}
