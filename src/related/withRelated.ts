/** Endpoints whose readers also fetch related rows: `withRelated(getPost, { author: true })`. */
import type { EndpointCall, EndpointInterface } from '../endpoint/Endpoint.ts';
import { isNotFound } from '../endpoint/Endpoint.ts';
import { argumentChecks } from '../endpoint/argumentChecks.ts';
import { checkObject, DEV, reportException } from '../errors.ts';
import { liveResult } from '../live/liveResult.ts';
import { isNumericTempPk } from '../optimistic/TempIds.ts';
import { requestsIn } from '../query/relations/requestsIn.ts';
import type { AnyRequests } from '../query/relations/requestsIn.ts';
import { contextOf } from '../request/FetchContext.ts';
import type { FetchContext } from '../request/FetchContext.ts';
import { noop } from '../request/promiseTry.ts';
import { EntityKind } from '../schema/EntityKind.ts';
import { isObject } from '../schema/fieldOf.ts';
import type { Denormalized, Fields, Args } from '../schema/schema.ts';
import { keysIn } from '../schema/toPk.ts';
import { Cell, computed, untrackedAll } from '../signals.ts';
import type { Listener, ReadonlySignal } from '../signals.ts';
import { thrownResult } from '../store/results/Result.ts';
import type { Failure, Result } from '../store/results/Result.ts';
import { StoreObserver } from '../view/Reader.ts';
import type { Reader, Ready } from '../view/Reader.ts';
import { hasRequest } from '../view/Status.ts';

/**
 * The members of the data that readers fetch: `{ author: true, comments: { author: true } }`. For a list, the members
 * of the rows; `true` fetches the relation alone, an object further relations, too.
 */
export type RelatedRequests<T> = T extends readonly (infer Row)[]
  ? RelatedRequests<Row>
  : object & {
      readonly [K in keyof T as MemberName<T, K>]?: true | RelatedRequests<NonNullable<T[K]>>;
    };

/** `K`, if the member is an object or a list of objects. */
type MemberName<T, K extends keyof T> =
  NonNullable<T[K]> extends (...args: never) => unknown
    ? never
    : T[K] extends readonly (infer Row)[] | null | undefined
      ? Row extends object
        ? K
        : never
      : T[K] extends object | null | undefined
        ? K
        : never;

/** An endpoint that can be extended. */
interface Extensible extends EndpointInterface {
  extend(options: never): unknown;
}

/** The data of an endpoint. */
type ReadData<E extends EndpointInterface> = NonNullable<
  [Exclude<E['schema'], undefined>] extends [never]
    ? Awaited<ReturnType<E>>
    : Denormalized<Exclude<E['schema'], undefined>>
>;

const readers = new WeakMap<StoreObserver, Map<string, RelatedReader>>();
/** The members that the readers of an endpoint fetch, by the endpoint's `createReader`. */
const includes = new WeakMap<object, AnyRequests>();

/**
 * The same endpoint, for readers that also need related rows: a relation with `from` fetches rows as soon as the parent
 * is known, all in parallel. Readers suspend once, until all are there. Key, data and mutations are those of
 * `endpoint`; `controller.fetch` fetches `endpoint` alone, `prefetch` and `fetchIfStale` the related rows, too. Members of
 * several calls add up.
 */
export function withRelated<E extends Extensible>(
  endpoint: E,
  include: RelatedRequests<ReadData<E>>,
): E {
  if (DEV) argumentChecks?.endpoint(endpoint);
  if (DEV) checkObject('withRelated', include, 'an object of relations or of members');
  const former = endpoint.createReader && includes.get(endpoint.createReader);
  const all = merge(former ?? {}, include);
  const name = JSON.stringify(all);
  const createReader = (reader: object, controller: ReaderSource): object => {
    if (!(reader instanceof StoreObserver)) return reader;
    let known = readers.get(reader);
    if (known === undefined) readers.set(reader, (known = new Map()));
    let related = known.get(name);
    if (related === undefined)
      known.set(name, (related = new RelatedReader(reader, all, controller)));
    return related;
  };
  includes.set(createReader, all);
  return endpoint.extend({ createReader } as never) as E;
}

/** The members of both, at each level; without those that are undefined. */
function merge(former: AnyRequests, next: AnyRequests): AnyRequests {
  const merged: Fields = { ...former };
  for (const [name, members] of Object.entries(next) as [string, unknown][]) {
    const known = merged[name];
    if (isObject(members)) merged[name] = merge(isObject(known) ? known : {}, members);
    else if (members !== undefined) merged[name] ??= members;
  }
  return merged;
}

