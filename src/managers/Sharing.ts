/** What a tab needs of the sharing of requests with other tabs, which an application imports where it wants it. */
import type { Controller } from '../Controller.ts';
import type { FetchContext } from '../fetch/FetchContext.ts';
import type { Issued } from '../fetch/Events.ts';
import type { Locks } from './Locks.ts';
import type { Names } from './Registry.ts';
import type { HandoverMessage } from './TabMessage.ts';

/** What sharing gets from its tab. */
export interface SharingTab {
  readonly controller: Controller;
  readonly desk: FetchContext;
  readonly options: {
    readonly names: Names;
    /** Of the tabs that share: their channel and version. */
    readonly name: string;
    readonly locks?: Locks | undefined;
  };
  readonly id: number;
  /** True for a read whose response other tabs can be told. */
  isTold(request: Issued): boolean;
  post(message: HandoverMessage): void;
}

/** Told of other tabs of the same version. */
export interface Sharing {
  /** A read of `key` was issued there at a logical time. */
  requested(key: string, id: number): void;
  /** `response`: it is stored here. `unsaid`: there is one that cannot be told. `ended`: the request ended without one. */
  heard(key: string, how: 'response' | 'unsaid' | 'ended'): void;
  /** A part of a handover. Throws where it does not fit. */
  take(from: number, message: HandoverMessage): void;
  stop(): void;
}

/** As the tab sees `shareRequests`. */
export type BeginSharing = (tab: SharingTab) => Sharing;
