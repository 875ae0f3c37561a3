/** The mutations of the log that requests of this page wait for. */
import { signal } from '../reactive.ts';
import type { Signal } from '../reactive.ts';
import type { Args } from '../schema/schema.ts';
import { isTemporary } from '../schema/EntityPlan.ts';
import type { Unnamed } from './Entry.ts';
import { keysIn, swapKeys } from '../schema/swapKeys.ts';
import type { Logged, Waiting } from './Waiting.ts';

/** A mutation that waits, as an application may show it. */
export interface Pending {
  /** In this log; later ones are greater. For `discard`. */
  readonly id: number;
  /** Of the endpoint, as `names` calls it. */
  readonly name: string;
  /** Temporary primary keys stand in them until the server has named what they stand for. */
  readonly args: Args;
  /** When it was issued: wall time, ms since 1970. */
  readonly since: number;
  /** How often it has been sent without an answer that counts. */
  readonly attempts: number;
  /** The value of its `Idempotency-Key`, without quotes. */
  readonly idempotencyKey: string;
}

/** Which of the keys that a mutation makes. */
interface Made {
  readonly by: Waiting;
  readonly at: number;
}

export class Waitings {
  readonly pending: Signal<readonly Pending[]> = signal<readonly Pending[]>([]);
  /** Whose request goes on, by its id. */
  readonly #going = new Map<number, Waiting>();
  /** All that may be in the log, by their idempotency keys. */
  readonly #all = new Map<string, Waiting>();
  /** By the temporary keys that they make. */
  readonly #made = new Map<string, Made>();

  #between = 1;

  add(waiting: Waiting): void {
    this.#going.set(waiting.issued.id, waiting);
    this.#all.set(waiting.idempotencyKey, waiting);
    for (const [at, key] of waiting.made.entries()) this.#made.set(key, { by: waiting, at });
  }

  of(idempotencyKey: string): Waiting | undefined {
    return this.#all.get(idempotencyKey);
  }

  /** By the id of its entry. */
  at(id: number): Waiting | undefined {
    return this.logged.find(({ entry }) => entry.id === id);
  }

  /** Those that are in the log. */
  get logged(): readonly Logged[] {
    return [...this.#going.values()].filter((waiting) => waiting.entry !== undefined) as Logged[];
  }

  /**
   * The logical time at which a mutation from another page counts as issued: before those of this page that were logged
   * later, so that its answer does not hide theirs. Undefined: now.
   */
  timeOf(id: number): number | undefined {
    const later = [...this.#going.values()].filter(({ entry }) => (entry?.id ?? Infinity) > id);
    if (later.length === 0) return undefined;
    // between two ticks of the clock, each behind the one before
    return Math.min(...later.map(({ issued }) => issued.id)) - 1 / ++this.#between;
  }

  /** Its request has ended; undefined where none of the log is its. */
  end(id: number): Waiting | undefined {
    const waiting = this.#going.get(id);
    this.#going.delete(id);
    waiting?.end();
    this.changed();
    return waiting;
  }

  /** It is not in the log. */
  forget(waiting: Waiting): void {
    this.#going.delete(waiting.issued.id);
    this.#all.delete(waiting.idempotencyKey);
    for (const key of waiting.made) this.#made.delete(key);
  }

  /** Ends all. */
  clear(error: unknown): void {
    for (const [id, waiting] of this.#going) {
      waiting.tell({ error });
      this.end(id);
    }
    this.#all.clear();
    this.#made.clear();
  }

  /** What is known of them has changed. */
  changed(): void {
    const { logged } = this;
    if (logged.length === 0 && this.pending.peek().length === 0) return;
    this.pending.value = logged
      .map(({ entry: { id, name, args, unnamed, since, attempts, idempotencyKey } }) => {
        const shown = unnamed.length > 0 ? this.here(args, unnamed) : args;
        return { id, name, args: shown, since, attempts, idempotencyKey };
      })
      .sort((a, b) => a.id - b.id);
  }

  /**
   * The temporary keys in arguments. Undefined where the log does not know who makes them: `isTemporary` says which
   * values are such keys.
   */
  async unnamedIn(
    args: Args,
    isTemporary: (key: string) => boolean,
  ): Promise<readonly Unnamed[] | undefined> {
    const unnamed: Unnamed[] = [];
    for (const key of keysIn(args).filter(isTemporary)) {
      const made = this.#made.get(key);
      const entry = await made?.by.logged;
      if (made === undefined || entry === undefined) return undefined;
      unnamed.push([key, entry.id, made.at]);
    }
    return unnamed;
  }

  /** Arguments of the log with the temporary keys of this page in the place of those of the page that issued them. */
  here(args: Args, unnamed: readonly Unnamed[]): Args {
    const names = new Map<string, string | number>();
    for (const { entry, made } of this.#all.values())
      for (const [key, creation, at] of unnamed) {
        const own = made[at];
        // A foreign key has the type of the primary key that it names.
        if (entry?.id === creation && own !== undefined)
          names.set(key, isTemporary(own) ? Number(own) : own);
      }
    return swapKeys(args, (key) => names.get(key));
  }
}
