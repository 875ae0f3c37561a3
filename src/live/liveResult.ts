/** The result of a reader with live data, for adapters whose components follow single fields. */
import { checkObject, DEV } from '../errors.ts';
import { attachSnapshot } from '../schema/attachSnapshot.ts';
import { dependsOnReader } from '../schema/projectForReader.ts';
import { INVALID } from '../schema/schema.ts';
import { computed } from '../signals.ts';
import type { ReadonlySignal } from '../signals.ts';
import { membershipSignal } from '../store/records/RecordObservers.ts';
import { PENDING, thrownResult } from '../store/results/Result.ts';
import type { Result } from '../store/results/Result.ts';
import type { ResultRecord } from '../store/results/ResultRecord.ts';
import { StoreObserver } from '../view/Reader.ts';
import type { Reader } from '../view/Reader.ts';
import { liveSourceOf } from './LiveSource.ts';

/**
 * Like `reader.result`, with live data: the signal changes when rows are added, removed or moved, not when a field
 * changes. Each call with the same reader returns the same signal.
 */
export function liveResult<T>(reader: Reader<T>): ReadonlySignal<Result<T>> {
  if (DEV) checkObject('liveResult', reader, 'a reader: controller.view(get, { id })');
  // the data of null arguments never change
  if (!(reader instanceof StoreObserver)) return reader.result;
  const reading = reader as StoreObserver<T>;
  return (reading.liveResult ??= new LiveResult(reading).signal);
}

class LiveResult<T> {
  readonly signal: ReadonlySignal<Result<T>> = computed(() => this.#compute());
  readonly #observer: StoreObserver<T>;
  #last: Result<T> | undefined;
  #deletedResult: { readonly of: Result<T>; readonly result: Result<T> } | undefined;

  constructor(reading: StoreObserver<T>) {
    this.#observer = reading;
  }

  #compute(): Result<T> {
    const { record, result } = this.#observer;
    void membershipSignal(record).value;
    let data: unknown;
    try {
      data = this.#data();
    } catch (error) {
      return (this.#last = thrownResult(error, this.#last));
    }
    if (data !== INVALID) {
      if (this.#last?.data !== data) {
        attachSnapshot(data, () => result.value.data);
        this.#last = { status: 'success', data: data as T, error: undefined };
      }
      return this.#last as Result<T>;
    }
    // the node may be present while a response changes nothing else: then only the result signal notifies
    void result.value;
    const shown = this.#observer.currentReaderResult();
    if (shown.status !== 'success') return shown;
    return shown.deleted === undefined ? PENDING : this.#ended(shown);
  }

  /** The last live data of a deleted result; a snapshot if there were none. */
  #ended(shown: Result<T>): Result<T> {
    if (this.#deletedResult?.of !== shown) {
      const data = this.#last?.data ?? shown.data;
      this.#deletedResult = { of: shown, result: { ...shown, data } as Result<T> };
    }
    return this.#deletedResult.result;
  }

  /** Live data, or INVALID if readers get none. Builds no snapshot, unless an error may hide the data. */
  #data(): unknown {
    const reading = this.#observer;
    const { record, context } = reading;
    const { failure, node } = record;
    if (node === undefined || isWithheld(record)) return INVALID;
    if (failure !== undefined && reading.newReaderResult().status !== 'success') return INVALID;
    if (dependsOnReader(record.kind)) {
      // readers share a live object, so data that depend on the arguments are read as a snapshot
      void reading.result.value;
      return record.data();
    }
    const data = record.kind.denormalize(node, liveSourceOf(context.store));
    reading.retainedCache = record.derivedCache();
    return data;
  }
}

/** True if the known data are hidden from readers. */
function isWithheld({ invalidatedAt, returnsPartial, isIncomplete }: ResultRecord): boolean {
  return invalidatedAt !== undefined || (!returnsPartial && isIncomplete);
}
