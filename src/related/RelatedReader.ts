/** A reader of a request together with the requests of related rows. */
import { reportException } from '../errors.ts';
import type { EndpointInterface } from '../endpoint/Endpoint.ts';
import { liveResult } from '../live/liveResult.ts';
import { noop } from '../request/promiseTry.ts';
import { computed } from '../signals.ts';
import type { Listener, ReadonlySignal } from '../signals.ts';
import type { Result } from '../store/results/Result.ts';
import { StoreObserver } from '../view/Reader.ts';
import type { Reader, Ready } from '../view/Reader.ts';
import { requestsIn } from '../query/relations/requestsIn.ts';
import type { AnyRequests } from '../query/relations/requestsIn.ts';

/*
 *   getPost ──► post ──┬──► getComments {postId: 1} ──► comments ──► getUser {id: 7} …
 *                      └──► getUser {id: 3}
 *
 * Each response may name further requests: they are sent at once, while the others are still in flight. A component
 * suspends until none is missing. Once mounted it does not suspend again: what later rows need is fetched in the
 * background.
 */
/** The controller, as far as readers of related rows use it. */
export interface ReaderSource {
  view(endpoint: EndpointInterface, ...args: readonly unknown[]): Reader;
}

export class RelatedReader extends StoreObserver {
  readonly #reader: StoreObserver;
  readonly #include: AnyRequests;
  readonly #controller: ReaderSource;
  readonly #result: ReadonlySignal<Result>;
  readonly #fetching: ReadonlySignal<boolean>;
  /** While a component is mounted: the readers of the related rows, and the functions that release them. */
  readonly #retained = new Map<Reader, () => void>();

  constructor(reader: StoreObserver, include: AnyRequests, controller: ReaderSource) {
    super(reader.store, reader.record);
    this.#reader = reader;
    this.#include = include;
    this.#controller = controller;
    this.#result = computed(() => this.#withFailures(reader.result.value));
    this.#fetching = computed(() =>
      [reader, ...this.#related()].some(({ fetching }) => fetching.value),
    );
    let live: ReadonlySignal<Result> | undefined;
    Object.defineProperty(this, 'liveResult', {
      get: () => (live ??= computed(() => this.#withFailures(liveResult(reader).value))),
    });
  }

  override get result(): ReadonlySignal<Result> {
    return this.#result;
  }

  override get fetching(): ReadonlySignal<boolean> {
    return this.#fetching;
  }

  override currentReaderResult(): Result {
    return this.#withFailures(this.#reader.currentReaderResult());
  }

  /** The result, or the result of a request for related rows that failed without data. */
  #withFailures(result: Result): Result {
    if (result.status !== 'success') return result;
    for (const reader of this.#related(result.data)) {
      const related = reader.result.value;
      if (related.status === 'error') return related;
    }
    return result;
  }

  /** The readers of the related rows that are known to be needed. */
  #related(data: unknown = this.#reader.result.peek().data): Reader[] {
    const requests = requestsIn(data, this.#include);
    return requests.map(([endpoint, ...args]) => this.#controller.view(endpoint, ...args));
  }

  override ensure(first: boolean, waiter?: object): Ready | undefined {
    const wait = this.#reader.ensure(first, waiter);
    if (!first) return wait;
    const ensured = new Set<Reader>();
    const waits = this.#ensureRelated(ensured, waiter);
    if (wait !== undefined) waits.unshift(wait);
    if (waits.length === 0) return undefined;
    if (this.ready.status !== 'pending') this.ready = this.#waitForAll(waits, ensured, waiter);
    return this.ready;
  }

  /** Sends the requests that are missing, of readers that are not in `ensured`. */
  #ensureRelated(ensured: Set<Reader>, waiter?: object): Ready[] {
    return this.#related().flatMap((reader) => {
      if (ensured.has(reader)) return [];
      ensured.add(reader);
      const isNew = reader.readers === 0 || reader.result.peek().status === 'error';
      return reader.ensure(isNew, waiter) ?? [];
    });
  }

  #waitForAll(waits: readonly Ready[], ensured: Set<Reader>, waiter?: object): Ready {
    // a request that was given up is not sent again: each reader is followed once
    const follow = async (wait: Ready): Promise<void> => {
      await wait;
      await Promise.all(this.#ensureRelated(ensured, waiter).map(follow));
    };
    let isSettled = false;
    const ready = Promise.all(waits.map(follow)).then(() => {
      isSettled = true;
    });
    const status = () => (isSettled ? 'fulfilled' : 'pending');
    return Object.defineProperty(ready, 'status', { get: status });
  }

  removeWaiter(waiter: object): void {
    const readers: Reader[] = [this.#reader, ...this.#related()];
    for (const reader of readers) reader.removeWaiter?.(waiter);
  }

  override revalidate(former?: Reader): void {
    (this.#reader as Reader).revalidate(former);
  }

  override retain(): () => void {
    const release = this.#reader.retain();
    const stop = this.readers++ === 0 ? this.#follow() : noop;
    this.#stopFollowing ??= stop;
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      release();
      if (--this.readers > 0) return;
      this.#stopFollowing?.();
      this.#stopFollowing = undefined;
    };
  }

  #stopFollowing: (() => void) | undefined;

  /** Retains and fetches related rows, also of rows that come later. */
  #follow(): () => void {
    this.#retainRelated(this.#related());
    const stop = this.listen(() => this.#retainRelated(this.#related()));
    return () => {
      stop();
      this.#retainRelated([]);
    };
  }

  #retainRelated(readers: readonly Reader[]): void {
    const needed = new Set(readers);
    for (const reader of needed) {
      if (this.#retained.has(reader)) continue;
      this.#retained.set(reader, reader.retain());
      reader.revalidate();
    }
    for (const [reader, release] of this.#retained) {
      if (needed.has(reader)) continue;
      this.#retained.delete(reader);
      release();
    }
  }

  override listen(listener: Listener): () => void {
    let last = this.#result.peek();
    return this.#result.subscribe((now) => {
      if (now === last) return;
      last = now;
      try {
        listener();
      } catch (error) {
        reportException(error);
      }
    });
  }

  serverReader(place?: string): Reader | undefined {
    return (this.#reader as Reader).serverReader?.(place);
  }
}
