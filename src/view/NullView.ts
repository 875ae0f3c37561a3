/** The view of null arguments: it never fetches and never changes. */
import { signal } from '../signals.ts';
import type { ReadonlySignal } from '../signals.ts';
import { kindOf } from '../schema/kindOf.ts';
import type { Result } from '../store/results/Result.ts';
import { noop } from '../request/promiseTry.ts';
import { FULFILLED_READY, NOT_FETCHING } from './Reader.ts';
import type { Reader } from './Reader.ts';

/** A reader of null arguments: its data are the schema's empty value. */
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
