/** Reads several endpoints in parallel, and suspends until all have data. */
import { useMemo } from 'react';
import { combineReaders } from '../CombinedReader.ts';
import { findReaders } from '../ReadsOf.ts';
import type { AnyReads, DataOfReads, ReadsOf } from '../ReadsOf.ts';
import { useControllerFor } from './Provider.ts';
import { fullResult, snapshotResult } from './concurrent/useResult.ts';
import { useSuspendedData } from './useSuspense.ts';

/**
 * `const [todo, users] = useSuspenseAll([[getTodo, { id: 5 }], [getUsers]])`, or `useSuspenseAll(ids.map((id) =>
 * [getTodo, { id }]))`: the data of each read, as from `useSuspense`. All requests are started before the component
 * suspends, once. The number and the order of the reads may change with each render; only reads that are new then are
 * fetched. The first error is thrown.
 */
export function useSuspenseAll<const R extends AnyReads>(reads: ReadsOf<R>): DataOfReads<R> {
  const controller = useControllerFor('useSuspenseAll');
  const reader = combineReaders(findReaders(controller, reads), snapshotResult);
  const data = useSuspendedData(controller, reader, fullResult) as object;
  return useMemo(() => Object.values(data), [data]) as DataOfReads<R>;
}
