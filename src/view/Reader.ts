/** What adapters ask of whatever they show. */
import type { Listener, ReadonlySignal } from '../reactive.ts';
import type { Result } from '../store/Result.ts';
import type { Ready } from './Ready.ts';

/** A view of a request, a derived value, or nothing (null arguments): all answer this. */
export interface Reader<T = unknown> {
  readonly key: string;
  /** Immutable snapshots. Never throws (`thrown` marks what a Query function threw); the same object until a change. */
  readonly result: ReadonlySignal<Result<T>>;
  /** True while a read of this key is on its way. */
  readonly fetching: ReadonlySignal<boolean>;
  /** The last promise that `ensure` gave, or one that is fulfilled. */
  readonly ready: Ready;
  /**
   * While rendering: when there is nothing to show, starts the request (once) and gives the promise to wait for.
   * `first`: this reader has not shown this key before, so expiry counts. `waiter`: stands for a mounted component, which
   * calls `leave` when it renders another reader before this one was mounted.
   */
  ensure(first: boolean, waiter?: object): Ready | undefined;
  leave?(waiter: object): void;
  /** When mounted, or its arguments changed: asks again where what is there is stale. */
  revalidate(): void;
  /** Keeps what is shown until the function given back is called. */
  retain(): () => void;
  /** How many have retained it and not let go: components on the screen. */
  readonly readers: number;
  /**
   * While hydrating: what the server has drawn, where that is not what is known now. `place`: of a reader that does not
   * wait, a name that is the same there; a server takes note of those that have drawn nothing.
   */
  served?(place?: string): Reader | undefined;
  /** Runs `listener` after each commit that changed the result. An exception of `listener` is reported. */
  listen(listener: Listener): () => void;
}
