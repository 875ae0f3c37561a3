/** The connection of a stream that several tabs share. */
import type { Controller } from '../Controller.ts';
import type { MissedPeriod } from './StreamOptions.ts';

/** The callbacks of a stream, for the tabs that share its connection. */
export interface SharedStream {
  /** This tab becomes the leader, and connects. Returns a function that closes the connection. */
  readonly lead: () => () => void;
  /** The progress of the stream in this tab. */
  readonly progress: () => MissedPeriod;
  /** Takes over the progress of another tab. */
  readonly follow: (progress: MissedPeriod) => void;
}

/** The part of one stream in the shared connection. */
export interface SharedConnection {
  /** The server was active. */
  noteAlive(): void;
  stop(): void;
}

/** The type of `shareConnection` for a stream. */
export type BeginConnection = (
  controller: Controller,
  name: string | undefined,
  stream: SharedStream,
) => SharedConnection;