/** The controller, as far as readers of related rows use it. */
interface ReaderSource {
  view(endpoint: EndpointInterface, ...args: readonly unknown[]): Reader;
  fetchIfStale(endpoint: EndpointInterface, ...args: readonly unknown[]): Promise<unknown>;
}

/*
 * A reader of a request together with the requests of related rows.
 *
 *   getPost ──► post ──┬──► getComments {postId: 1} ──► comments ──► getUser {id: 7} …
 *                      └──► getUser {id: 3}
 *
 * Each response may name further requests: these are sent at once, while the others are still in flight. A component
 * suspends until none is missing. A mounted component does not suspend again: what later rows need is fetched in the
 * background.
 */
class RelatedReader extends StoreObserver {
  readonly #reader: StoreObserver;
  readonly #include: AnyRequests;
  readonly #controller: ReaderSource;
  readonly #context: FetchContext;
  readonly #result: ReadonlySignal<Result>;
  readonly #fetching: ReadonlySignal<boolean>;
  /** While a component is mounted: the readers of the related rows, and the functions that release them. */
  readonly #retained = new Map<Reader, () => void>();
  #stopFollowing: (() => void) | undefined;
  /** The readers of the related rows of the data that were read last. */
  #known: { readonly data: unknown; readonly readers: readonly Reader[] } | undefined;
  /** The results for data with which a function of a relation threw. */
  readonly #thrownFor = new WeakMap<object, Result>();
  /** True once a mounted component had all rows, until the rows are requested anew. */
  #wasComplete = false;

