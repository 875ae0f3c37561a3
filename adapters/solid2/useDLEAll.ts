/** Reads several endpoints in parallel without suspending: data, loading, error of each. */
import type { AnyReads, ReadsOf } from '../readersOf.ts';
import type { TrackedDLEOfReads } from '../dleOf.ts';
import { createReads } from './createReads.ts';
import { useControllerContext } from './Provider.ts';
import type { Accessor } from './solid.ts';
import { useDLE } from './useDLE.ts';

/**
 * `const all = useDLEAll(() => ids().map((id) => [getTodo, { id }]))`: an object of each read, as from `useDLE`. The
 * number and the order of the reads may change; only reads that are new then are fetched.
 */
export function useDLEAll<const R extends AnyReads>(
  reads: () => ReadsOf<R>,
): Accessor<TrackedDLEOfReads<R>> {
  const { controller } = useControllerContext('useDLEAll');
  return createReads(controller, reads as Accessor<AnyReads>, (endpoint, params) =>
    useDLE(endpoint, ...(params as [])),
  ) as Accessor<TrackedDLEOfReads<R>>;
}
