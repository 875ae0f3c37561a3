/** What a controller tells whoever listens: devtools, persistence, other tabs, logs, tests. */
import type { EndpointInterface } from '../endpoint/Endpoint.ts';
import type { Args, Schema } from '../schema/schema.ts';
import type { Stamp } from '../store/versioning.ts';
import type { Failure } from '../store/Result.ts';

/** One request, in every event about it. */
export interface Issued {
  /** The same in all events about it, and of no other request of this controller: its logical time of issue. */
  readonly id: number;
  readonly endpoint: EndpointInterface;
  /** As they are sent: temporary primary keys give way to the server's once these are known. */
  readonly args: Args;
  readonly key: string;
  /** False: a mutation. */
  readonly read: boolean;
  /** When it was issued: wall time, ms since 1970. */
  readonly at: number;
}

/** One thing that a commit wrote. Everything in it is what the store was given, not a copy: it must not be changed. */
export interface Write {
  /** The request whose result it is; without one, entities and lists alone were written. */
  readonly key?: string | undefined;
  /** Of an answer: who asked. */
  readonly endpoint?: EndpointInterface | undefined;
  /** With `args`: how the value is laid into the store. */
  readonly schema: Schema;
  readonly args: Args;
  /** With `stamp`: what was written, as it came from the server or the caller. */
  readonly value?: unknown;
  /** When the value was known to be true, and until when it counts as fresh. */
  readonly stamp?: Stamp | undefined;
  /** In the place of a value: the error that is remembered under `key`. */
  readonly failure?: Failure | undefined;
}

/** One atomic change of the store. */
export interface Commit {
  /**
   * `answer`: of the server, or those of a transaction. `set`: `set`, `setResponse`, or a transaction without requests.
   * `error`: a read failed, or `setError`. `optimistic`, `rollback`: what is expected of mutations is shown, or taken back.
   */
  readonly cause:
    | 'answer'
    | 'set'
    | 'error'
    | 'invalidate'
    | 'expire'
    | 'reset'
    | 'optimistic'
    | 'rollback';
  /** Of the one request that caused it, or that `setResponse` and `setError` name. */
  readonly key: string | undefined;
  /** How many signals it wrote. */
  readonly written: number;
  /** The requests that caused it, by their `id`. */
  readonly ids: readonly number[];
  /** Wall time, ms since 1970. */
  readonly at: number;
  /** Logical time. */
  readonly time: number;
  /** The requests still on their way: their answers may have to give way to what was written. */
  readonly pending: readonly Issued[];
  /**
   * All that was confirmed, in its order; none of `reset`, `optimistic` and `rollback`, nor of an answer 304. Of
   * `invalidate` and `expire`: the keys that must be asked again. One without a key stands for whatever shows what an
   * empty answer left unsaid.
   */
  readonly writes: readonly Write[];
  /** It came from another controller, by `replay`. */
  readonly replayed?: true;
}

/*
 *   request ─┬─ optimistic ─ retry ─┬─ commit (answer)       that is its end; an empty answer may let keys expire after it
 *            │   (mutations)        ├─ error                 of a read after its commit; of a mutation after a rollback
 *            └──────────────────────┴─ abort                 after a rollback; nothing is remembered of it
 *
 * In a transaction an answer is shown first (optimistic) and ends with the commit of all: answer or rollback.
 */
/** What `controller.on(event, listener)` listens to, by name, with what the listener gets. */
export interface Events {
  /** One per request, however many attempts it takes; who joins one under way makes no other. */
  request: Issued;
  retry: Issued & {
    /** The attempt that follows: 2 is the first retry. */
    readonly attempt: number;
    /** In how many milliseconds. */
    readonly delay: number;
    /** What the attempt before failed with, as it was thrown. */
    readonly error: unknown;
  };
  commit: Commit;
  /** The request failed. */
  error: Issued & { readonly error: Error };
  /** The request was given up: nobody waits for it any more, or a reset came between. It has not happened. */
  abort: Issued & { readonly reason: unknown };
  reset: {
    /** How many resets there were. */
    readonly generation: number;
  };
}
