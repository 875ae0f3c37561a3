/** Reads several endpoints in parallel without suspending: data, loading, error of each. */
import type { Accessor } from 'solid-js';
import { dleOf } from '../dleOf.ts';
import type { TrackedDLEOfReads } from '../dleOf.ts';
import type { AnyReads, ReadsOf } from '../readersOf.ts';
import { createReads } from './createReads.ts';
import { useController } from './Provider.ts';
import { useDLE } from './useDLE.ts';

const loading = /* @__PURE__ */ dleOf(() => undefined);

/**
 * `const all = useDLEAll(() => ids().map((id) => [getTodo, { id }]))`: an object of each read, as from `useDLE`. The
 * number and the order of the reads may change; only reads that are new then are fetched.
 */
export function useDLEAll<const R extends AnyReads>(
  reads: () => ReadsOf<R>,
): Accessor<TrackedDLEOfReads<R>> {
  const { each, held } = createReads(
    useController('useDLEAll'),
    reads as Accessor<AnyReads>,
    (endpoint, params) => useDLE(endpoint, ...(params as [])),
  );
  return () => (held()?.map(() => loading) ?? each()) as TrackedDLEOfReads<R>;
}
