/** What is stored under one schema and its arguments, as signals; it never sends a request. */
import type { Listener, ReadonlySignal } from '../reactive.ts';
import { toNewcomer } from '../store/Result.ts';
import type { ResultRecord } from '../store/ResultRecord.ts';
import type { Result } from '../store/Result.ts';
import type { Store } from '../store/Store.ts';
import { getOrCreateCell } from './getOrCreateCell.ts';
import type { Reader } from './Reader.ts';
import { noop } from '../fetch/promiseTry.ts';
import { FULFILLED, IDLE } from './Ready.ts';
import type { Ready } from './Ready.ts';

export class StoreObserver<T = unknown> implements Reader<T> {
  readonly record: ResultRecord;
  ready: Ready = FULFILLED;
  readers = 0;
  readonly store: Store;
  /** The same result with live data, where it was asked for. */
  live: ReadonlySignal<Result<T>> | undefined = undefined;
  /** True for readers that would ask for what is deleted: it stays for those who show it. */
  protected readonly keeps: boolean = false;
  kept: object | undefined;

  constructor(store: Store, record: ResultRecord) {
    this.store = store;
    this.record = record;
  }

  get key(): string {
    return this.record.key;
  }

  get fetching(): ReadonlySignal<boolean> {
    return IDLE;
  }

  /** What a reader sees who comes now. */
  peek(): Result<T> {
    return toNewcomer(this.shown());
  }

  /** What those see who show it. */
  shown(): Result<T> {
    const result = this.record.result(this.store);
    this.kept = this.record.derivedState();
    return (this.keeps ? result : toNewcomer(result)) as Result<T>;
  }

  /** True while what is shown is deleted. */
  protected get ended(): boolean {
    const shown = this.shown();
    return shown.status === 'success' && shown.deleted === true;
  }

  get result(): ReadonlySignal<Result<T>> {
    const cell: ReadonlySignal<unknown> = getOrCreateCell(this.record, 'result', () =>
      this.shown(),
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
    let last = this.shown();
    // a record notifies of data that a hard error hides, too
    return this.record.listen(() => {
      const now = this.shown();
      if (now === last) return;
      last = now;
      listener();
    });
  }
}