  constructor(reader: StoreObserver, include: AnyRequests, controller: ReaderSource) {
    super(reader.context, reader.record);
    this.#reader = reader;
    this.#include = include;
    this.#controller = controller;
    this.#context = contextOf(controller);
    this.#result = computed(() => this.#withFailures(reader.result.value));
    this.#fetching = new AnyFetchingCell(() => [reader, ...this.#related(reader.result.value)]);
    let live: ReadonlySignal<Result> | undefined;
    Object.defineProperty(this, 'liveResult', {
      get: () =>
        (live ??= computed(() =>
          this.#withFailures(liveResult(reader).value, reader.result.value),
        )),
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

  /** The result, or the result of a request for related rows that failed without data. `snapshot`: of live data. */
  #withFailures(result: Result, snapshot = result): Result {
    if (result.status !== 'success') return result;
    for (const reader of this.#related(snapshot)) {
      const related = reader.result.value;
      // a complete list stays: later rows may lack related rows
      const isHidden = this.#wasComplete && failureOf(reader)?.hard === false;
      if (related.status === 'error' && !isHidden && !isMissingRow(reader)) return related;
    }
    return this.#thrownFor.get(snapshot.data as object) ?? result;
  }

  /** Of the rows, else of related rows. */
  get failure(): Failure | undefined {
    return this.#readers.map(failureOf).find((each) => each !== undefined);
  }

  /** Until when the rows and all related rows are fresh. */
  get expiresAt(): number {
    const times = this.#readers.map((each) => (hasRequest(each) ? each.expiresAt : Infinity));
    return Math.min(...times);
  }

  /** Of the rows and of all related rows that the server has. */
  get #readers(): Reader[] {
    return [this.#reader, ...this.#related().filter((reader) => !isMissingRow(reader))];
  }

  /** The readers of the related rows that are known to be needed; none if a function of a relation throws. */
  #related(result: Result = this.#reader.result.peek()): readonly Reader[] {
    const { tempIds } = this.#context;
    const { data } = result;
    const known = this.#known;
    this.#known = undefined;
    // readers keep the rows of a deleted row, which the server does not have
    if (result.status === 'success' && result.deleted) return [];
    // the readers of a mounted component are retained, and stay the same
    if (this.readers > 0 && known?.data === data && known) return (this.#known = known).readers;
    // a row that the server does not know yet has no other related rows there
    const canSend = (args: Args) =>
      !tempIds?.resolutionsFor(args).length && !keysIn(args).some(isNumericTempPk);
    try {
      const requests = requestsIn(data, this.#include, canSend);
      const found = requests.map(([endpoint, ...args]) => this.#controller.view(endpoint, ...args));
      this.#known = { data, readers: found };
      return found;
    } catch (error) {
      // the same result until other data
      if (!this.#thrownFor.has(data as object))
        this.#thrownFor.set(data as object, thrownResult<Result>(error));
      return [];
    }
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
    let { data } = this.#reader.result.peek();
    // a request that was given up is not sent again: each reader is followed once
    const follow = async (wait: Ready): Promise<void> => {
      await wait;
      const before = data;
      ({ data } = this.#reader.result.peek());
      // only other data name other requests
      if (data !== before) await Promise.all(this.#ensureRelated(ensured, waiter).map(follow));
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
    for (const reader of [this.#reader as Reader, ...this.#retained.keys()])
      reader.revalidate(former);
  }

  async fetchRelated(): Promise<unknown> {
    await this.#fetchMissing(new Set());
    return this.#reader.result.peek().data;
  }

  async #fetchMissing(asked: Set<Reader>): Promise<void> {
    const missing = this.#related().filter((reader) => !asked.has(reader));
    for (const reader of missing) asked.add(reader);
    const fetches = missing.map(async (reader) => {
      const { endpoint, args } = reader as Reader & EndpointCall;
      await this.#controller.fetchIfStale(endpoint, ...args).catch(noop);
      await this.#fetchMissing(asked);
    });
    await Promise.all(fetches);
  }

  override retain(): () => void {
    const release = this.#reader.retain();
    // readers that were not retained may be of records that were collected since
    if (this.readers === 0) this.#known = undefined;
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

  /** Retains and fetches related rows, also of rows that come later. */
  #follow(): () => void {
    this.#retainRelated(this.#related());
    const stop = this.listen(() => {
      if (!this.#isInvalidated) this.#retainRelated(this.#related());
      if (this.#reader.result.peek().status === 'pending') this.#wasComplete = false;
    });
    return () => {
      stop();
      this.#retainRelated([]);
    };
  }

  /** True while the rows are requested anew: their related rows are needed as before. */
  get #isInvalidated(): boolean {
    return this.record.invalidatedAt !== undefined && this.#reader.result.peek().data === undefined;
  }

  #retainRelated(readers: readonly Reader[]): void {
    const needed = new Set(readers);
    for (const reader of needed) {
      if (this.#retained.has(reader)) continue;
      const release = reader.retain();
      // the component does not suspend for rows that are invalidated
      const stop = reader.listen(() => {
        this.#noteIfComplete();
        const isKnown = this.#isInvalidated || this.#reader.result.peek().status === 'success';
        if (isKnown) void reader.ensure(false);
      });
      this.#retained.set(reader, () => {
        stop();
        release();
      });
      reader.revalidate();
    }
    for (const [reader, release] of this.#retained) {
      if (needed.has(reader)) continue;
      this.#retained.delete(reader);
      release();
    }
    this.#noteIfComplete();
  }

  #noteIfComplete(): void {
    if (this.#wasComplete) return;
    const readers: Reader[] = [this.#reader, ...this.#retained.keys()];
    this.#wasComplete = readers.every(
      (reader) => reader.result.peek().status === 'success' || isMissingRow(reader),
    );
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

  override serverReader(place?: string): Reader | undefined {
    return this.#reader.serverReader(place);
  }
}

const failureOf = (reader: Reader): Failure | undefined =>
  hasRequest(reader) ? (reader.failure ?? reader.record.failure) : undefined;

/** True if the server does not have the row: the member of its parent is undefined, as of any unknown row. */
function isMissingRow(reader: Reader): boolean {
  const isRow = hasRequest(reader) && reader.record.kind instanceof EntityKind;
  return isRow && isNotFound(failureOf(reader)?.error);
}

/** True while a request of one of several readers is in flight. Follows the requests only while the signal is watched. */
class AnyFetchingCell extends Cell<boolean> {
  readonly #readers: () => readonly Reader[];
  #stop: (() => void) | undefined;

  constructor(readers: () => readonly Reader[]) {
    super();
    this.#readers = readers;
  }

  protected current(): boolean {
    return untrackedAll(() => this.#readers().some(({ fetching }) => fetching.peek()));
  }

  protected setStrong(strong: boolean): void {
    this.#stop?.();
    this.#stop = undefined;
    if (!strong) return;
    const isFetching = computed(() =>
      this.#readers().reduce((is, { fetching }) => fetching.value || is, false),
    );
    let last = untrackedAll(() => isFetching.value);
    this.#stop = untrackedAll(() =>
      isFetching.subscribe((now) => {
        if (now !== last) this.tick();
        last = now;
      }),
    );
  }
}
