/** What carries a stream, as far as keeping it needs to know. */
import type { HeartbeatOptions } from './Heartbeat.ts';

/** One connection, as long as it lasts. */
export interface Line {
  /** It tells nothing from then on, and holds nothing. */
  end(): void;
  send?(data: unknown): void;
}

/** What a transport tells of its line. */
export interface Ear {
  opened(): void;
  heard(type: string, data: unknown, lastEventId?: string): void;
  /** It broke, and the platform mends it by itself. */
  faltered(): void;
  /** It is over. `again` says whether another is wanted. */
  lost(again: () => boolean): void;
}

/** What the kinds of stream differ in. */
export interface Transport {
  /** Where the first attempt is made, and how errors call it; undefined: each attempt asks. */
  readonly fixed: string | undefined;
  address(lastEventId: string): string | Promise<string>;
  /** Throws where the address is none. */
  open(address: string, ear: Ear): Line;
  /** Told first, and waited for, on each line that opens. */
  greet?(line: Line): void | Promise<void>;
  readonly heartbeat?: HeartbeatOptions | undefined;
  /** True where a new line tells the server what came last, as the platform would. */
  readonly resumes: (lastEventId: string) => boolean;
}
