/** Several commits as one. */
import type { Store } from '../store/Store.ts';

/** Runs several changes as one commit. Reads in between include the layers added so far. */
export function batchCommits(store: Store, changes: () => void): number {
  return store.commit(() => {
    const outer = store.isInBatch;
    store.isInBatch = true;
    try {
      changes();
    } finally {
      store.isInBatch = outer;
    }
  });
}
