/** The mutations of the log that requests of this page wait for, and the events of the queue. */
import { holdProcess } from '../clock.ts';
import { isNumericTempPk } from '../optimistic/TempIds.ts';
import type { Issued } from '../request/Events.ts';
import type { Args } from '../schema/schema.ts';
import { keysIn, swapKeys } from '../schema/toPk.ts';
import { signal } from '../signals.ts';
import type { Signal } from '../signals.ts';
import { moveEntry, sentKeyOf } from './LogEntry.ts';
import type {
  LogEntry,
  LoggedMutation,
  MovedIds,
  QueueId,
  TempIdRef,
  MutationResult,
} from './LogEntry.ts';

/** A waiting mutation, for display in an application. */
export interface Pending {
  /** Unique in this log, and ascending. For `discard`. */
  readonly id: number;
  /** The name of the endpoint in `names`. */
  readonly name: string;
  /** May hold temporary primary keys, until the server has created their entities. */
  readonly args: Args;
  /** When the mutation was issued: wall time, ms since 1970. */
  readonly since: number;
  /** How often the mutation has been sent without a final response. */
  readonly attempts: number;
  /** The value of the `Idempotency-Key`, without quotes. */
  readonly idempotencyKey: string;
  /** True: the origin requires a log in, and gets no mutations before `retry()`. */
  readonly held: boolean;
  /** Why the last attempt failed; undefined if no attempt of this page failed. */
  readonly error: unknown;
}

/** The events of `queue.on(event, listener)` by name, with the argument of the listener. */
export interface QueueEvents {
  /** The server refused `mutation` with `error`, and nothing is sent to this origin until `retry()`. */
  hold: { readonly mutation: Pending; readonly error: unknown };
  /** An origin that was held has accepted a mutation: the other mutations follow. */
  resume: { readonly mutation: Pending };
  /** A mutation stays in the log and is not sent by this build: the name or the version is unknown. */
  aside: { readonly mutation: LoggedMutation; readonly reason: string };
  /** A mutation was removed from the log unsent. `mutation` is undefined if the record cannot be read. */
  drop: {
    readonly mutation: LoggedMutation | undefined;
    readonly reason: string;
    /** The record as stored on the disk. */
    readonly value: unknown;
  };
  /** Records of the log cannot be decoded, and stay in the log, unsent. `reason`: the error of the first record. */
  undecoded: { readonly count: number; readonly reason: unknown };
}

/** A key that a mutation creates. */
interface Created {
  readonly by: QueuedMutation;
  readonly at: number;
}

export class QueuedMutations {
  readonly pending: Signal<readonly Pending[]> = signal<readonly Pending[]>([]);
  readonly #isHeld: (entry: LogEntry) => boolean;
  /** Mutations with a request in flight, by the id of the request. */
  readonly #running = new Map<number, QueuedMutation>();
  /** All mutations that may be in the log, by their idempotency keys. */
  readonly #byKey = new Map<string, QueuedMutation>();
  /** The mutations that create temporary keys, by key. */
  readonly #created = new Map<string, Created>();
  /** The values of `pending`, by entry. */
  readonly #pendingByEntry = new WeakMap<LogEntry, Pending>();
  #insertedCount = 1;
  /** The times of `issueTimeOf`, of requests in flight. */
  readonly #insertedTimes = new Set<number>();

  constructor(isHeld: (entry: LogEntry) => boolean) {
    this.#isHeld = isHeld;
  }

  /** The mutations with callers, for which a Node process stays alive. */
  readonly #awaited = new Set<QueuedMutation>();
  #releaseProcess: (() => void) | undefined;

  add(mutation: QueuedMutation): void {
    if (mutation.isAwaited) {
      this.#awaited.add(mutation);
      this.#releaseProcess ??= holdProcess();
    }
    this.#running.set(mutation.issued.id, mutation);
    this.#byKey.set(mutation.idempotencyKey, mutation);
    for (const [at, key] of mutation.createdIds.entries())
      this.#created.set(key, { by: mutation, at });
  }

  byKey(idempotencyKey: string): QueuedMutation | undefined {
    return this.#byKey.get(idempotencyKey);
  }

  /** By the id of the entry. */
  byId(id: number): QueuedMutation | undefined {
    return this.persisted.find(({ entry }) => entry.id === id);
  }

