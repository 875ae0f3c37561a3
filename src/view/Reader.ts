/** The interface between adapters and the rendered objects, and the two readers that send no request. */
import type { EndpointInterface } from '../endpoint/Endpoint.ts';
import { noop } from '../request/promiseTry.ts';
import { kindOf } from '../schema/kindOf.ts';
import { Signal, signal } from '../signals.ts';
import type { Listener, ReadonlySignal } from '../signals.ts';
import type { Store } from '../store/Store.ts';
import { getOrCreateCell } from '../store/records/RecordObservers.ts';
import type { LoadedPages, PagePart } from '../store/results/LoadedPages.ts';
import { toNewReaderResult } from '../store/results/Result.ts';
import type { Result } from '../store/results/Result.ts';
import type { ResultRecord } from '../store/results/ResultRecord.ts';
import { loadedPagesOf } from '../store/writes/placePages.ts';

export type { LoadedPages, PagePart };

/** Implemented by the view of a request, the observer of a derived value, and the view of null arguments. */
export interface Reader<T = unknown> {
  readonly key: string;
  /** Immutable snapshots. Never throws: `thrown` marks an error of a Query function. The same object until a change. */
  readonly result: ReadonlySignal<Result<T>>;
  /** True while a read of this key is in flight. */
  readonly fetching: ReadonlySignal<boolean>;
  /** The last promise returned by `ensure`, or a fulfilled promise. */
  readonly ready: Ready;
  /**
   * Called while rendering: if there are no data to render, starts the request (once) and returns the promise to wait
   * for. `first`: this reader has not shown this key before, so expiry counts. `waiter`: identifies a mounted
   * component, which calls `removeWaiter` when rendering another reader before this reader was mounted.
   */
  ensure(first: boolean, waiter?: object): Ready | undefined;
  removeWaiter?(waiter: object): void;
  /**
   * Called on mount and when the arguments change: refetches stale data. `former`: the reader that the component has
   * rendered before.
   */
  revalidate(former?: Reader): void;
  /** Fetches missing and stale related rows of the data, and the rows that these need. Returns the data with the rows. */
  fetchRelated?(): Promise<unknown>;
  /** Keeps the data in the store until the returned function is called. */
  retain(): () => void;
  /** The number of `retain` calls that were not released: mounted components. */
  readonly readers: number;
  /**
   * While hydrating: a reader of the server's markup, if the markup differs from the present data. `place`: the name of
   * a reader that does not suspend, the same on server and client. A server records the places that rendered no data.
   */
  serverReader?(place?: string): Reader | undefined;
  /** Runs `listener` after each commit that changed the result. An exception of `listener` is reported. */
  listen(listener: Listener): () => void;
}

/** A promise whose state React's `use` can read. Never rejects: the result holds the error. */
export interface Ready extends Promise<void> {
  status?: 'pending' | 'fulfilled';
  value?: undefined;
}

/** The members of a fulfilled promise. */
export const FULFILLED = { status: 'fulfilled', value: undefined } as const;

export const FULFILLED_READY: Ready = Object.assign(Promise.resolve(), FULFILLED);

/** The signal `fetching` of all readers that send no request. */
export const NOT_FETCHING: ReadonlySignal<boolean> = /* @__PURE__ */ new Signal(false);

/** What a page does with the data of its server until it is hydrated. */
export interface Hydrator {
  /** Stores the data that the server sent for a request, when the first reader comes: the schema is unknown before. */
  hydrate(record: ResultRecord): void;
  /** Drops the data of keys that no reader has requested. */
  dropUnrequested(test: { testKey?(key: string): boolean }): void;
  /** A reader of the server's markup of a value; undefined if the markup shows the present data. */
  serverReader(reader: HydratableReader, place?: string): Reader | undefined;
}

/** A view of a request, or the observer of a derived value, which has no endpoint. */
export interface HydratableReader extends Reader {
  readonly record: ResultRecord;
  readonly endpoint?: EndpointInterface;
}

/** The context of the readers of a store. */
export interface ObserverContext {
  readonly store: Store;
  hydrator?: Hydrator | undefined;
}

export class StoreObserver<T = unknown> implements Reader<T> {
  readonly key: string;
  readonly context: ObserverContext;
  readonly record: ResultRecord;
  ready: Ready = FULFILLED_READY;
  readers = 0;
  /** The same result with live data, created on demand. */
  liveResult: ReadonlySignal<Result<T>> | undefined;
  /** True for views of requests: readers that have shown data before their deletion keep them, and do not refetch. */
  protected readonly keepsDeleted: boolean = false;
  retainedCache: object | undefined;

  constructor(context: ObserverContext, record: ResultRecord) {
    this.context = context;
    this.record = record;
    this.key = record.key;
  }

  get fetching(): ReadonlySignal<boolean> {
    return NOT_FETCHING;
  }

  /** The result for a new reader. */
  newReaderResult(): Result<T> {
    return toNewReaderResult(this.currentReaderResult());
  }

  /** The result for a reader that has shown this key before. */
  currentReaderResult(): Result<T> {
    const result = this.record.result();
    this.retainedCache = this.record.derivedCache();
    return (this.keepsDeleted ? result : toNewReaderResult(result)) as Result<T>;
  }

  /** True while the shown data are deleted. */
  protected get isDeleted(): boolean {
    const result = this.currentReaderResult();
    return result.status === 'success' && result.deleted === true;
  }

  get result(): ReadonlySignal<Result<T>> {
    const cell: ReadonlySignal<unknown> = getOrCreateCell(this.record, 'result', () =>
      this.currentReaderResult(),
    );
    return cell as ReadonlySignal<Result<T>>;
  }

  ensure(_first: boolean, _waiter?: object): Ready | undefined {
    return undefined;
  }

  revalidate(): void {}

  retain(): () => void {
    return noop;
  }

  serverReader(place?: string): Reader | undefined {
    return this.context.hydrator?.serverReader(this, place);
  }

  listen(listener: Listener): () => void {
    let last = this.currentReaderResult();
    // the record also notifies of changed data behind a hard error
    return this.record.listen(() => {
      const now = this.currentReaderResult();
      if (now === last) return;
      last = now;
      listener();
    });
  }
}

/** The loaded pages of the list that `reader` reads; undefined before the first response. */
export function pagesOfReader(reader: Reader): LoadedPages | undefined {
  const list = reader instanceof StoreObserver ? reader.record : undefined;
  return list?.hasResponse ? loadedPagesOf(list) : undefined;
}

/** A reader of null arguments: the data are the schema's empty value. */
export interface NullView extends Reader {
  readonly data: ReadonlySignal<unknown>;
}

function createNullView(data: unknown): NullView {
  const result: ReadonlySignal<Result> = signal({ status: 'success', data, error: undefined });
  const stop = () => noop;
  return {
    key: '',
    data: signal(data),
    result,
    fetching: NOT_FETCHING,
    ready: FULFILLED_READY,
    readers: 0,
    ensure: noop,
    revalidate: noop,
    retain: stop,
    listen: stop,
  };
}

const views = new WeakMap<object, NullView>();

/** The view of a schema, cached; all calls without a schema share one view. */
export function nullView(schema: unknown): NullView {
  // strings and numbers are no WeakMap keys
  const key = Object(schema) === schema ? (schema as object) : views;
  let view = views.get(key);
  if (view === undefined) {
    const data = key === schema ? kindOf(schema, 'schema').emptyValue?.() : undefined;
    views.set(key, (view = createNullView(data)));
  }
  return view;
}
