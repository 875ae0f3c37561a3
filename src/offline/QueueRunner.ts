/** Sends the mutations of the log: each queue from the head, by a single page at a time. */
import { isAbort } from '../endpoint/Endpoint.ts';
import type { EndpointInterface } from '../endpoint/Endpoint.ts';
import type { Args } from '../schema/schema.ts';
import { grantIn } from '../sync/Locks.ts';
import type { LockGrant } from '../sync/Locks.ts';
import { CircuitBreakers } from './CircuitBreakers.ts';
import type { CircuitBreaker, Permit } from './CircuitBreakers.ts';
import { pauseOf } from './LogEntry.ts';
import type { LogEntry, QueueId } from './LogEntry.ts';
import type { PersistedMutation } from './QueuedMutations.ts';
import { Sender } from './Sender.ts';
import type { QueueDeps, QueueHost } from './Sender.ts';
import { urlOf } from './queueIdOf.ts';

// the pause after a failure of the disk, ms
const DISK_RETRY_DELAY = 1_000;
// how often the log is searched for mutations of a page that was closed, ms
const LOG_POLL_INTERVAL = 10_000;

/** A queue is being drained; `repeat`: once more after that. */
interface DrainState {
  repeat: boolean;
  eager: boolean;
  end: Promise<void>;
}

export class QueueRunner {
  readonly #deps: QueueDeps;
  readonly #host: QueueHost;
  /** Queues that are being drained. */
  readonly #draining = new Map<QueueId, DrainState>();
  readonly #timers = new Map<QueueId | undefined, unknown>();
  readonly breakers: CircuitBreakers;
  readonly #sender: Sender;
  /** True after a reset or `stop`: the log belongs to the next runner, or to the next page. */
  isStopped = false;
  #resolveStopped!: () => void;
  readonly #stopped = new Promise<void>((resolve) => (this.#resolveStopped = resolve));

