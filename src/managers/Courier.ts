/** Sends what is in the log: line by line, each from its head, one page at a time. */
import { currentArgs } from '../fetch/currentArgs.ts';
import { pauseAfter } from '../fetch/pauseAfter.ts';
import { retryAfter } from '../fetch/retryDelay.ts';
import type { Desk, Send } from '../fetch/Desk.ts';
import type { Entry, Line } from './Entry.ts';
import type { Locks } from './Locks.ts';
import type { MutationLog } from './MutationLog.ts';
import type { Outcome } from './Outcome.ts';
import { passes } from './passes.ts';
import { sendOnce } from './sendOnce.ts';
import type { Logged, Waiting } from './Waiting.ts';
import type { Waitings } from './Waitings.ts';

// how long it waits for a disk that failed, ms
const SOON = 1_000;
// how often it looks whether a page that is gone has left something, ms
const OFTEN = 10_000;

/** What a courier asks of those who gave it the letters. */
export interface Senders {
  readonly waitings: Waitings;
  /** The request that waits for it, made where there is none; undefined where nobody here can send it. */
  waitingFor(entry: Entry): Waiting | undefined;
  /** The server's keys of what it has created. */
  keysOf(waiting: Waiting): Promise<readonly unknown[]>;
  /** Another page took it out, and nobody knows what became of it. */
  discarded(waiting: Waiting): Promise<void>;
}

export interface Tools {
  readonly desk: Desk;
  readonly send: Send;
  readonly log: MutationLog;
  readonly locks: Locks;
  /** Of the log: locks are called after it. */
  readonly name: string;
}

export class Courier {
  readonly #tools: Tools;
  readonly #senders: Senders;
  /** Lines on which it is busy, and with which it goes on when that is done. */
  readonly #busy = new Map<Line, { again: boolean; eager: boolean }>();
  readonly #timers = new Map<Line | undefined, unknown>();
  #stopped = false;
  #leave!: () => void;
  readonly #left = new Promise<void>((resolve) => (this.#leave = resolve));

  constructor(tools: Tools, senders: Senders) {
    this.#tools = tools;
    this.#senders = senders;
  }

