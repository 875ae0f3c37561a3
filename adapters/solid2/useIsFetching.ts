/** Counts the reads that are in flight. */
import type { KeyTest } from '../../src/Controller.ts';
import { isServer } from '../../src/page.ts';
import { FetchingCountCell } from '../../src/view/Status.ts';
import { readTracked } from './trackInSolid.ts';
import { useControllerContext } from './Provider.ts';
import type { Accessor } from './solid.ts';

/** How many reads are in flight, of `endpoint` or of all endpoints; 0 on a server. */
export function useIsFetching(endpoint?: KeyTest): Accessor<number> {
  const count = new FetchingCountCell(useControllerContext('useIsFetching').controller, endpoint);
  return () => (isServer() ? 0 : readTracked(count));
}
