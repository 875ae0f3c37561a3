/** Counts the reads that are in flight. */
import type { KeyTest } from '../../src/request/Events.ts';
import { createFetchingCount } from '../solid-shared/SolidRuntime.ts';
import type { Accessor } from '../solid-shared/SolidRuntime.ts';
import { solidRuntime } from './solidRuntime.ts';

/** How many reads are in flight, of `endpoint` or of all endpoints; 0 on a server and while its markup is hydrated. */
export function useIsFetching(endpoint?: KeyTest): Accessor<number> {
  return createFetchingCount(solidRuntime, endpoint);
}
