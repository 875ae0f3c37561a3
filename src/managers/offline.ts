/** The face of signalbox/offline: mutations that wait for the network, and survive the page. */
import type { Controller } from '../Controller.ts';
import { deskOf } from '../fetch/Desk.ts';
import type { ReadonlySignal } from '../reactive.ts';
import { Disk } from './Disk.ts';
import { queueOf, mutationNamed } from './queueOf.ts';
import { Leases } from './Locks.ts';
import type { Locks } from './Locks.ts';
import { MutationLog } from './MutationLog.ts';
import { Outbox } from './Outbox.ts';
import { platformLocks } from './platformLocks.ts';
import { Registry } from './Registry.ts';
import type { Names } from './Registry.ts';
import type { Pending } from './Waitings.ts';

export type { Locks, Names, Pending };

/** What is queued, and where. */
export interface OfflineOptions {
  /**
   * What goes to the log, by names that hold after a reload: `{ todo: TodoResource }`. Mutations of other endpoints are
   * sent as before.
   */
  readonly names: Names;
  /** Of the log, a database in IndexedDB. Give each user a log of their own. Default `signalbox-offline`. */
  readonly name?: string | undefined;
  /** Of the arguments: what was logged under another version is dropped, with a warning. Default `''`. */
  readonly version?: string | undefined;
  /** Default: `navigator.locks`; where there are none, leases in the database. */
  readonly locks?: Locks | undefined;
}

/** What `offline` gives. */
export interface Offline {
  /** Resolves once the log was read and what it holds is shown. Never rejects. */
  readonly ready: Promise<void>;
  /** What waits, in the order of issue; of other pages: what was there when this one began, or was sent by it. */
  readonly pending: ReadonlySignal<readonly Pending[]>;
  /** Sends at once what waits for its next attempt. */
  retry(): void;
  /**
   * Takes a mutation out of the log: it is not sent again, what was shown of it is taken back, who waits for it is
   * rejected with O5. The server may have it, where it was sent before. An id that is not there is passed over.
   */
  discard(id: number): Promise<void>;
  /** Lets go of the controller. What waits stays in the log for the next page; promises of this page stay pending. */
  stop(): void;
}

/**
 * `offline(controller, { names: { todo: TodoResource } })`: from now on mutations of these endpoints are written to a log
 * on the disk before they are sent, wait there while there is no network, and are sent once each, in order for each
 * entity, by one page at a time, also after a reload. To be called where the controller is made, before anything is sent.
 */
export function offline(controller: Controller, options: OfflineOptions): Offline {
  const { names, name = 'signalbox-offline', version = '', locks = platformLocks() } = options;
  const registry = new Registry(names);
  const disk = new Disk(name, 'mutations');
  const log = new MutationLog(disk, version, {
    knows: (endpoint) => mutationNamed(registry, endpoint) !== undefined,
    queueOf(endpoint, args) {
      const mutation = mutationNamed(registry, endpoint);
      return mutation === undefined ? endpoint : queueOf(registry, mutation, args);
    },
  });
  const { clock } = deskOf(controller);
  const outbox = new Outbox(controller, registry, {
    log,
    name,
    locks: locks ?? new Leases(disk, clock),
  });
  const ready = outbox.begin();
  return {
    ready,
    pending: outbox.waitings.pending,
    retry: () => outbox.send(true),
    discard: (id) => outbox.discard(id),
    stop: () => outbox.stop(),
  };
}
