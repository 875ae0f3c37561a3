/** Reads several endpoints in parallel without suspending: data, loading, error of each. */
import { trackedDLE } from '../DLE.ts';
import type { AnyReads, ReadsOf, TrackedDLEOfReads } from '../ReadsOf.ts';
import type { Accessor } from '../solid-shared/SolidRuntime.ts';
import { createDependentReads } from './createDependentReads.ts';
import { useDLE } from './useDLE.ts';

const loading = /* @__PURE__ */ trackedDLE(() => undefined);

/**
 * `const all = useDLEAll(() => ids().map((id) => [getTodo, { id }]))`: an object of each read, as from `useDLE`. The
 * number and the order of the reads may change; only reads that are new then are fetched.
 */
export function useDLEAll<const R extends AnyReads>(
  reads: () => ReadsOf<R>,
): Accessor<TrackedDLEOfReads<R>> {
  const listed = reads as Accessor<AnyReads>;
  const { each, placeholders } = createDependentReads('useDLEAll', listed, useDLE);
  return () => (placeholders()?.map(() => loading) ?? each()) as TrackedDLEOfReads<R>;
}
