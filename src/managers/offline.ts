/** The public API of signalbox/offline: mutations that wait for the network, and survive the page. */
import type { Controller } from '../Controller.ts';
import { warn } from '../diagnostics.ts';
import { contextOf } from '../fetch/FetchContext.ts';
import type { ReadonlySignal } from '../reactive.ts';
import type { Args } from '../schema/schema.ts';
import { Disk } from './Disk.ts';
import { isUnauthorized } from './isRetryable.ts';
import { Leases } from './Locks.ts';
import type { Locks } from './Locks.ts';
import { createMergeRules } from './createMergeRules.ts';
import { MutationLog } from './MutationLog.ts';
import type { MutationForms } from './MutationLog.ts';
import { Outbox } from './Outbox.ts';
import { platformLocks } from './platformLocks.ts';
import type { Pending } from './QueuedMutations.ts';
import type { LoggedMutation, QueueEvents } from './QueueEvents.ts';
import { mutationNamed, queueIdOf } from './queueIdOf.ts';
import { toLogged } from './readLog.ts';
import type { OnConflict, Resolution } from './Sender.ts';
import { Registry } from './Registry.ts';
import type { Names } from './Registry.ts';

export type { LoggedMutation, Locks, Names, OnConflict, Pending, QueueEvents, Resolution };

/** A mutation in the form of the present build. */
export interface MigratedMutation {
  readonly name: string;
  readonly args: Args;
}

/** What is queued, and where. */
export interface OfflineOptions {
  /**
   * What goes to the log, by names that hold after a reload: `{ todo: TodoResource }`. Mutations of other endpoints are
   * sent as before.
   */
  readonly names: Names;
  /** Of the log, a database in IndexedDB. Give each user a log of their own. Default `signalbox-offline`. */
  readonly name?: string | undefined;
  /** Of the arguments: mutations that were logged under another version go through `migrate`. Default `''`. */
  readonly version?: string | undefined;
  /**
   * Gets a mutation that was logged under another `version`, when the log is read, and returns its name and arguments in
   * this one, or `'drop'`. Undefined, an error, or no `migrate`: the mutation stays in the log, unsent, which is the
   * event `aside`. Synchronous.
   */
  readonly migrate?:
    | ((mutation: LoggedMutation) => MigratedMutation | 'drop' | undefined)
    | undefined;
  /**
   * True for an error of an attempt after which the queue keeps its mutations for that server, and sends nothing there
   * until `retry()`. Default: status 401 or 403. Where it throws, the queue is held (O6).
   */
  readonly hold?: ((error: unknown) => boolean) | undefined;
  /**
   * Gets a mutation that the server refuses with 409 or 412, the error, and what the server has of the entity now (read by the GET
   * of the same address that has a name; undefined where there is none). Returns `'keep'`: the mutation is sent again, now
   * based on that; `{ args }`: other arguments are sent; `'drop'`: it is rejected with the error. May take its time: later
   * mutations of the entity wait. Where it fails, the mutation waits (O6). Without it a conflict is an error.
   */
  readonly onConflict?: OnConflict | undefined;
  /**
   * Sends PUT, PATCH and DELETE with `If-Match: <ETag>` where the ETag of what the user sees is known: of a GET of the same
   * address with `http: httpCache`, or of the response to the last mutation. Default false.
   */
  readonly ifMatch?: boolean | undefined;
  /**
   * Merges mutations of one entity that wait together and were never sent: several PATCH are one with the fields of all;
   * before a DELETE, or a PUT with all their fields, they are not sent; an entity that is deleted before the server has created
   * it is not sent at all: its creation and its changes reject with an AbortError. Default false.
   */
  readonly merge?: boolean | undefined;
  /** Default: `navigator.locks`; where there are none, leases in the database. */
  readonly locks?: Locks | undefined;
}

/** What `offline` gives. */
export interface Offline {
  /** Resolves once the log was read and its mutations are rendered. Never rejects. */
  readonly ready: Promise<void>;
  /** What waits, in the order of issue; of other pages: what was there when this page began, or was sent by it. */
  readonly pending: ReadonlySignal<readonly Pending[]>;
  /** Calls `listener` at each event of this name. Gives back how to stop. */
  on<E extends keyof QueueEvents>(event: E, listener: (detail: QueueEvents[E]) => void): () => void;
  /** Sends at once what waits for its next attempt, or for the user to log in. */
  retry(): void;
  /**
   * Removes a mutation from the log: it is not sent again, its optimistic response is rolled back, its caller is rejected
   * with O5. The server may have it, where it was sent before. An id that is not there is ignored.
   */
  discard(id: number): Promise<void>;
  /** Detaches the queue from the controller. The log stays for the next page; promises of this page stay pending. */
  stop(): void;
}

/**
 * `offline(controller, { names: { todo: TodoResource } })`: from now on mutations of these endpoints are written to a log
 * on the disk before they are sent, wait there while there is no network, and are sent once each, in order for each
 * entity, by one page at a time, also after a reload. To be called where the controller is made, before anything is sent.
 */
export function offline(controller: Controller, options: OfflineOptions): Offline {
  const { names, name = 'signalbox-offline' } = options;
  const { locks = platformLocks() } = options;
  const registry = new Registry(names);
  const disk = new Disk(name, 'mutations');
  const log = new MutationLog(disk, formsOf(registry, options));
  const { clock } = contextOf(controller);
  const outbox = new Outbox(controller, registry, {
    log,
    name,
    hold: holdOf(options),
    ifMatch: options.ifMatch === true,
    onConflict: options.onConflict,
    locks: locks ?? new Leases(disk, clock),
  });
  const ready = outbox.begin();
  return {
    ready,
    pending: outbox.mutations.pending,
    on: (event, listener) => outbox.events.on(event, listener),
    retry: () => outbox.send(true),
    discard: (id) => outbox.discard(id),
    stop: () => outbox.stop(),
  };
}

/** A function that throws holds the queue: a refusal would lose the mutation. */
function holdOf({ hold = isUnauthorized }: OfflineOptions): (error: unknown) => boolean {
  return (error) => {
    try {
      return hold(error);
    } catch (reason) {
      warn('O6', `hold ${String(reason)}`, { hook: 'hold', reason });
      return true;
    }
  };
}

function formsOf(
  registry: Registry,
  { version = '', migrate, merge }: OfflineOptions,
): MutationForms {
  return {
    rules: merge ? createMergeRules((name) => mutationNamed(registry, name)) : undefined,
    version,
    has: (name) => mutationNamed(registry, name) !== undefined,
    queueIdOf: (name, args) => {
      const mutation = mutationNamed(registry, name);
      return mutation === undefined ? name : queueIdOf(registry, mutation, args);
    },
    migrate: (entry) => {
      const made = migrate?.(toLogged(entry));
      if (made === undefined) return undefined;
      if (made === 'drop') return null;
      // throws here, not in a transaction of the log, where they are no arguments or the disk cannot hold them
      return { ...entry, version, name: made.name, args: structuredClone([...made.args]) };
    },
  };
}
