/** One mutation of the log that a request of this page waits for. */
import type { Issued } from '../fetch/Events.ts';
import type { Args } from '../schema/schema.ts';
import type { Entry } from './Entry.ts';
import type { Outcome } from './Outcome.ts';

export class Waiting {
  readonly issued: Issued;
  readonly idempotencyKey: string;
  /** As it was last seen in the log, once it is there. */
  entry: Entry | undefined = undefined;
  /** What it is sent with: as the caller gave it, until temporary keys are known. */
  args: Args;
  /** Once it is in the log; undefined where that failed. */
  logged: Promise<Entry | undefined> = Promise.resolve(undefined);
  /** How many temporary keys of others stand in them. */
  unnamed = 0;
  /** The temporary keys of what it creates. */
  made: readonly string[] = [];
  /** Its request has ended, whatever becomes of it at the server. */
  over = false;
  /** Aborted: nobody wants it any more. */
  readonly unwanted: AbortController = new AbortController();
  readonly outcome: Promise<Outcome>;
  /** The request has ended: what it brought is in the store. */
  readonly ended: Promise<void>;
  tell!: (outcome: Outcome) => void;
  #end!: () => void;

  constructor(issued: Issued, idempotencyKey: string) {
    this.issued = issued;
    this.args = issued.args;
    this.idempotencyKey = idempotencyKey;
    this.outcome = new Promise((resolve) => (this.tell = resolve));
    this.ended = new Promise((resolve) => (this.#end = resolve));
  }

  end(): void {
    this.over = true;
    this.#end();
  }

  /** It is sent as `entry` has it, which may know keys that the caller did not. */
  meet(entry: Entry): void {
    if (entry.unnamed.length < this.unnamed) this.args = entry.args;
    this.unnamed = entry.unnamed.length;
    this.entry = entry;
  }
}

/** One that is in the log. */
export interface Logged extends Waiting {
  entry: Entry;
}