  /** The mutations that are in the log. */
  get persisted(): readonly PersistedMutation[] {
    const all = [...this.#running.values()];
    return all.filter((mutation) => mutation.entry !== undefined) as PersistedMutation[];
  }

  /**
   * The logical time at which a mutation from another page counts as issued: before the mutations of this page that
   * were logged later, so that the response does not hide the later writes. Undefined: now.
   */
  issueTimeOf(id: number): number | undefined {
    const later = [...this.#running.values()].filter(({ entry }) => (entry?.id ?? Infinity) > id);
    // not relative to inserted times: the next mutation of an entity would be before a mutation that has ended
    const ticks = later.map(({ issued }) => issued.id).filter((at) => !this.#insertedTimes.has(at));
    if (ticks.length === 0) return undefined;
    // between two ticks of the clock, each later than the previous time
    const time = Math.min(...ticks) - 1 / ++this.#insertedCount;
    this.#insertedTimes.add(time);
    return time;
  }

  #stopAwaiting(mutation: QueuedMutation): void {
    this.#awaited.delete(mutation);
    if (this.#awaited.size > 0) return;
    this.#releaseProcess?.();
    this.#releaseProcess = undefined;
  }

  /** The mutations of a queue that are in the log before this id. */
  before(queue: QueueId, id: number): PersistedMutation[] {
    const found: PersistedMutation[] = [];
    for (const mutation of this.#running.values())
      if (mutation.entry !== undefined && mutation.entry.id < id && mutation.entry.queue === queue)
        found.push(mutation as PersistedMutation);
    return found;
  }

  /** Resolves when all logged mutations have ended that are in this queue, or wait for the key of a creation. */
  async allEnded(queue: QueueId): Promise<void> {
    const all = this.persisted.filter(
      ({ entry }) => entry.queue === queue || typeof entry.queue === 'number',
    );
    await Promise.all(all.map(({ ended }) => ended));
  }

  /** Called when a request has ended. Returns the mutation of the request in the log, if any. */
  end(id: number): QueuedMutation | undefined {
    const mutation = this.#running.get(id);
    this.#running.delete(id);
    this.#insertedTimes.delete(id);
    if (mutation !== undefined) this.#stopAwaiting(mutation);
    mutation?.end();
    this.changed();
    return mutation;
  }

  /** The mutation is not in the log. */
  forget(mutation: QueuedMutation): void {
    this.#running.delete(mutation.issued.id);
    this.#stopAwaiting(mutation);
    this.#byKey.delete(mutation.idempotencyKey);
    for (const key of mutation.createdIds) this.#created.delete(key);
  }

  /** The mutations have got new ids, since another page has replaced the log. */
  move(ids: MovedIds): void {
    for (const mutation of this.persisted)
      mutation.entry = moveEntry(mutation.entry, (id) => ids.get(id) ?? id);
    this.changed();
  }

  /** The queue no longer learns when requests end. */
  detach(): void {
    for (const mutation of this.#running.values()) {
      mutation.detach();
      this.#stopAwaiting(mutation);
    }
  }

  /** Ends all mutations with an error. */
  clear(error: unknown): void {
    for (const [id, mutation] of this.#running) {
      mutation.resolve({ error });
      this.end(id);
    }
    this.#byKey.clear();
    this.#created.clear();
  }

  /** Updates `pending`. */
  changed(): void {
    const { persisted } = this;
    if (persisted.length === 0 && this.pending.peek().length === 0) return;
    const all = persisted.map((mutation) => this.#pendingOf(mutation));
    this.pending.value = all.sort((a, b) => a.id - b.id);
  }

  /** The same object until the content changes: each mutation that is sent updates the list of all that wait. */
  #pendingOf(mutation: PersistedMutation): Pending {
    const { entry, error } = mutation;
    const known = this.#pendingByEntry.get(entry);
    // temporary keys of other pages are replaced as soon as this page knows their creation
    if (known?.error === error && known?.held === this.#isHeld(entry) && entry.tempIds.length === 0)
      return known;
    const pending = this.toPending(mutation);
    this.#pendingByEntry.set(entry, pending);
    return pending;
  }

  toPending({ entry, error }: PersistedMutation): Pending {
    const { id, name, args, tempIds, since, attempts } = entry;
    const idempotencyKey = sentKeyOf(entry);
    const localArgs = tempIds.length > 0 ? this.toLocalArgs(args, tempIds) : args;
    const held = this.#isHeld(entry);
    return { id, name, args: localArgs, since, attempts, idempotencyKey, held, error };
  }

  /**
   * The temporary keys in arguments. Undefined if the log does not know the creation of a key. `isTemp` decides which
   * values are temporary keys.
   */
  async tempIdsIn(
    args: Args,
    isTemp: (key: string) => boolean,
  ): Promise<readonly TempIdRef[] | undefined> {
    const tempIds: TempIdRef[] = [];
    for (const key of keysIn(args).filter(isTemp)) {
      const created = this.#created.get(key);
      const entry = await created?.by.logged;
      if (created === undefined || entry === undefined) return undefined;
      tempIds.push([key, (created.by.entry ?? entry).id, created.at]);
    }
    return tempIds;
  }

  /** Arguments of the log with temporary keys of this page in the place of the keys of the issuing page. */
  toLocalArgs(args: Args, tempIds: readonly TempIdRef[]): Args {
    const names = new Map<string, string | number>();
    for (const { entry, createdIds } of this.#byKey.values())
      for (const [key, creation, at] of tempIds) {
        const localKey = createdIds[at];
        // a foreign key has the type of the named primary key
        if (entry?.id === creation && localKey !== undefined)
          names.set(key, isNumericTempPk(localKey) ? Number(localKey) : localKey);
      }
    return swapKeys(args, (key) => names.get(key));
  }
}

/** A mutation of the log, and the request of this page that waits for the result. */
export class QueuedMutation {
  readonly issued: Issued;
  readonly idempotencyKey: string;
  /** The entry as last seen in the log; undefined before logging. */
  entry: LogEntry | undefined = undefined;
  /** The arguments to send: the caller's until temporary keys are known. */
  args: Args;
  /** Resolves once the mutation is in the log; with undefined if refused by the log. */
  logged: Promise<LogEntry | undefined> = Promise.resolve(undefined);
  /** How often a conflict was resolved by sending the mutation again, as far as `args` know. */
  revision = 0;
  /** Ends the request as if never issued. */
  cancel: () => void = () => {};
  /** This or another page sends the mutation now, or has sent the mutation before. */
  markSent: () => void = () => {};
  /** Renders the optimistic response to other arguments. */
  rerender: (args: Args) => void = () => {};
  /** How many temporary keys of other mutations the arguments hold. */
  tempIds = 0;
  /** The temporary keys of the entities that the mutation creates. */
  createdIds: readonly string[] = [];
  /** False for a mutation of the log: the caller is gone with the issuing page. */
  isAwaited = true;
  /** The request has ended. The server may still execute the mutation. */
  settled = false;
  /** How often this page has sent the mutation. */
  attempts = 0;
  /** Why the last attempt of this page failed. */
  error: unknown = undefined;
  /** Aborted when no caller needs the mutation any more. */
  readonly abortController: AbortController = new AbortController();
  readonly result: Promise<MutationResult>;
  /** Resolves when the request has ended: the store has the response. */
  readonly ended: Promise<void>;
  resolve!: (result: MutationResult) => void;
  #end!: () => void;

  constructor(issued: Issued, idempotencyKey: string) {
    this.issued = issued;
    this.args = issued.args;
    this.idempotencyKey = idempotencyKey;
    this.result = new Promise((resolve) => (this.resolve = resolve));
    this.ended = new Promise((resolve) => (this.#end = resolve));
  }

  end(): void {
    this.settled = true;
    this.#end();
  }

  /** Stops notifying the queue of the end of the request, for which nothing waits. */
  detach(): void {
    this.#end();
  }

  /** Takes over the entry of the log, which may have keys that the caller did not know. */
  syncFrom(entry: LogEntry): void {
    const isRevised = entry.revision > this.revision;
    const isMerged = entry.merged.length > (this.entry?.merged.length ?? 0);
    if (entry.tempIds.length < this.tempIds || isRevised || isMerged) this.args = entry.args;
    if (isRevised) this.rerender(entry.args);
    this.revision = entry.revision;
    this.tempIds = entry.tempIds.length;
    this.entry = entry;
  }
}

/** A mutation that is in the log. */
export interface PersistedMutation extends QueuedMutation {
  entry: LogEntry;
}
