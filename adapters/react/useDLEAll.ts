/** Reads several endpoints in parallel without suspending: data, loading, error of each. */
import type { Result } from '../../src/store/StorePort.ts';
import { combineReaders } from '../CombinedReader.ts';
import type { CombinedReader } from '../CombinedReader.ts';
import { LOADING, toDLE } from '../DLE.ts';
import { findReaders } from '../ReadsOf.ts';
import type { AnyReads, DLEOfReads, ReadsOf } from '../ReadsOf.ts';
import { useControllerFor } from './Provider.ts';
import { snapshotResult, useIsHydrating, useResult, useRetain } from './concurrent/useResult.ts';
import type { ResultSelector } from './concurrent/useResult.ts';
import { usePendingReaders } from './useDLE.ts';
import { useId } from 'react';

/** The results of all members. */
const eachResult: ResultSelector = {
  sources: /* @__PURE__ */ new WeakMap(),
  peek: (reader) => (reader as unknown as CombinedReader).results.peek() as never,
  listen: (reader, listener) => reader.listen(listener),
};

/**
 * `useDLEAll(ids.map((id) => [getTodo, { id }]))`: `{data, loading, error}` of each read, as from `useDLE`. The number
 * and the order of the reads may change with each render; only reads that are new then are fetched.
 */
export function useDLEAll<const R extends AnyReads>(reads: ReadsOf<R>): DLEOfReads<R> {
  const controller = useControllerFor('useDLEAll');
  const reader = combineReaders(findReaders(controller, reads), snapshotResult);
  const { result, first, waiter } = useResult(controller, reader, eachResult, useId());
  const results = Object.values(result.data as Result[]);
  // as useDLE
  const fetches =
    !useIsHydrating() && (first || results.some(({ status }) => status === 'pending'));
  const waits = fetches ? reader.ensureEach(first, waiter) : [];
  const isPending = usePendingReaders(reader.members, waits);
  useRetain(reader);
  return results.map((each, at) =>
    isPending[at] === true || each.status === 'pending' ? LOADING : toDLE(each),
  ) as DLEOfReads<R>;
}
