/** The options of garbage collection, and what it depends on. */
import type { Clock } from '../../clock.ts';

export interface GcOptions {
  /**
   * Milliseconds that unused data stay in memory, counted from the last read, write or request, or from their expiry
   * if that is later. They are dropped within a quarter of this time after. Default 300,000; Infinity: never.
   */
  readonly sweepAfter?: number | undefined;
  /**
   * If more entities than this are stored, unused entities are dropped before their time, the least recently used
   * first, and so are unused results of requests. Default: no limit.
   */
  readonly maxEntities?: number | undefined;
}

export interface RequestsInFlight {
  /** Logical time at which the oldest request in flight was issued. */
  oldestIssued(): number;
  has(key: string): boolean;
}

/** Dependencies of the garbage collector. */
export interface GcDeps extends GcOptions {
  readonly clock: Clock;
  readonly inflight: RequestsInFlight;
}
