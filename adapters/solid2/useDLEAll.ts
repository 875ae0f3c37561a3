/** Reads several endpoints in parallel without suspending: data, loading, error of each. */
import { createReads } from '../solid-shared/createReads.ts';
import type { AnyReads, ReadsOf, TrackedDLEOfReads } from '../ReadsOf.ts';
import type { Accessor } from '../solid-shared/SolidRuntime.ts';
import { listReads } from './solid2Runtime.ts';
import { useDLE } from './useDLE.ts';

/**
 * `const all = useDLEAll(() => ids().map((id) => [getTodo, { id }]))`: an object of each read, as from `useDLE`. The
 * number and the order of the reads may change; only reads that are new then are fetched.
 */
export function useDLEAll<const R extends AnyReads>(
  reads: () => ReadsOf<R>,
): Accessor<TrackedDLEOfReads<R>> {
  const listed = listReads('useDLEAll', reads as Accessor<AnyReads>);
  return createReads(listed, useDLE) as Accessor<TrackedDLEOfReads<R>>;
}
