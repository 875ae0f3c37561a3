/** Counts the reads that are in flight. */
import type { Accessor } from 'solid-js';
import type { KeyTest } from '../../src/Controller.ts';
import { FetchingCountCell } from '../../src/view/Status.ts';
import { readTracked } from './trackInSolid.ts';
import { createHydrating } from './createHydrating.ts';
import { useController } from './Provider.ts';

/** How many reads are in flight, of `endpoint` or of all endpoints; 0 on a server and while its markup is hydrated. */
export function useIsFetching(endpoint?: KeyTest): Accessor<number> {
  const count = new FetchingCountCell(useController('useIsFetching'), endpoint);
  const hydrating = createHydrating();
  return () => (hydrating() ? 0 : readTracked(count));
}
