/** The request of a component that cancels. */
import type { Reader } from '../src/view/Reader.ts';

/** One request of a component that cancels: as long as the arguments name this request. */
export interface ActiveRequest {
  readonly key: string | null;
  readonly reader: Reader;
  readonly abort: AbortController;
}

/** Aborts a request that the component left, unless this component (`own` times) or another still reads it. */
export function abortIfUnused(stay: ActiveRequest | undefined, own = 0): void {
  if (stay !== undefined && stay.reader.readers <= own) stay.abort.abort();
}
