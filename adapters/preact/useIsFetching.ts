/** Counts the reads that are in flight. */
import { useMemo } from 'preact/hooks';
import type { KeyTest } from '../../src/request/Events.ts';
import { isServer } from '../../src/page.ts';
import { FetchingCountCell } from '../../src/view/Status.ts';
import { checkSignalsCopy } from '../FrameworkHooks.ts';
import { useController } from './Provider.ts';
import { useTracking } from './useQueryHandle.ts';

/** How many reads are in flight, of `endpoint` or of all endpoints; 0 on a server. */
export function useIsFetching(endpoint?: KeyTest): number {
  checkSignalsCopy('@preact/signals');
  useTracking();
  const controller = useController('useIsFetching');
  const count = useMemo(() => new FetchingCountCell(controller, endpoint), [controller, endpoint]);
  return isServer() ? 0 : count.value;
}
