/** The public API of signalbox/offline: mutations that wait for the network, and survive the page. */
import type { Controller } from '../Controller.ts';
import { checkListener, checkObject, DEV, warn } from '../errors.ts';
import { contextOf } from '../request/FetchContext.ts';
import type { Args } from '../schema/schema.ts';
import type { ReadonlySignal } from '../signals.ts';
import { platformLocks } from '../sync/Locks.ts';
import type { Locks } from '../sync/Locks.ts';
import { watchStorage } from '../sync/PersistStorage.ts';
import type {
  PersistStorage,
  StorageFactory,
  StorageWrite,
  StoredData,
  Transform,
} from '../sync/PersistStorage.ts';
import { Registry } from '../sync/Registry.ts';
import type { Names } from '../sync/Registry.ts';
import { indexedDbStorage } from '../sync/indexedDbStorage.ts';
import { groupOfRecord } from './EntryStore.ts';
import { Leases, locksOrLeases } from './Leases.ts';
import { LeftDrafts } from './LeftDrafts.ts';
import { toLogged } from './LogEntry.ts';
import type { LoggedMutation } from './LogEntry.ts';
import { LogStore } from './LogStore.ts';
import type { LogPlace } from './LogStore.ts';
import { MutationLog } from './MutationLog.ts';
import type { MutationForms } from './MutationLog.ts';
import { Outbox } from './Outbox.ts';
import type { QueueEvents, Pending } from './QueuedMutations.ts';
import { isUnauthorized } from './Sender.ts';
import type { OnConflict, Resolution } from './Sender.ts';
import { createMergeRules } from './createMergeRules.ts';
import { pack, unpack } from './logData.ts';
import { mutationNamed, queueIdOf } from './queueIdOf.ts';

export type { LoggedMutation, Locks, Names, OnConflict, Pending, QueueEvents, Resolution };
export type { PersistStorage, StorageFactory, StorageWrite, StoredData, Transform };

/** A mutation in the form of the present build. */
export interface MigratedMutation {
  readonly name: string;
  readonly args: Args;
}

/** The options of `offline`. */
export interface OfflineOptions {
  /**
   * The mutations to log, by names that stay the same after a reload: `{ todo: TodoResource }`. Mutations of other
   * endpoints are sent as before.
   */
  readonly names: Names;
  /** The name of the log: of a database in IndexedDB. Default `signalbox-offline`. */
  readonly name?: string | undefined;
  /**
   * The user whose mutations the controller sends: the id of the logged-in user. Mutations of other owners in the same
   * log are neither read, sent nor removed, and wait until `offline` is called for their owner. Default: a single owner
   * for all.
   */
  readonly owner?: string | undefined;
  /**
   * Transforms all records of the log on their way to the storage and back, for example by encryption. If `encode`
   * fails, the mutation is sent without the log (O2); if `decode` fails, the record stays in the log, unsent (O7).
   */
  readonly transform?: Transform | undefined;
  /** The storage of the log. Default `indexedDbStorage`. */
  readonly storage?: StorageFactory | undefined;
  /** The version of the arguments: mutations logged under another version go through `migrate`. Default `''`. */
  readonly version?: string | undefined;
  /**
   * Gets a mutation that was logged under another `version`, when the log is read, and returns the name and arguments
   * in this version, or `'drop'`. Undefined, an error, or no `migrate`: the mutation stays in the log, unsent, and
   * emits the event `aside`. Synchronous.
   */
  readonly migrate?:
    | ((mutation: LoggedMutation) => MigratedMutation | 'drop' | undefined)
    | undefined;
  /**
   * Returns true for an error of an attempt after which the queue keeps the mutations for that server, and sends
   * nothing there until `retry()`. Default: status 401 or 403, or a redirect to HTML. If `hold` throws, the queue is held
   * (O6).
   */
  readonly hold?: ((error: unknown) => boolean) | undefined;
  /**
   * Resolves a conflict. Gets a mutation that the server refuses with 409 or 412, the error, and the present entity of
   * the server (read by the named GET of the same address; undefined if there is none). Returns `'keep'`: the mutation
   * is sent again, based on that entity; `{ args }`: other arguments are sent; `'drop'`: the mutation is rejected with
   * the error. May take long: later mutations of the entity wait. If `onConflict` fails, the mutation waits (O6).
   * Without this option a conflict is an error.
   */
  readonly onConflict?: OnConflict | undefined;
  /**
   * Sends PUT, PATCH and DELETE with `If-Match: <ETag>` if the ETag of the data that the user sees is known: from a GET
   * of the same address with `http: httpCache`, or from the response to the last mutation. Default false.
   */
  readonly ifMatch?: boolean | undefined;
  /**
   * Merges waiting mutations of the same entity that were never sent: several PATCH become a single PATCH with the
   * fields of all; mutations before a DELETE, or before a PUT with all their fields, are not sent; if an entity is
   * deleted before the server has created it, nothing is sent: the creation and the changes reject with an AbortError.
   * Default false.
   */
  readonly merge?: boolean | undefined;
  /** Default: `navigator.locks`; if there are none, or the platform refuses locks, leases in the log. */
  readonly locks?: Locks | undefined;
}

