/** Reads several endpoints in parallel, and suspends until all have data. */
import { useMemo } from 'preact/hooks';
import { liveResult } from '../../src/live/liveResult.ts';
import { combineReaders } from '../CombinedReader.ts';
import { checkSignalsCopy } from '../FrameworkHooks.ts';
import { findReaders } from '../ReadsOf.ts';
import type { AnyReads, DataOfReads, ReadsOf } from '../ReadsOf.ts';
import { useController } from './Provider.ts';
import { useLiveParts, useSuspendedReader } from './useQueryHandle.ts';

/**
 * `const [todo, users] = useSuspenseAll([[getTodo, { id: 5 }], [getUsers]])`, or `useSuspenseAll(ids.map((id) =>
 * [getTodo, { id }]))`: the live data of each read, as from `useSuspense`. All requests are started before the component
 * suspends, once. The number and the order of the reads may change with each render; only reads that are new then are
 * fetched. The first error is thrown.
 */
export function useSuspenseAll<const R extends AnyReads>(reads: ReadsOf<R>): DataOfReads<R> {
  checkSignalsCopy('@preact/signals');
  const controller = useController('useSuspenseAll');
  const reader = combineReaders(findReaders(controller, reads), liveResult);
  const data = useSuspendedReader(reader).value.data as object;
  const all = useMemo(() => Object.values(data), [data]);
  useLiveParts(all);
  return all as DataOfReads<R>;
}
