/** Sends what is in the log: each queue from its head, by one page at a time. */
import type { EndpointInterface } from '../endpoint/Endpoint.ts';
import { currentArgs } from '../fetch/currentArgs.ts';
import type { Desk, Send } from '../fetch/Desk.ts';
import { pauseAfter } from '../fetch/pauseAfter.ts';
import { retryAfter } from '../fetch/retry.ts';
import type { CircuitBreaker } from './CircuitBreaker.ts';
import { CircuitBreakers } from './CircuitBreakers.ts';
import { isBusy, isRetryable } from './isRetryable.ts';
import { pauseOf } from './LogEntry.ts';
import type { LogEntry, QueueId } from './LogEntry.ts';
import type { Locks } from './Locks.ts';
import type { MutationLog } from './MutationLog.ts';
import type { MutationResult } from './MutationResult.ts';
import { originOf } from './originOf.ts';
import type { PersistedMutation, QueuedMutation } from './QueuedMutation.ts';
import type { QueuedMutations } from './QueuedMutations.ts';
import { sendOnce } from './sendOnce.ts';

// the pause after a failure of the disk, ms
const SOON = 1_000;
// how often the log is searched for what another page has left, ms
const OFTEN = 10_000;

/** What a runner needs from the outbox. */
export interface QueueHost {
  readonly mutations: QueuedMutations;
  /** The mutation that has this name in this build. */
  endpointOf(entry: LogEntry): EndpointInterface | undefined;
  /** The mutation of an entry, with a request of its own where none waits for it; undefined where this build has no such. */
  mutationFor(entry: LogEntry): QueuedMutation | undefined;
  /** The server's keys of the entities that a mutation has created. */
  serverKeysOf(mutation: QueuedMutation): Promise<readonly unknown[]>;
  /** Another page removed the mutation from the log, and no page knows its result. */
  discarded(mutation: QueuedMutation): Promise<void>;
  /** The server wants the user to log in. */
  onHold(mutation: PersistedMutation, isFirst: boolean): void;
  onResume(mutation: PersistedMutation): void;
}

export interface QueueRunnerDeps {
  readonly desk: Desk;
  readonly send: Send;
  readonly log: MutationLog;
  readonly locks: Locks;
  /** Of the log: the names of the locks begin with it. */
  readonly name: string;
  /** True for errors after which nothing is sent to the origin before `retry()`. */
  readonly hold: (error: unknown) => boolean;
}

export class QueueRunner {
  readonly #deps: QueueRunnerDeps;
  readonly #host: QueueHost;
  /** Queues that are being drained; `again`: once more after that. */
  readonly #busy = new Map<QueueId, { again: boolean; eager: boolean }>();
  readonly #timers = new Map<QueueId | undefined, unknown>();
  readonly breakers: CircuitBreakers;
  #stopped = false;
  #leave!: () => void;
  readonly #left = new Promise<void>((resolve) => (this.#leave = resolve));

  constructor(deps: QueueRunnerDeps, host: QueueHost) {
    this.#deps = deps;
    this.#host = host;
    this.breakers = new CircuitBreakers(deps.desk.clock, (queue, eager) =>
      this.drain(queue, eager),
    );
  }

