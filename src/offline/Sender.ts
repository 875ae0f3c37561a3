/** Sends the head of a queue once, and handles the response. */
import type { EndpointInterface } from '../endpoint/Endpoint.ts';
import { titleOf } from '../endpoint/argumentChecks.ts';
import { toShortText, warn } from '../errors.ts';
import type { Emitter } from '../request/Events.ts';
import type { FetchContext, FetchMiddleware } from '../request/FetchContext.ts';
import { replaceChangedKeysInArgs } from '../request/replaceChangedKeysInArgs.ts';
import { backoffDelay, isTransient, retryAfter } from '../request/retryDelay.ts';
import type { Args } from '../schema/schema.ts';
import type { Locks } from '../sync/Locks.ts';
import type { Permit } from './CircuitBreakers.ts';
import type { EntityVersions } from './EntityVersions.ts';
import type { LeftDrafts } from './LeftDrafts.ts';
import { sentKeyOf, resultOfMerged } from './LogEntry.ts';
import type { LogEntry, QueueId, MutationResult } from './LogEntry.ts';
import type { MutationLog } from './MutationLog.ts';
import type {
  QueueEvents,
  Pending,
  PersistedMutation,
  QueuedMutation,
  QueuedMutations,
} from './QueuedMutations.ts';
import { sendOnce } from './sendOnce.ts';

/** The functions of the outbox for a queue. */
export interface QueueHost {
  readonly mutations: QueuedMutations;
  readonly events: Emitter<QueueEvents>;
  readonly versions: EntityVersions;
  /** The mutation with this name in this build. */
  endpointOf(entry: Pick<LogEntry, 'name'>): EndpointInterface | undefined;
  /** The mutation of an entry, with a new request if none is waiting; undefined if this build lacks the name. */
  mutationFor(entry: LogEntry): QueuedMutation | undefined;
  /** Logs and renders the mutations of pages that were left. */
  adopt(): Promise<void>;
  /** The server's keys of the entities that a mutation has created. */
  serverKeysOf(mutation: QueuedMutation): Promise<readonly unknown[]>;
  /** Another page removed the mutation from the log, and no page knows the result. */
  onDiscarded(mutation: QueuedMutation): Promise<void>;
}

export interface QueueDeps {
  readonly context: FetchContext;
  readonly send: FetchMiddleware;
  readonly log: MutationLog;
  readonly leftDrafts: LeftDrafts;
  readonly locks: Locks;
  /** The name of the log, with which the names of the locks begin. */
  readonly name: string;
  /** True for errors after which nothing is sent to the origin before `retry()`. */
  readonly hold: (error: unknown) => boolean;
  /** Mutations are sent with the ETag that the user has seen. */
  readonly ifMatch: boolean;
  readonly onConflict: OnConflict | undefined;
}

/** How a conflict (409, 412) ends: the mutation is sent again, rejected, or sent with other arguments. */
export type Resolution = 'keep' | 'drop' | { readonly args: Args };

/** Resolves a conflict. `server`: the server's present entity, undefined if there is none. See `OfflineOptions`. */
export type OnConflict = (
  mutation: Pending,
  error: unknown,
  server: unknown,
) => Resolution | Promise<Resolution>;

/** Drains queues, at once or later. */
interface Schedule {
  readonly drain: (queue: QueueId) => Promise<void>;
  readonly drainAfter: (queue: QueueId, ms: number) => void;
}

export class Sender {
  readonly #deps: QueueDeps;
  readonly #host: QueueHost;
  readonly #schedule: Schedule;
  stopped = false;
  /** True if a reset has stopped the queue: the results belong to an ended session. */
  isReset = false;

  constructor(deps: QueueDeps, host: QueueHost, schedule: Schedule) {
    this.#deps = deps;
    this.#host = host;
    this.#schedule = schedule;
  }

  /** Resolves with true if the next entry of the queue may follow. */
  async send(entry: LogEntry, permit: Permit): Promise<boolean> {
    const mutation = this.#host.mutationFor(entry);
    // an entry of another build, which runs in another page
    if (mutation === undefined) return false;
    mutation.syncFrom(entry);
    this.#host.mutations.changed();
    if (!mutation.settled) return this.#attempt(mutation as PersistedMutation, permit);
    // the disk failed when the entry was to be removed
    await this.#settle(mutation, { entry, permit, result: await mutation.result });
    return true;
  }

