/** Several values that are written in one commit. */
import type { Laid, Store, Writing } from '../store/Store.ts';

/** Lays all of them out, or throws what one of them throws and leaves the store as it was. */
export function layAll(store: Store, writings: readonly Writing[]): Laid[] {
  const laid: Laid[] = [];
  try {
    for (const writing of writings) laid.push(store.lay(writing));
    return laid;
  } catch (error) {
    for (const { draft } of laid) draft.discard();
    throw error;
  }
}
