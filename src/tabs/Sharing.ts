/** The interface between a tab and request sharing, which an application imports only if it shares requests. */
import type { Controller } from '../Controller.ts';
import type { FetchContext } from '../request/FetchContext.ts';
import type { Issued } from '../request/Events.ts';
import type { Locks } from '../sync/Locks.ts';
import type { Names } from '../sync/Registry.ts';
import type { HandoverMessage } from './TabMessage.ts';

/** The dependencies that a tab passes to sharing. */
export interface SharingTab {
  readonly controller: Controller;
  readonly context: FetchContext;
  readonly options: {
    readonly names: Names;
    /** The channel and the version of the tabs that share. */
    readonly name: string;
    readonly locks?: Locks | undefined;
  };
  readonly id: number;
  /** True for a read if its response can be posted to other tabs. */
  isTold(request: Issued): boolean;
  post(message: HandoverMessage): void;
}

/** Receives messages of other tabs of the same version. */
export interface Sharing {
  /** A read of `key` was issued in another tab at a logical time. */
  requested(key: string, id: number): void;
  /**
   * `response`: the response is stored here. `unsaid`: the response cannot be posted. `ended`: there is no response.
   */
  onNotice(key: string, how: 'response' | 'unsaid' | 'ended'): void;
  /** A part of a handover. Throws if the part is invalid. */
  take(from: number, message: HandoverMessage): void;
  stop(): void;
}

/** The type of `shareRequests` for the tab. */
export type BeginSharing = (tab: SharingTab) => Sharing;
