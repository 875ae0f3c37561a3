/** A read of a tab that shares requests, until it is sent or has a response. */
import type { InFlightRequest } from '../request/InFlightRequest.ts';
import type { Stamp } from '../store/records/versioning.ts';

/** A read of this tab, which waits for the lock or for the response of another tab. */
export interface WaitingRead {
  readonly request: InFlightRequest;
  /** The stamp of the stored response when the wait began. */
  readonly before: Stamp;
  /** True if the stored response was fresh then: the caller requests a newer response. */
  readonly refetches: boolean;
  /** True once the request is sent, has a response, or has ended. */
  isDone: boolean;
  /** True if another tab has posted something about the key. */
  hasHeard: boolean;
  /** Sends the request without the lock. */
  leave(): void;
  /** Ends the wait, with the stored response. */
  answered(): void;
  /** Continues after the time that a late response may take. */
  resume: (() => void) | undefined;
}
