/** The view of null arguments: nothing is asked, nothing changes. */
import { signal } from '../reactive.ts';
import type { ReadonlySignal } from '../reactive.ts';
import { kindOf } from '../schema/kindOf.ts';
import type { Result } from '../store/Result.ts';
import { noop } from '../fetch/promiseTry.ts';
import { FULFILLED, IDLE } from './Ready.ts';
import type { Reader } from './Reader.ts';

/** What a reader of null arguments holds: the schema's empty shape, and no request ever. */
export interface NullView extends Reader {
  readonly data: ReadonlySignal<unknown>;
}

function viewOf(data: unknown): NullView {
  const result: ReadonlySignal<Result> = signal({ status: 'success', data, error: undefined });
  const stop = () => noop;
  return {
    key: '',
    data: signal(data),
    result,
    fetching: IDLE,
    ready: FULFILLED,
    readers: 0,
    ensure: noop,
    revalidate: noop,
    retain: stop,
    listen: stop,
  };
}

const none = /* @__PURE__ */ viewOf(undefined);
const known = new WeakMap<object, NullView>();

/** One for each schema; one for all that have none. */
export function nullView(schema: unknown): NullView {
  // text and numbers are not remembered
  if (schema === null || (typeof schema !== 'object' && typeof schema !== 'function')) return none;
  let view = known.get(schema);
  if (view === undefined) known.set(schema, (view = viewOf(kindOf(schema, 'schema').empty())));
  return view;
}