  constructor(deps: QueueDeps, host: QueueHost) {
    this.#deps = deps;
    this.#host = host;
    this.breakers = new CircuitBreakers(deps.context.clock, (queue, eager) =>
      this.drain(queue, eager),
    );
    this.#sender = new Sender(deps, host, {
      drain: (queue) => this.drain(queue),
      drainAfter: (queue, ms) => this.#schedule(queue, ms),
    });
  }

  /**
   * Reads the log, and sends the mutations that are due; `eager`: including mutations that pause. Resolves when no
   * mutation can be sent now. Never rejects.
   */
  async drainAll(eager: boolean): Promise<void> {
    const { context, log } = this.#deps;
    if (this.isStopped) return;
    this.#schedule(undefined, LOG_POLL_INTERVAL);
    try {
      const queues = await log.queues();
      const { persisted } = this.#host.mutations;
      for (const mutation of persisted)
        if (queues.get(mutation.entry.id) !== mutation.entry.queue)
          await this.#checkStatus(mutation);
      if (context.surroundings.offline) return;
      const all = new Set(queues.values());
      if (eager) this.breakers.attemptReset(all.size);
      const known = new Map(persisted.map(({ entry }) => [entry.queue, entry]));
      for (const queue of all) {
        const entry = known.get(queue);
        // the disk is read only when the breaker calls the queue
        if (entry === undefined) void this.drain(queue, eager);
        else this.#breakerFor(entry).drainInTurn(queue, eager);
      }
    } catch {
      // the disk may work the next time
    } finally {
      await this.#drained();
    }
  }

  /** Resolves when no queue is being drained, or about to be drained by a breaker. */
  async #drained(): Promise<void> {
    let drains: readonly Promise<void>[];
    do {
      drains = [...[...this.#draining.values()].map(({ end }) => end), ...this.breakers.drains];
      await Promise.all(drains);
    } while (drains.length > 0);
  }

  /** True if the mutation can be sent as soon as logged; `reserved`: how many others are about to be sent. */
  canSend(mutation: Pick<LogEntry, 'name' | 'args'>, reserved: number): boolean {
    const isOnline = !this.isStopped && !this.#deps.context.surroundings.offline;
    return isOnline && this.#breakerFor(mutation).canAcquire(reserved);
  }

  /** Drains the queue of an entry, now or in turn. */
  drainInTurn(entry: LogEntry): void {
    const { queue } = entry;
    if (typeof queue === 'number' || this.isStopped || this.#deps.context.surroundings.offline)
      return;
    this.#breakerFor(entry).drainInTurn(queue, false);
  }

  isHeld(entry: LogEntry): boolean {
    return this.breakers.isAnyHeld && this.#breakerFor(entry).isHeld;
  }

  /** Sends the mutations of a queue. */
  async drain(queue: QueueId, eager = false): Promise<void> {
    const { context } = this.#deps;
    // a numbered queue waits until the creation is confirmed
    if (typeof queue === 'number' || this.isStopped || context.surroundings.offline) return;
    const known = this.#draining.get(queue);
    if (known !== undefined) {
      known.repeat = true;
      known.eager ||= eager;
      return;
    }
    const state: DrainState = { repeat: true, eager, end: Promise.resolve() };
    this.#draining.set(queue, state);
    state.end = this.#drainLocked(queue, state);
    await state.end;
  }

  async #drainLocked(queue: QueueId, state: DrainState): Promise<void> {
    const { locks, name } = this.#deps;
    while (state.repeat && !this.isStopped) {
      const { eager: all } = state;
      // by this page, or by the page that holds the lock
      for (const mutation of this.#host.mutations.before(queue, Infinity)) mutation.markSent();
      state.repeat = state.eager = false;
      const work = async (grant?: unknown) => {
        const lockGrant = grantIn(grant);
        await Promise.race([this.#sendAll(queue, all, lockGrant), this.#stopped]);
        // the new holder sends the mutations that wait here, and the log has their results
        if (lockGrant?.lost.aborted) state.repeat = true;
      };
      try {
        await locks.request(`${name} ${queue}`, work);
      } catch {
        // the disk failed: the entries are still there
        this.#schedule(queue, DISK_RETRY_DELAY);
      }
    }
    this.#draining.delete(queue);
  }

  async #sendAll(queue: QueueId, eager: boolean, grant: LockGrant | undefined): Promise<void> {
    let canContinue = true;
    while (canContinue && !this.isStopped && !this.#deps.context.surroundings.offline)
      canContinue = await this.#sendHead(queue, eager, grant);
  }

  /** Sends the head of a queue; false if nothing more can be done now. */
  async #sendHead(queue: QueueId, eager: boolean, grant?: LockGrant): Promise<boolean> {
    const { log, context } = this.#deps;
    const now = context.clock.now();
    let pause = 0;
    let permit: Permit | undefined;
    try {
      const entry = await log.claimHead(queue, (head) => {
        permit?.release();
        permit = undefined;
        pause = eager ? 0 : pauseOf(head, now);
        if (pause === 0) permit = this.#breakerFor(head).acquire(queue, eager);
        return permit !== undefined;
      });
      await this.#checkRemoved(queue, entry);
      if (entry === undefined) return false;
      // the page may have been frozen, and another page may send the entry
      const isLost = (await grant?.isHeld()) === false;
      // after a reset the log belongs to another user
      if (isLost || this.isStopped) return false;
      if (pause > 0) this.#schedule(queue, pause);
      return permit !== undefined && (await this.#sender.send(entry, permit));
    } finally {
      permit?.release();
    }
  }

  /** Finds mutations before the head that wait here, but were removed by another page. */
  async #checkRemoved(queue: QueueId, head: LogEntry | undefined): Promise<void> {
    for (const mutation of this.#host.mutations.before(queue, head?.id ?? Infinity))
      await this.#checkStatus(mutation);
  }

  #breakerFor(entry: Pick<LogEntry, 'name' | 'args'>): CircuitBreaker {
    const endpoint = this.#host.endpointOf(entry);
    return this.breakers.breakerFor(endpoint === undefined ? '' : originOf(endpoint, entry.args));
  }

  /** Sends what other pages have left in the log or beside. */
  async #poll(): Promise<void> {
    await this.#host.adopt().catch(() => {});
    await this.drainAll(false);
  }

  #schedule(queue: QueueId | undefined, ms: number): void {
    const { clock } = this.#deps.context;
    const timer = this.#timers.get(queue);
    if (timer !== undefined) clock.clear(timer);
    const job = () => {
      this.#timers.delete(queue);
      void (queue === undefined ? this.#poll() : this.drain(queue));
    };
    this.#timers.set(queue, clock.after(ms, job));
  }

  /** The mutation is not in the expected place: reads the status from the log. */
  async #checkStatus(mutation: PersistedMutation): Promise<void> {
    const { entry } = mutation;
    const status = await this.#deps.log.status(entry);
    // the request may have ended meanwhile
    if (mutation.settled || this.isStopped) return;
    if (status === undefined) return this.#host.onDiscarded(mutation);
    if ('queue' in status) {
      if (status.queue === entry.queue) return;
      mutation.entry = { ...entry, queue: status.queue };
      return void this.drain(status.queue);
    }
    const { mutations } = this.#host;
    if ('error' in status.result && isAbort(status.result.error)) return this.#cancel(mutation);
    mutation.resolve(status.result);
    await mutation.ended;
    mutations.forget(mutation);
    for (const next of mutations.persisted)
      if (next.entry.queue === entry.id) await this.#checkStatus(next);
  }

  /** Ends the creation first: without the created entity later changes render nothing. */
  #cancel(creation: PersistedMutation): void {
    const { mutations } = this.#host;
    const others = mutations.persisted.filter(({ entry }) => entry.queue === creation.entry.id);
    for (const mutation of [creation, ...others]) {
      mutations.forget(mutation);
      mutation.cancel();
      // an unlogged mutation may wait for the end
      mutation.end();
    }
    mutations.changed();
  }

  stop(isReset: boolean): void {
    this.isStopped = this.#sender.stopped = true;
    this.#sender.isReset = isReset;
    for (const timer of this.#timers.values()) this.#deps.context.clock.clear(timer);
    this.breakers.stop();
    this.#resolveStopped();
  }
}

/** Scheme and host of the address; `''` for an address without a host, the name of an endpoint without an address. */
function originOf(endpoint: EndpointInterface, args: Args): string {
  if (!('url' in endpoint)) return endpoint.name;
  return /^(?:[a-z][a-z\d+.-]*:)?\/\/[^/?#]*/i.exec(urlOf(endpoint, args) ?? '')?.[0] ?? '';
}
