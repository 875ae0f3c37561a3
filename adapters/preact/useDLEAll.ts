/** Reads several endpoints in parallel without suspending: data, loading, error of each. */
import { liveResult } from '../../src/live/liveResult.ts';
import { toNewReaderResult } from '../../src/store/StorePort.ts';
import type { Result } from '../../src/store/StorePort.ts';
import { combineReaders } from '../CombinedReader.ts';
import type { CombinedReader } from '../CombinedReader.ts';
import { LOADING, toDLE } from '../DLE.ts';
import { checkSignalsCopy } from '../FrameworkHooks.ts';
import { findReaders } from '../ReadsOf.ts';
import type { AnyReads, DLEOfReads, ReadsOf } from '../ReadsOf.ts';
import { useController } from './Provider.ts';
import { useRenderWhenSettled } from './useDLE.ts';
import { useLiveParts, useQueryHandle, useRetainedHandle } from './useQueryHandle.ts';

/**
 * `useDLEAll(ids.map((id) => [getTodo, { id }]))`: `{data, loading, error}` of each read, as from `useDLE`. The number
 * and the order of the reads may change with each render; only reads that are new then are fetched.
 */
export function useDLEAll<const R extends AnyReads>(reads: ReadsOf<R>): DLEOfReads<R> {
  checkSignalsCopy('@preact/signals');
  const controller = useController('useDLEAll');
  const reader = combineReaders(findReaders(controller, reads), liveResult);
  const handle = useQueryHandle(reader, false);
  useRetainedHandle(handle);
  const waits = handle.wait === undefined ? [] : reader.ensureEach(handle.first);
  const { value } = (handle.visibleReader as CombinedReader).results;
  const { data } = handle.first ? toNewReaderResult(value) : value;
  useRenderWhenSettled(waits);
  const all = Object.values(data as Result[]).map((each, at) =>
    waits[at] !== undefined || each.status === 'pending' ? LOADING : toDLE(each),
  );
  useLiveParts(all.map((each) => each.data));
  return all as DLEOfReads<R>;
}
