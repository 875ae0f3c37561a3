/** A development check of storages. */
import type { Clock } from '../clock.ts';
import type { PersistStorage } from './PersistStorage.ts';

// ms: twice as long as IndexedDB may take to open
const PATIENCE = 10_000;

/**
 * The storage, with a report for a promise that is not settled after ten seconds. The promise is not given up: a
 * write that is only late would be done twice.
 */
export function watchStorage(
  storage: PersistStorage,
  clock: Clock,
  report: (doing: 'read' | 'write', reason: string) => void,
): PersistStorage {
  const watch = <T>(doing: 'read' | 'write', promise: Promise<T>): Promise<T> => {
    const onTime = () =>
      report(doing, `the storage has not settled its promise for ${PATIENCE} ms`);
    const timer = clock.after(PATIENCE, onTime);
    const end = () => clock.clear(timer);
    promise.then(end, end);
    return promise;
  };
  return {
    read: (prefix) => watch('read', storage.read(prefix)),
    change: (...change) => watch('write', storage.change(...change)),
    replace: (...write) => watch('write', storage.replace(...write)),
  };
}
