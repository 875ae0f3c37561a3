/** One stream in what tabs share. */
import type { Controller } from '../Controller.ts';
import type { Gap } from './StreamOptions.ts';

/** What a stream gives the tabs that share its connection. */
export interface SharedStream {
  /** This tab is to have the connection. Returns how to end it. */
  readonly lead: () => () => void;
  /** How far it has come. */
  readonly progress: () => Gap;
  /** Another tab has come this far. */
  readonly follow: (progress: Gap) => void;
}

/** The part of one stream in what tabs share. */
export interface SharedConnection {
  /** The server was heard of. */
  heard(): void;
  stop(): void;
}

/** As a stream sees `shareConnection`. */
export type BeginConnection = (
  controller: Controller,
  name: string | undefined,
  stream: SharedStream,
) => SharedConnection;