  async #attempt(mutation: PersistedMutation, permit: Permit): Promise<boolean> {
    const { context, send } = this.#deps;
    const { entry, issued } = mutation;
    const { endpoint } = issued;
    const idempotencyKey = sentKeyOf(entry);
    // an earlier mutation of the queue may have changed the key of the entity
    const args = replaceChangedKeysInArgs(context.store, endpoint, mutation.args);
    const { signal } = mutation.abortController;
    const attempt = { endpoint, args, idempotencyKey, ifMatch: entry.etag, signal };
    mutation.attempts++;
    const { result, etag } = await sendOnce(context, send, attempt);
    if (this.stopped) return false;
    if (signal.aborted || mutation.settled) return true;
    mutation.error = 'error' in result ? result.error : undefined;
    if ('error' in result) {
      const isRetried = this.#retryLater(mutation, permit);
      if (isRetried !== undefined) return isRetried;
    }
    this.#succeed(mutation, permit);
    if ('error' in result && this.#deps.onConflict && isConflict(result.error, entry.attempts))
      return this.#resolveConflict(mutation, permit, this.#deps.onConflict);
    const isKnown = this.#deps.ifMatch && !('error' in result);
    await this.#settle(mutation, { entry, permit, result, etag: isKnown ? etag : undefined });
    return true;
  }

  /** False: the error of the last attempt may pass, and the mutation is sent again later. */
  #retryLater(mutation: PersistedMutation, permit: Permit): Promise<false> | undefined {
    const { error, entry } = mutation;
    if (this.#deps.hold(error)) return this.#holdOrigin(mutation, permit);
    return isRetryable(error, entry.attempts) ? this.#pauseOrigin(mutation, permit) : undefined;
  }

  async #holdOrigin(mutation: PersistedMutation, { breaker }: Permit): Promise<false> {
    const { mutations, events } = this.#host;
    const isFirst = !breaker.isHeld;
    breaker.holdOpen();
    breaker.enqueue(mutation.entry.queue, true);
    mutations.changed();
    const { error } = mutation;
    if (isFirst) events.emit('hold', () => ({ mutation: mutations.toPending(mutation), error }));
    return false;
  }

  async #pauseOrigin(mutation: PersistedMutation, { breaker }: Permit): Promise<false> {
    const { clock } = this.#deps.context;
    const { error, entry } = mutation;
    const randomFraction = clock.random?.() ?? Math.random();
    const serverDelay = retryAfter(error, clock.now());
    if (isBusy(error, entry.attempts)) breaker.succeed();
    else breaker.fail(serverDelay, randomFraction);
    const pause = serverDelay + backoffDelay(entry.attempts - 1, { random: () => randomFraction });
    this.#host.mutations.changed();
    await this.#retryAfter(entry, pause);
    return false;
  }

  /** The entry is sent again after a pause. */
  async #retryAfter(entry: LogEntry, ms: number): Promise<void> {
    const now = this.#deps.context.clock.now();
    await this.#deps.log.update({ ...entry, pause: [now, now + ms] });
    this.#schedule.drainAfter(entry.queue, ms);
  }

  /** Lets the application resolve a conflict. */
  async #resolveConflict(
    mutation: PersistedMutation,
    permit: Permit,
    onConflict: OnConflict,
  ): Promise<boolean> {
    const { entry, error, abortController } = mutation;
    const pause = backoffDelay(Math.max(entry.attempts, entry.revision), this.#deps.context.clock);
    const isOver = () => this.stopped || abortController.signal.aborted || mutation.settled;
    const { endpoint } = mutation.issued;
    const { signal } = abortController;
    this.#host.mutations.changed();
    // the user's decision may take long
    permit.release();
    const call = { endpoint, args: mutation.args };
    const { result: current, etag } = await this.#host.versions.fetch(call, signal);
    if (isOver()) return !this.stopped;
    if ('error' in current) {
      mutation.error = current.error;
      return (await this.#retryLater(mutation, permit)) ?? false;
    }
    let resolution: Resolution;
    try {
      const { mutations } = this.#host;
      resolution = await onConflict(mutations.toPending(mutation), error, current.value);
      if (isOver()) return !this.stopped;
      if (resolution === 'drop') {
        await this.#settle(mutation, { entry, permit, result: { error } });
        return true;
      }
      await this.#revise(mutation, resolution, etag);
    } catch (reason) {
      const title = titleOf(endpoint);
      warn('O6', title + String(reason), { hook: `onConflict of ${title}`, reason });
      await this.#retryAfter(entry, pause);
      return false;
    }
    // at once the first time only: a server that never accepts the mutation gets pauses between the attempts
    if (entry.revision === 0) return true;
    await this.#retryAfter(mutation.entry, pause);
    return false;
  }

  /** Changes the entry to be sent again: for the server a new mutation, based on the present version. */
  async #revise(mutation: PersistedMutation, resolution: Resolution, etag: string): Promise<void> {
    const { entry } = mutation;
    if (
      resolution !== 'keep' &&
      !Array.isArray((resolution as { args?: unknown } | undefined)?.args)
    )
      throw new TypeError(`it returned ${toShortText(resolution, 100)}`);
    const args = resolution === 'keep' ? entry.args : (resolution as { args: Args }).args;
    const revised = { ...entry, args, etag, attempts: 0, revision: entry.revision + 1 };
    await this.#deps.log.update(revised);
    mutation.syncFrom(revised);
    this.#host.mutations.changed();
  }

  #succeed(mutation: PersistedMutation, { breaker }: Permit): void {
    const { mutations, events } = this.#host;
    const wasHeld = breaker.isHeld;
    breaker.succeed();
    if (!wasHeld || breaker.isHeld) return;
    mutations.changed();
    events.emit('resume', () => ({ mutation: mutations.toPending(mutation) }));
  }

  /** The store first, then the log: after a crash between the two the mutation is sent again, under the same key. */
  async #settle(mutation: QueuedMutation, { entry, permit, result, etag }: Outcome): Promise<void> {
    const { mutations, versions } = this.#host;
    const merged = entry.merged.map(([id, name]) => [mutations.byId(id), name] as const);
    for (const [other, name] of merged) other?.resolve(resultOfMerged(name, entry, result));
    mutation.resolve(result);
    await Promise.all([mutation.ended, ...merged.map(([other]) => other?.ended)]);
    const { endpoint } = mutation.issued;
    if (etag !== undefined) versions.learn({ endpoint, args: mutation.args }, etag);
    const keys = await this.#host.serverKeysOf(mutation);
    // a queue that is stopped as soon as the caller has the result must not send the mutation again
    if (this.isReset || (this.stopped && !mutation.settled)) return;
    const settled = [mutation, ...merged.flatMap(([other]) => other ?? [])];
    // a page that has sent the mutation before may wait for the result
    const isPrivate =
      mutation.attempts === entry.attempts &&
      settled.length === entry.merged.length + 1 &&
      settled.every(({ isAwaited, createdIds }) => isAwaited && createdIds.length === 0);
    const now = this.#deps.context.clock.now();
    const waitingQueues = this.stopped ? [] : [entry.queue, permit.breaker.nextWaiting];
    const next = waitingQueues.filter((queue) => queue !== undefined);
    const freed = this.#deps.log.settle(entry, { result, keys, etag, isPrivate, next, now });
    // the disk may take long
    permit.release();
    for (const queue of await freed) void this.#schedule.drain(queue);
    for (const settledMutation of settled) mutations.forget(settledMutation);
  }
}

