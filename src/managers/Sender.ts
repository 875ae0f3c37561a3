/** Sends the head of a queue once, and does what the response says. */
import type { EndpointInterface } from '../endpoint/Endpoint.ts';
import { currentArgs } from '../fetch/currentArgs.ts';
import type { Desk, Send } from '../fetch/Desk.ts';
import type { Emitter } from '../fetch/Emitter.ts';
import { pauseAfter } from '../fetch/pauseAfter.ts';
import { retryAfter } from '../fetch/retry.ts';
import type { Permit } from './CircuitBreaker.ts';
import { isBusy, isRetryable } from './isRetryable.ts';
import type { LogEntry, QueueId } from './LogEntry.ts';
import type { Locks } from './Locks.ts';
import type { MutationLog } from './MutationLog.ts';
import type { MutationResult } from './MutationResult.ts';
import type { PersistedMutation, QueuedMutation } from './QueuedMutation.ts';
import type { QueuedMutations } from './QueuedMutations.ts';
import type { QueueEvents } from './QueueEvents.ts';
import { sendOnce } from './sendOnce.ts';

/** What a queue needs from the outbox. */
export interface QueueHost {
  readonly mutations: QueuedMutations;
  readonly events: Emitter<QueueEvents>;
  /** The mutation that has this name in this build. */
  endpointOf(entry: LogEntry): EndpointInterface | undefined;
  /** The mutation of an entry, with a request of its own where none waits for it; undefined where this build has no such. */
  mutationFor(entry: LogEntry): QueuedMutation | undefined;
  /** The server's keys of the entities that a mutation has created. */
  serverKeysOf(mutation: QueuedMutation): Promise<readonly unknown[]>;
  /** Another page removed the mutation from the log, and no page knows its result. */
  discarded(mutation: QueuedMutation): Promise<void>;
}

export interface QueueDeps {
  readonly desk: Desk;
  readonly send: Send;
  readonly log: MutationLog;
  readonly locks: Locks;
  /** Of the log: the names of the locks begin with it. */
  readonly name: string;
  /** True for errors after which nothing is sent to the origin before `retry()`. */
  readonly hold: (error: unknown) => boolean;
}

/** Drains queues, at once or later. */
interface Schedule {
  readonly drain: (queue: QueueId) => Promise<void>;
  readonly later: (queue: QueueId, ms: number) => void;
}

export class Sender {
  readonly #deps: QueueDeps;
  readonly #host: QueueHost;
  readonly #schedule: Schedule;
  stopped = false;

  constructor(deps: QueueDeps, host: QueueHost, schedule: Schedule) {
    this.#deps = deps;
    this.#host = host;
    this.#schedule = schedule;
  }

  /** Resolves with true where the next entry of the queue may follow. */
  async send(entry: LogEntry, permit: Permit): Promise<boolean> {
    const mutation = this.#host.mutationFor(entry);
    // an entry of another build, which runs in another page
    if (mutation === undefined) return false;
    mutation.syncFrom(entry);
    this.#host.mutations.changed();
    if (!mutation.settled) return this.#attempt(mutation as PersistedMutation, permit);
    // the disk failed when the entry was to be removed
    await this.#settle(mutation, entry, await mutation.result);
    return true;
  }

  async #attempt(mutation: PersistedMutation, permit: Permit): Promise<boolean> {
    const { desk, send } = this.#deps;
    const { entry, issued, idempotencyKey } = mutation;
    const { endpoint } = issued;
    // an earlier mutation of the queue may have given the entity another key
    const args = currentArgs(desk.store, endpoint, mutation.args);
    const { signal } = mutation.abortController;
    const result = await sendOnce(desk, send, { endpoint, args, idempotencyKey, signal });
    if (this.stopped) return false;
    if (signal.aborted || mutation.settled) return true;
    mutation.error = 'error' in result ? result.error : undefined;
    if ('error' in result && this.#deps.hold(result.error)) return this.#hold(mutation, permit);
    if ('error' in result && isRetryable(result.error, entry.attempts))
      return this.#pause(mutation, permit);
    this.#succeed(mutation, permit);
    await this.#settle(mutation, entry, result);
    return true;
  }

  #hold(mutation: PersistedMutation, { breaker }: Permit): false {
    const { mutations, events } = this.#host;
    const isFirst = !breaker.held;
    breaker.hold();
    breaker.wait(mutation.entry.queue, true);
    mutations.changed();
    const { error } = mutation;
    if (isFirst) events.emit('hold', () => ({ mutation: mutations.toPending(mutation), error }));
    return false;
  }

  async #pause(mutation: PersistedMutation, { breaker }: Permit): Promise<false> {
    const { clock } = this.#deps.desk;
    const { error, entry } = mutation;
    const chance = clock.random?.() ?? Math.random();
    const asked = retryAfter(error, clock.now());
    if (isBusy(error, entry.attempts)) breaker.succeed();
    else breaker.fail(asked, chance);
    const pause = asked + pauseAfter(entry.attempts - 1, { random: () => chance });
    this.#host.mutations.changed();
    await this.#deps.log.reschedule(entry, clock.now(), pause);
    this.#schedule.later(entry.queue, pause);
    return false;
  }

  #succeed(mutation: PersistedMutation, { breaker }: Permit): void {
    const { mutations, events } = this.#host;
    const wasHeld = breaker.held;
    breaker.succeed();
    if (!wasHeld || breaker.held) return;
    mutations.changed();
    events.emit('resume', () => ({ mutation: mutations.toPending(mutation) }));
  }

  /** The store first, then the log: after a crash between the two the mutation is sent again, under the same key. */
  async #settle(mutation: QueuedMutation, entry: LogEntry, result: MutationResult): Promise<void> {
    mutation.resolve(result);
    await mutation.ended;
    const keys = await this.#host.serverKeysOf(mutation);
    if (this.stopped) return;
    const freed = await this.#deps.log.settle(entry, { result, keys });
    this.#host.mutations.forget(mutation);
    for (const queue of freed) void this.#schedule.drain(queue);
  }
}