/** The result of `offline`. */
export interface Offline {
  /** Resolves once the log was read and the mutations are rendered. Never rejects. */
  readonly ready: Promise<void>;
  /**
   * The waiting mutations, in the order of issue. Of other pages: mutations logged before this page began, or sent by
   * this page.
   */
  readonly pending: ReadonlySignal<readonly Pending[]>;
  /** Calls `listener` at each event of this name. Returns a function that unsubscribes. */
  on<E extends keyof QueueEvents>(event: E, listener: (detail: QueueEvents[E]) => void): () => void;
  /**
   * Sends at once all mutations that wait for their next attempt, or for the user to log in. Resolves when no request is
   * in flight and no mutation can be sent now: `pending` has the mutations that are held or wait for another attempt.
   * Never rejects.
   */
  retry(): Promise<void>;
  /**
   * Removes a mutation from the log: no further attempt is made, the optimistic response is rolled back, and the caller
   * is rejected with O5. If sent before, the mutation may have been executed by the server. An unknown id is ignored.
   */
  discard(id: number): Promise<void>;
  /** Detaches the queue from the controller. The log stays for the next page; promises of this page stay pending. */
  stop(): void;
}

/**
 * `offline(controller, { names: { todo: TodoResource } })`: from now on mutations of these endpoints are written to a
 * log on the disk before sending, wait there while there is no network, and are sent once each, in order for each
 * entity, by a single page at a time, also after a reload. To be called where the controller is created, before
 * anything is sent. Called again with the same `name`, it replaces the queue: callers that wait are rejected with a
 * `ResetError`, and their mutations stay in the log.
 */
export function offline(controller: Controller, options: OfflineOptions): Offline {
  if (DEV) checkObject('offline', options, 'an object with names');
  const { names, name = 'signalbox-offline', owner, transform } = options;
  if (DEV) checkObject('the option names of offline', names, 'an object of resources');
  const { locks = platformLocks(), storage: open = indexedDbStorage } = options;
  const { clock } = contextOf(controller);
  const registry = new Registry(names);
  const opened = open(name, clock);
  const report = (_: string, reason: string) => warn('O2', name, { endpoint: 'mutations', reason });
  const storage = DEV ? watchStorage(opened, clock, report) : opened;
  const restore: LogPlace['restore'] = (...lost) => log.restore(...lost);
  const store = new LogStore({ storage, owner, transform, groupOf: groupOfRecord, restore });
  const log: MutationLog = new MutationLog(store, formsOf(registry, options));
  const leases = new Leases(store, clock);
  const lockName = owner === undefined ? name : `${name} of ${encodeURIComponent(owner)}`;
  const lockManager = locks === undefined ? leases : locksOrLeases(locks, leases);
  const place = { storage, owner, transform, locks: lockManager, name: lockName };
  const leftDrafts = new LeftDrafts(place);
  const outbox = new Outbox(controller, registry, {
    log,
    leftDrafts,
    name: lockName,
    hold: holdOf(options),
    ifMatch: options.ifMatch === true,
    onConflict: options.onConflict,
    locks: lockManager,
  });
  replaceQueue(controller, name, outbox);
  const ready = outbox.begin();
  return {
    ready,
    pending: outbox.mutations.pending,
    on(event, listener) {
      if (DEV) checkListener('queue.on', event, listener, 'hold resume aside drop undecoded');
      return outbox.events.on(event, listener);
    },
    retry: () => ready.then(() => outbox.send(true)),
    discard: (id) => outbox.discard(id),
    stop: () => outbox.stop(),
  };
}

/** The queues of each controller, by the names of the logs. */
const queues = new WeakMap<Controller, Map<string, Outbox>>();

/** Ends the earlier queue of the controller with the same log: a mutation in two queues would wait for itself. */
function replaceQueue(controller: Controller, name: string, outbox: Outbox): void {
  const known = queues.get(controller) ?? new Map<string, Outbox>();
  queues.set(controller, known);
  known.get(name)?.replaceBy(outbox);
  known.set(name, outbox);
}

/** If `hold` throws, the queue is held: a refusal would lose the mutation. */
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
      const migrated = migrate?.(toLogged(entry));
      if (migrated === undefined) return undefined;
      if (migrated === 'drop') return null;
      // throws here, and not in a transaction of the log, for arguments that are invalid or that the disk cannot store
      const [name, args] = unpack(pack(migrated.name, [...migrated.args]));
      return { ...entry, version, name, args: args as Args };
    },
  };
}