/** How the last attempt to send an entry has ended. */
interface Outcome {
  readonly entry: LogEntry;
  readonly permit: Permit;
  readonly result: MutationResult;
  /** Of the response; undefined: not used. */
  readonly etag?: string | undefined;
}

// how many attempts are made while the server, busy with an earlier attempt, responds with 409
const MAX_BUSY_ATTEMPTS = 5;

/** The part of a response that tells of a redirect. */
interface Redirected {
  readonly redirected?: boolean;
  readonly headers?: Headers;
}

/**
 * True for 401 (the user is not logged in), 403 (the user may not do this), and a redirect to HTML: how servers of pages
 * answer when a session has ended.
 */
export function isUnauthorized(error: unknown): boolean {
  const { response } = (error ?? {}) as { readonly response?: Redirected };
  const isPage = /\bhtml\b/i.test(response?.headers?.get('content-type') ?? '');
  return [401, 403].includes(statusOf(error)) || (response?.redirected === true && isPage);
}

/*
 *   may pass              as for reads            sent again
 *   409 to a repetition   the first is under way  sent again, up to the fifth attempt
 *   any other             final                   refused
 */

/**
 * `attempts`: how often the mutation has been sent. An abort error is transient: browsers abort requests when a page is
 * left.
 */
function isRetryable(error: unknown, attempts: number): boolean {
  return isTransient(error) || isBusy(error, attempts);
}

/** The server is busy with an earlier attempt: other mutations need not wait. */
export function isBusy(error: unknown, attempts: number): boolean {
  return statusOf(error) === 409 && attempts > 1 && attempts < MAX_BUSY_ATTEMPTS;
}

/** The entity at the server differs from the entity that the user has changed. */
function isConflict(error: unknown, attempts: number): boolean {
  return [409, 412].includes(statusOf(error)) && !isBusy(error, attempts);
}

function statusOf(error: unknown): number {
  return Number((error as { status?: unknown } | undefined | null)?.status);
}
