/** A mutation of the log that a request of this page waits for. */
import type { Issued } from '../request/Events.ts';
import type { Args } from '../schema/schema.ts';
import type { LogEntry } from './LogEntry.ts';
import type { MutationResult } from './MutationResult.ts';

export class QueuedMutation {
  readonly issued: Issued;
  readonly idempotencyKey: string;
  /** The entry as last seen in the log; undefined before it is logged. */
  entry: LogEntry | undefined = undefined;
  /** The arguments to send: the caller's until temporary keys are known. */
  args: Args;
  /** Resolves once the mutation is in the log; with undefined if the log does not accept it. */
  logged: Promise<LogEntry | undefined> = Promise.resolve(undefined);
  /** How often a conflict was resolved by sending the mutation again, as far as `args` know. */
  revision = 0;
  /** Ends the request as one that has not happened. */
  cancel: () => void = () => {};
  /** Renders the optimistic response to other arguments. */
  show: (args: Args) => void = () => {};
  /** How many temporary keys of other mutations the arguments hold. */
  tempIds = 0;
  /** The temporary keys of the entities that the mutation creates. */
  createdIds: readonly string[] = [];
  /** False for a mutation of the log: its caller is gone with its page. */
  isAwaited = true;
  /** The request has ended. The server may still execute the mutation. */
  settled = false;
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

  /** Stops notifying the queue of the end of the request: nothing waits for it. */
  detach(): void {
    this.#end();
  }

  /** Takes over the entry of the log, which may have keys that the caller did not know. */
  syncFrom(entry: LogEntry): void {
    const isRevised = entry.revision > this.revision;
    const isMerged = entry.merged.length > (this.entry?.merged.length ?? 0);
    if (entry.tempIds.length < this.tempIds || isRevised || isMerged) this.args = entry.args;
    if (isRevised) this.show(entry.args);
    this.revision = entry.revision;
    this.tempIds = entry.tempIds.length;
    this.entry = entry;
  }
}

/** A mutation that is in the log. */
export interface PersistedMutation extends QueuedMutation {
  entry: LogEntry;
}