  /** Looks at the whole log, and sends what can be sent; `eager`: also what is to wait. */
  async all(eager: boolean): Promise<void> {
    const { desk, log } = this.#tools;
    if (this.#stopped) return;
    this.#later(undefined, OFTEN);
    try {
      const places = await log.places();
      for (const waiting of this.#senders.waitings.logged)
        if (places.get(waiting.entry.id) !== waiting.entry.line) await this.#trace(waiting);
      if (desk.surroundings.offline) return;
      for (const line of new Set(places.values())) void this.line(line, eager);
    } catch {
      // the disk may be back the next time
    }
  }

  /** Sends what is in a line. */
  async line(line: Line, eager = false): Promise<void> {
    const { desk, locks, name } = this.#tools;
    // until their creation is confirmed
    if (typeof line === 'number' || this.#stopped || desk.surroundings.offline) return;
    const known = this.#busy.get(line);
    if (known !== undefined) {
      known.again = true;
      known.eager ||= eager;
      return;
    }
    const turn = { again: true, eager };
    this.#busy.set(line, turn);
    while (turn.again && !this.#stopped) {
      const { eager: all } = turn;
      turn.again = turn.eager = false;
      const work = () => Promise.race([this.#empty(line, all), this.#left]);
      try {
        await locks.request(`${name} ${line}`, work);
      } catch {
        // the disk failed: what it holds is still there
        this.#later(line, SOON);
      }
    }
    this.#busy.delete(line);
  }

  async #empty(line: Line, eager: boolean): Promise<void> {
    let goesOn = true;
    while (goesOn && !this.#stopped && !this.#tools.desk.surroundings.offline)
      goesOn = await this.#next(line, eager);
  }

  /** Sends the head of a line; false where there is nothing more to do now. */
  async #next(line: Line, eager: boolean): Promise<boolean> {
    const { log, desk } = this.#tools;
    const now = desk.clock.now();
    let due = false;
    const entry = await log.head(line, ({ after }) => (due = eager || after <= now));
    // what waits here, and is not behind the head, was taken out by another page
    for (const waiting of this.#senders.waitings.logged) {
      const { id, line: its } = waiting.entry;
      if (its === line && id < (entry?.id ?? Infinity)) await this.#trace(waiting);
    }
    // after a reset it is another user's
    if (entry === undefined || this.#stopped) return false;
    if (!due) {
      this.#later(line, entry.after - now);
      return false;
    }
    const waiting = this.#senders.waitingFor(entry);
    // of another build, which runs in another page
    if (waiting === undefined) return false;
    waiting.meet(entry);
    this.#senders.waitings.changed();
    if (!waiting.over) return this.#send(waiting, entry);
    // the disk failed when it was to be taken out
    await this.#settle(waiting, entry, await waiting.outcome);
    return true;
  }

  async #send(waiting: Waiting, entry: Entry): Promise<boolean> {
    const { desk, send, log } = this.#tools;
    const { endpoint } = waiting.issued;
    const { idempotencyKey } = waiting;
    // one that was sent before may have given the entity another key
    const args = currentArgs(desk.store, endpoint, waiting.args);
    const { signal } = waiting.unwanted;
    const outcome = await sendOnce(desk, send, { endpoint, args, idempotencyKey, signal });
    if (this.#stopped) return false;
    if (signal.aborted || waiting.over) return true;
    if ('error' in outcome && passes(outcome.error, entry.attempts)) {
      const delay = this.#delay(outcome.error, entry);
      await log.postpone(entry, desk.clock.now() + delay);
      this.#later(entry.line, delay);
      return false;
    }
    await this.#settle(waiting, entry, outcome);
    return true;
  }

  /** First the store, then the log: a page that goes away between the two sends it once more, under the same key. */
  async #settle(waiting: Waiting, entry: Entry, outcome: Outcome): Promise<void> {
    waiting.tell(outcome);
    await waiting.ended;
    const keys = await this.#senders.keysOf(waiting);
    if (this.#stopped) return;
    const freed = await this.#tools.log.settle(entry, { outcome, keys });
    this.#senders.waitings.forget(waiting);
    for (const line of freed) void this.line(line);
  }

  /** After what the server asks for. */
  #delay(error: unknown, { attempts }: Entry): number {
    const { clock } = this.#tools.desk;
    return retryAfter(error, clock.now()) + pauseAfter(attempts - 1, clock);
  }

  #later(line: Line | undefined, ms: number): void {
    const { clock } = this.#tools.desk;
    const timer = this.#timers.get(line);
    if (timer !== undefined) clock.clear(timer);
    const job = () => {
      this.#timers.delete(line);
      void (line === undefined ? this.all(false) : this.line(line));
    };
    this.#timers.set(line, clock.after(ms, job));
  }

  /** It is not where it was: looks what another page has done with it. */
  async #trace(waiting: Logged): Promise<void> {
    const { entry } = waiting;
    const trace = await this.#tools.log.trace(entry);
    // it may have ended meanwhile
    if (waiting.over || this.#stopped) return;
    if (trace === undefined) return this.#senders.discarded(waiting);
    if ('line' in trace) {
      if (trace.line === entry.line) return;
      waiting.entry = { ...entry, line: trace.line };
      return void this.line(trace.line);
    }
    const { waitings } = this.#senders;
    waiting.tell(trace.outcome);
    await waiting.ended;
    waitings.forget(waiting);
    for (const next of waitings.logged) if (next.entry.line === entry.id) await this.#trace(next);
  }

  stop(): void {
    this.#stopped = true;
    for (const timer of this.#timers.values()) this.#tools.desk.clock.clear(timer);
    this.#leave();
  }
}
