/** Reads several endpoints in parallel, and suspends until all have data. */
import { useMemo } from 'preact/hooks';
import { liveResult } from '../../src/live/liveResult.ts';
import { combine } from '../CombinedReader.ts';
import { checkCopies } from '../FrameworkHooks.ts';
import { readersOf } from '../readersOf.ts';
import type { AnyReads, DataOfReads, ReadsOf } from '../readersOf.ts';
import { useController } from './Provider.ts';
import { useSuspendedIn } from './useQueryHandle.ts';

/**
 * `const [todo, users] = useSuspenseAll([[getTodo, { id: 5 }], [getUsers]])`, or `useSuspenseAll(ids.map((id) =>
 * [getTodo, { id }]))`: the live data of each read, as from `useSuspense`. All requests are started before the component
 * suspends, once. The number and the order of the reads may change with each render; only reads that are new then are
 * fetched. The first error is thrown.
 */
export function useSuspenseAll<const R extends AnyReads>(reads: ReadsOf<R>): DataOfReads<R> {
  checkCopies('@preact/signals');
  const controller = useController('useSuspenseAll');
  const reader = combine(readersOf(controller, reads), liveResult);
  const data = useSuspendedIn(reader).value.data as object;
  return useMemo(() => Object.values(data), [data]) as DataOfReads<R>;
}
