/** The view of null arguments: nothing is asked, nothing changes. */
import { signal } from '../reactive.ts';
import type { ReadonlySignal } from '../reactive.ts';
import type { Result } from '../store/ResultRecord.ts';
import { FULFILLED, noop } from './Ready.ts';
import type { Ready } from './Ready.ts';
import type { Reader } from './Reader.ts';

/** What a reader of null arguments holds: the schema's empty shape, and no request ever. */
export class NullView<T> implements Reader<T> {
  readonly key = '';
  readonly data: ReadonlySignal<T>;
  readonly result: ReadonlySignal<Result<T>>;
  readonly fetching: ReadonlySignal<boolean> = signal(false);
  readonly ready: Ready = FULFILLED;
  readonly readers = 0;

  constructor(empty: T) {
    this.data = signal(empty);
    this.result = signal<Result<T>>({ status: 'success', data: empty, error: undefined });
  }

  get live(): ReadonlySignal<Result<T>> {
    return this.result;
  }

  ensure(): undefined {}
  revalidate(): void {}
  retain(): () => void {
    return noop;
  }
  listen(): () => void {
    return noop;
  }
}
