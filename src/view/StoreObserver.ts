/** The stored value of one schema and its arguments, as signals; sends no requests. */
import type { Listener, ReadonlySignal } from '../signals.ts';
import { toNewReaderResult } from '../store/results/Result.ts';
import type { ResultRecord } from '../store/results/ResultRecord.ts';
import type { Result } from '../store/results/Result.ts';
import type { Store } from '../store/Store.ts';
import { getOrCreateCell } from './getOrCreateCell.ts';
import type { Reader, Ready } from './Reader.ts';
import { noop } from '../request/promiseTry.ts';
import { FULFILLED_READY, NOT_FETCHING } from './Reader.ts';

export class StoreObserver<T = unknown> implements Reader<T> {
  readonly record: ResultRecord;
  ready: Ready = FULFILLED_READY;
  readers = 0;
  readonly store: Store;
  /** The same result with live data, created on demand. */
  liveResult: ReadonlySignal<Result<T>> | undefined = undefined;
  /** True for views of requests: readers that have shown data before their deletion keep them, and do not refetch. */
  protected readonly keepsDeleted: boolean = false;
  retainedCache: object | undefined;

  constructor(store: Store, record: ResultRecord) {
    this.store = store;
    this.record = record;
  }

  get key(): string {
    return this.record.key;
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
