/** Observes the writes of confirmed data. */
import type { Store } from '../store/Store.ts';
import type { StoreRecord } from '../store/records/StoreRecord.ts';

/** Calls `listener` before each write of a record. Returns the function that stops, in any order among observers. */
export function onWrite({ layers }: Store, listener: (record: StoreRecord) => void): () => void {
  const next = layers.beforeWrite.bind(layers);
  let isStopped = false;
  const observe: typeof next = (record) => {
    if (!isStopped) listener(record);
    return next(record);
  };
  layers.beforeWrite = observe;
  return () => {
    isStopped = true;
    // another observer may have been added since
    if (layers.beforeWrite === observe) layers.beforeWrite = next;
  };
}
