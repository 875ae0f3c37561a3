/** Counts the reads that are in flight. */
import { useMemo } from 'react';
import type { KeyTest } from '../../src/request/Events.ts';
import { FetchingCountCell } from '../../src/view/Status.ts';
import { useControllerFor } from './Provider.ts';
import { useSignalValue } from './useSignalValue.ts';

/** How many reads are in flight, of `endpoint` or of all endpoints; 0 on a server and while its markup is hydrated. */
export function useIsFetching(endpoint?: KeyTest): number {
  const controller = useControllerFor('useIsFetching');
  const count = useMemo(() => new FetchingCountCell(controller, endpoint), [controller, endpoint]);
  return useSignalValue(count, 0);
}
