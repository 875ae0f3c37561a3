/** What is stored under one schema and its arguments, as signals; it never sends a request. */
import { computed } from '../reactive.ts';
import type { Listener, ReadonlySignal } from '../reactive.ts';
import { projects } from '../schema/project.ts';
import { INVALID } from '../schema/schema.ts';
import { PENDING, toNewcomer } from '../store/Result.ts';
import { thrownResult } from '../store/thrownResult.ts';
import type { ResultRecord } from '../store/ResultRecord.ts';
import type { Result } from '../store/Result.ts';
import type { Store } from '../store/Store.ts';
import { cellIn } from './cellIn.ts';
import type { LiveSource } from './live.ts';
import { mirrored } from './mirrored.ts';
import { shapeOf } from './shapeOf.ts';
import type { Reader } from './Reader.ts';
import { FULFILLED, IDLE, noop } from './Ready.ts';
import type { Ready } from './Ready.ts';

export class Reading<T = unknown> implements Reader<T> {
  readonly record: ResultRecord;
  ready: Ready = FULFILLED;
  readers = 0;
  readonly #store: Store;
  readonly #lives: LiveSource;
  #live: ReadonlySignal<Result<T>> | undefined;
  #last: Result<T> | undefined;
  #end: { readonly of: Result<T>; readonly result: Result<T> } | undefined;
  /** True for readers that would ask for what is deleted: it stays for those who show it. */
  protected readonly keeps: boolean = false;
  protected kept: object | undefined;

  constructor(store: Store, lives: LiveSource, record: ResultRecord) {
    this.#store = store;
    this.#lives = lives;
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
  protected shown(): Result<T> {
    const result = this.record.result(this.#store);
    this.kept = this.record.kept();
    return (this.keeps ? result : toNewcomer(result)) as Result<T>;
  }

  /** True while what is shown is deleted. */
  protected get ended(): boolean {
    const shown = this.shown();
    return shown.status === 'success' && shown.deleted === true;
  }

  get result(): ReadonlySignal<Result<T>> {
    const cell: ReadonlySignal<unknown> = cellIn(this.record, 'result', () => this.shown());
    return cell as ReadonlySignal<Result<T>>;
  }

  get live(): ReadonlySignal<Result<T>> {
    return (this.#live ??= computed(() => this.#lively()));
  }

  #lively(): Result<T> {
    const { record } = this;
    void shapeOf(record).value;
    let data: unknown;
    try {
      data = this.#liveData();
    } catch (error) {
      return (this.#last = thrownResult(error, this.#last));
    }
    if (data !== INVALID) {
      if (this.#last?.data !== data) {
        mirrored(data, () => this.result.value.data);
        this.#last = { status: 'success', data: data as T, error: undefined };
      }
      return this.#last as Result<T>;
    }
    // what was asked may be there all the while that an answer changes nothing else: only the result tells
    void this.result.value;
    const shown = this.shown();
    if (shown.status !== 'success') return shown;
    return shown.deleted === undefined ? PENDING : this.#ended(shown);
  }

  /** The live data that were shown last of what is deleted; a snapshot where there were none. */
  #ended(shown: Result<T>): Result<T> {
    if (this.#end?.of !== shown) {
      const data = this.#last?.data ?? shown.data;
      this.#end = { of: shown, result: { ...shown, data } as Result<T> };
    }
    return this.#end.result;
  }

  /** Live data, or INVALID where a reader gets none. No snapshot is built, unless an error may stand before the data. */
  #liveData(): unknown {
    const { record } = this;
    const { failure, node } = record;
    if (node === undefined || record.withheld) return INVALID;
    if (failure !== undefined && this.peek().status !== 'success') return INVALID;
    if (projects(record.kind)) {
      // a live object is one for all: what depends on the arguments is read as a snapshot
      void this.result.value;
      return record.data(this.#store);
    }
    const data = record.kind.denormalize(node, this.#lives);
    this.kept = record.kept();
    return data;
  }

  ensure(_first: boolean): Ready | undefined {
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
