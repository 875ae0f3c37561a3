/** Rows with a temporary key, and the mutations that wait for the key (O6). */
import type { Call } from '../setup/world.ts';

/** A mutation that waits for the key of the row. */
interface Waiting {
  /** The mutation is sent now. */
  readonly send: (call: Call) => void;
  /** There will be no key; returns the error of the caller. */
  readonly lose: () => unknown;
}

export interface Unnamed {
  /** The key of the server. */
  readonly real: number;
  /** The key for the time being, in the store. */
  readonly key: number;
  /** The key in the model: first a temporary key, then the key of the server. */
  id: number;
  readonly waiting: Waiting[];
}

export class TemporaryRows {
  #rows: Unnamed[] = [];

  get last(): Unnamed | undefined {
    return this.#rows.at(-1);
  }

  add(row: Unnamed): void {
    this.#rows.push(row);
  }

  /** The server assigned the key, and the waiting mutations were sent: these are the requests, in order. */
  name(row: Unnamed, calls: readonly Call[]): string[] {
    this.#leave(row);
    for (const [at, { send }] of row.waiting.entries()) {
      const call = calls[at];
      const { id } = (call?.args[0] ?? {}) as { id?: unknown };
      if (call === undefined || String(id) !== String(row.real))
        return [`not sent to the named row: ${row.real}`];
      send(call);
    }
    return [];
  }

  /** The creation failed. */
  lose(row: Unnamed): string[] {
    this.#leave(row);
    const told = row.waiting.map(({ lose }) => lose());
    const untold = told.filter((reason) => (reason as { code?: unknown } | null)?.code !== 'E6');
    return untold.map((reason) => `lost row not told: ${String(reason)}`);
  }

  clear(): void {
    this.#rows = [];
  }

  #leave(row: Unnamed): void {
    this.#rows = this.#rows.filter((other) => other !== row);
  }
}
