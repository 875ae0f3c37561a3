/** The events of a controller, for devtools, persistence, other tabs, logs and tests; and listeners by event. */
import type { EndpointInterface } from '../endpoint/Endpoint.ts';
import { warn } from '../errors.ts';
import type { UnknownError } from '../errors.ts';
import type { Args, Schema } from '../schema/schema.ts';
import type { Stamp } from '../store/records/versioning.ts';
import type { PageImage } from '../store/results/LoadedPages.ts';
import type { Failure } from '../store/results/Result.ts';

/** The request that an event is about. */
export interface Issued {
  /** Logical time of issue: the same in all events about this request, and unique in the controller. */
  readonly id: number;
  readonly endpoint: EndpointInterface;
  /** The arguments as sent. Once known, the server's primary keys replace temporary keys. */
  readonly args: Args;
  readonly key: string;
  /** False for a mutation. */
  readonly read: boolean;
  /** Wall time of issue, ms since 1970. */
  readonly at: number;
}

/** The pages of a list that were fetched again. */
export interface WrittenPages {
  readonly start: number;
  readonly hasMore: boolean;
  readonly images: readonly PageImage[];
}

/** An entry of a commit. Do not change the members: the store was given the same objects, not copies. */
export interface Write {
  /** The key of the request that has this result. Undefined if only entities and lists were written. */
  readonly key?: string | undefined;
  /** The endpoint of the request, if the entry is a response. */
  readonly endpoint?: EndpointInterface | undefined;
  /** The schema and the arguments under which the value is normalized. */
  readonly schema: Schema;
  readonly args: Args;
  /** The value as received from the server or the caller. Present together with `stamp`. */
  readonly value?: unknown;
  /** When the value was known to be true, and until when the value is fresh. */
  readonly stamp?: Stamp | undefined;
  /** The value is made of these pages of a list; `start`: the index of the first page among all pages. */
  readonly pages?: WrittenPages | undefined;
  /** The error that is stored under `key`, instead of a value. */
  readonly failure?: Failure | undefined;
}

/** Selects requests by key: an endpoint, or any object with a `testKey`. */
export interface KeyTest {
  testKey?(key: string): boolean;
  /** The tests of which `testKey` is made: other tabs know endpoints by their names, and no functions. */
  readonly anyOf?: readonly KeyTest[];
}

/** Selects each key that any of the tests selects. */
export function anyOf(tests: Iterable<KeyTest>): KeyTest {
  const all = [...tests];
  return { testKey: (key) => all.some((test) => test.testKey?.(key)), anyOf: all };
}

/** An atomic change of the store. */
export interface Commit {
  /**
   * `answer`: a response of the server, or the responses of a transaction. `set`: `set`, `setResponse`, or a
   * transaction without requests. `error`: a read failed, or `setError`. `optimistic`: optimistic writes are shown.
   * `rollback`: optimistic writes are undone.
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
  /** The key of the single request that caused the commit, or the key given to `setResponse` or `setError`. */
  readonly key: string | undefined;
  /** How many signals the commit wrote. */
  readonly written: number;
  /** The `id` of each request that caused the commit. */
  readonly ids: readonly number[];
  /** Wall time, ms since 1970. */
  readonly at: number;
  /** Logical time. */
  readonly time: number;
  /** The requests in flight: their responses may be older than the data written here. */
  readonly pending: readonly Issued[];
  /**
   * All confirmed writes, in order. `reset`, `optimistic`, `rollback` and a response 304 have none. `invalidate` and
   * `expire` list the keys to refetch. An entry without key and value stands for the results that a mutation with an
   * empty response affects.
   */
  readonly writes: readonly Write[];
  /** Of `invalidateAll` and `expireAll`: what has selected the keys. */
  readonly test?: KeyTest | undefined;
  /** True for a commit of another controller, written by `replay`. */
  readonly replayed?: true;
}

/*
 *   request ─┬─ optimistic ─ retry ─┬─ commit (answer)       the end; an empty response may expire results afterwards
 *            │   (mutations)        ├─ error                 read: after the commit; mutation: after the rollback
 *            └──────────────────────┴─ abort                 after a rollback; the store keeps no trace of the request
 *
 * In a transaction, a response is shown first (optimistic). A single commit ends all requests: answer or rollback.
 */
/** The events of `controller.on(event, listener)` by name, with the detail that the listener gets. */
export interface Events {
  /** Once per request, regardless of attempts. A caller that joins a request in flight emits no further event. */
  request: Issued;
  retry: Issued & {
    /** The number of the next attempt: 2 is the first retry. */
    readonly attempt: number;
    /** Milliseconds until the next attempt. */
    readonly delay: number;
    /** The error of the previous attempt, as thrown. */
    readonly error: unknown;
  };
  commit: Commit;
  /** The request failed. */
  error: Issued & { readonly error: UnknownError };
  /** The request was cancelled: no callers are left, or the store was reset. No trace stays in the store. */
  abort: Issued & { readonly reason: unknown };
  reset: {
    /** The number of resets so far. */
    readonly generation: number;
  };
}

/** Calls listeners by the name of an event; `EventMap` maps each name to the detail that listeners get. */
export class Emitter<EventMap extends object> {
  readonly #listeners = new Map<keyof EventMap, Set<(detail: never) => void>>();

  /** Calls `detailOf` for the detail only if the event has listeners. */
  emit<E extends keyof EventMap>(event: E, detailOf: () => EventMap[E]): void {
    const listeners = this.#listeners.get(event);
    if (!listeners?.size) return;
    const detail = detailOf();
    for (const listener of listeners) {
      try {
        listener(detail as never);
      } catch (reason) {
        // an exception of a listener stops neither the emitter nor other listeners
        warn('E4', event as string, { event, reason });
      }
    }
  }

  /** Returns the function that removes the listener. */
  on<E extends keyof EventMap>(event: E, listener: (detail: EventMap[E]) => void): () => void {
    let listeners = this.#listeners.get(event);
    if (listeners === undefined) this.#listeners.set(event, (listeners = new Set()));
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }
}

/** The emitter of a context, created for the first listener. */
export function emitterOf(context: { events?: Emitter<Events> }): Emitter<Events> {
  return (context.events ??= new Emitter());
}
