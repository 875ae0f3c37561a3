/** The interface between adapters and the objects that they render. */
import { Signal } from '../signals.ts';
import type { Listener, ReadonlySignal } from '../signals.ts';
import type { Result } from '../store/results/Result.ts';

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
   * component, which calls `removeWaiter` when it renders another reader before this reader was mounted.
   */
  ensure(first: boolean, waiter?: object): Ready | undefined;
  removeWaiter?(waiter: object): void;
  /**
   * Called on mount and when the arguments change: refetches stale data. `former`: the reader that the component has
   * rendered before.
   */
  revalidate(former?: Reader): void;
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

/** A promise whose state React's `use` can read. It never rejects: the result holds the error. */
export interface Ready extends Promise<void> {
  status?: 'pending' | 'fulfilled';
  value?: undefined;
}

/** The members of a fulfilled promise. */
export const FULFILLED = { status: 'fulfilled', value: undefined } as const;

export const FULFILLED_READY: Ready = Object.assign(Promise.resolve(), FULFILLED);

/** The signal `fetching` of all readers that send no request. */
export const NOT_FETCHING: ReadonlySignal<boolean> = /* @__PURE__ */ new Signal(false);