  /** Reads the whole log, and sends what is due; `eager`: also what pauses. */
  async drainAll(eager: boolean): Promise<void> {
    const { desk, log } = this.#deps;
    if (this.#stopped) return;
    this.#schedule(undefined, OFTEN);
    try {
      const queues = await log.queues();
      for (const mutation of this.#host.mutations.persisted)
        if (queues.get(mutation.entry.id) !== mutation.entry.queue)
          await this.#checkStatus(mutation);
      if (desk.surroundings.offline) return;
      const all = new Set(queues.values());
      if (eager) this.breakers.probe(all.size);
      for (const queue of all) void this.drain(queue, eager);
    } catch {
      // the disk may be back the next time
    }
  }

  isHeld(entry: LogEntry): boolean {
    return this.breakers.someHeld && this.#breakerFor(entry).held;
  }

  /** Sends what is in a queue. */
  async drain(queue: QueueId, eager = false): Promise<void> {
    const { desk, locks, name } = this.#deps;
    // a numbered queue waits until its creation is confirmed
    if (typeof queue === 'number' || this.#stopped || desk.surroundings.offline) return;
    const known = this.#busy.get(queue);
    if (known !== undefined) {
      known.again = true;
      known.eager ||= eager;
      return;
    }
    const turn = { again: true, eager };
    this.#busy.set(queue, turn);
    while (turn.again && !this.#stopped) {
      const { eager: all } = turn;
      turn.again = turn.eager = false;
      const work = () => Promise.race([this.#sendAll(queue, all), this.#left]);
      try {
        await locks.request(`${name} ${queue}`, work);
      } catch {
        // the disk failed: it still has its entries
        this.#schedule(queue, SOON);
      }
    }
    this.#busy.delete(queue);
  }

  async #sendAll(queue: QueueId, eager: boolean): Promise<void> {
    let goesOn = true;
    while (goesOn && !this.#stopped && !this.#deps.desk.surroundings.offline)
      goesOn = await this.#next(queue, eager);
  }

  /** Sends the head of a queue; false where nothing more can be done now. */
  async #next(queue: QueueId, eager: boolean): Promise<boolean> {
    const { log, desk } = this.#deps;
    const now = desk.clock.now();
    let pause = 0;
    let breaker: CircuitBreaker | undefined;
    try {
      const entry = await log.claimHead(queue, (head) => {
        pause = eager ? 0 : pauseOf(head, now);
        const own = this.#breakerFor(head);
        if (pause === 0 && own.acquire(queue, eager)) breaker = own;
        return breaker !== undefined;
      });
      await this.#checkBefore(queue, entry);
      // after a reset the log is another user's
      if (entry === undefined || this.#stopped) return false;
      if (pause > 0) this.#schedule(queue, pause);
      if (breaker === undefined) return false;
      return await this.#sendHead(entry, breaker);
    } finally {
      breaker?.release();
    }
  }

  /** A mutation that waits here, and is not behind the head, was removed by another page. */
  async #checkBefore(queue: QueueId, head: LogEntry | undefined): Promise<void> {
    for (const mutation of this.#host.mutations.persisted) {
      const { id, queue: its } = mutation.entry;
      if (its === queue && id < (head?.id ?? Infinity)) await this.#checkStatus(mutation);
    }
  }

  #breakerFor(entry: LogEntry): CircuitBreaker {
    const endpoint = this.#host.endpointOf(entry);
    return this.breakers.of(endpoint === undefined ? '' : originOf(endpoint, entry.args));
  }

  async #sendHead(entry: LogEntry, breaker: CircuitBreaker): Promise<boolean> {
    const mutation = this.#host.mutationFor(entry);
    // an entry of another build, which runs in another page
    if (mutation === undefined) return false;
    mutation.syncFrom(entry);
    this.#host.mutations.changed();
    if (!mutation.settled) return this.#send(mutation as PersistedMutation, breaker);
    // the disk failed when the entry was to be removed
    await this.#settle(mutation, entry, await mutation.result);
    return true;
  }

  async #send(mutation: PersistedMutation, breaker: CircuitBreaker): Promise<boolean> {
    const { desk, send } = this.#deps;
    const { entry, issued, idempotencyKey } = mutation;
    const { endpoint } = issued;
    // an earlier mutation of the queue may have given the entity another key
    const args = currentArgs(desk.store, endpoint, mutation.args);
    const { signal } = mutation.abortController;
    const result = await sendOnce(desk, send, { endpoint, args, idempotencyKey, signal });
    if (this.#stopped) return false;
    if (signal.aborted || mutation.settled) return true;
    mutation.error = 'error' in result ? result.error : undefined;
    if ('error' in result && this.#deps.hold(result.error)) {
      this.#hold(mutation, breaker);
      return false;
    }
    if ('error' in result && isRetryable(result.error, entry.attempts)) {
      await this.#pause(mutation, breaker);
      return false;
    }
    this.#succeed(mutation, breaker);
    await this.#settle(mutation, entry, result);
    return true;
  }

  #hold(mutation: PersistedMutation, breaker: CircuitBreaker): void {
    const isFirst = !breaker.held;
    breaker.hold();
    breaker.wait(mutation.entry.queue, true);
    this.#host.onHold(mutation, isFirst);
  }

  async #pause(mutation: PersistedMutation, breaker: CircuitBreaker): Promise<void> {
    const { clock } = this.#deps.desk;
    const { error, entry } = mutation;
    const chance = clock.random?.() ?? Math.random();
    const asked = retryAfter(error, clock.now());
    if (isBusy(error, entry.attempts)) breaker.succeed();
    else breaker.fail(asked, chance);
    const pause = asked + pauseAfter(entry.attempts - 1, { random: () => chance });
    this.#host.mutations.changed();
    await this.#deps.log.reschedule(entry, clock.now(), pause);
    this.#schedule(entry.queue, pause);
  }

  #succeed(mutation: PersistedMutation, breaker: CircuitBreaker): void {
    const wasHeld = breaker.held;
    breaker.succeed();
    if (wasHeld && !breaker.held) this.#host.onResume(mutation);
  }

  /** The store first, then the log: after a crash between the two the mutation is sent again, under the same key. */
  async #settle(mutation: QueuedMutation, entry: LogEntry, result: MutationResult): Promise<void> {
    mutation.resolve(result);
    await mutation.ended;
    const keys = await this.#host.serverKeysOf(mutation);
    if (this.#stopped) return;
    const freed = await this.#deps.log.settle(entry, { result, keys });
    this.#host.mutations.forget(mutation);
    for (const queue of freed) void this.drain(queue);
  }

  #schedule(queue: QueueId | undefined, ms: number): void {
    const { clock } = this.#deps.desk;
    const timer = this.#timers.get(queue);
    if (timer !== undefined) clock.clear(timer);
    const job = () => {
      this.#timers.delete(queue);
      void (queue === undefined ? this.drainAll(false) : this.drain(queue));
    };
    this.#timers.set(queue, clock.after(ms, job));
  }

  /** The mutation is not where it was: looks up what another page has done with it. */
  async #checkStatus(mutation: PersistedMutation): Promise<void> {
    const { entry } = mutation;
    const status = await this.#deps.log.status(entry);
    // it may have ended meanwhile
    if (mutation.settled || this.#stopped) return;
    if (status === undefined) return this.#host.discarded(mutation);
    if ('queue' in status) {
      if (status.queue === entry.queue) return;
      mutation.entry = { ...entry, queue: status.queue };
      return void this.drain(status.queue);
    }
    const { mutations } = this.#host;
    mutation.resolve(status.result);
    await mutation.ended;
    mutations.forget(mutation);
    for (const next of mutations.persisted)
      if (next.entry.queue === entry.id) await this.#checkStatus(next);
  }

  stop(): void {
    this.#stopped = true;
    for (const timer of this.#timers.values()) this.#deps.desk.clock.clear(timer);
    this.breakers.stop();
    this.#leave();
  }
}
