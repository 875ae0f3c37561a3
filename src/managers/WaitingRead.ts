/** One read of a tab whose requests are shared, until it is sent or answered. */
import type { InFlightRequest } from '../fetch/InFlightRequest.ts';
import type { Stamp } from '../store/versioning.ts';

/** A read of this tab, which waits for its turn or for the response of another tab. */
export interface WaitingRead {
  readonly request: InFlightRequest;
  /** Of the stored response when the wait began. */
  readonly before: Stamp;
  /** What was stored then was fresh: the caller wants a newer response. */
  readonly refetches: boolean;
  /** The request is sent, or answered, or over. */
  isDone: boolean;
  /** Something was heard of the key from another tab. */
  hasHeard: boolean;
  /** Sends it without a turn. */
  leave(): void;
  /** Ends the wait, with the stored response. */
  answered(): void;
  /** Goes on after the time that a late response may take. */
  heard: (() => void) | undefined;
}
