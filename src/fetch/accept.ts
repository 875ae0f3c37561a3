/** What becomes of a request that is answered: laid out, committed, handed back as readers see it. */
import { DEV, ResetError, SignalboxError } from '../diagnostics.ts';
import { INVALID } from '../schema/schema.ts';
import { tablesIn } from '../schema/tablesIn.ts';
import { isUpdate } from '../endpoint/isUpdate.ts';
import type { ResultRecord } from '../store/ResultRecord.ts';
import type { Laid, Store } from '../store/Store.ts';
import type { Asked } from './Asked.ts';
import { commit } from './commit.ts';
import type { Desk } from './Desk.ts';
import type { Write } from './Events.ts';
import { fail, tell } from './fail.ts';
import { listBehind } from './listBehind.ts';
import { outdate } from './outdate.ts';
import { refetchAmended, revalidate } from './revalidate.ts';
import { failureOf, stampOf } from './stampOf.ts';
import { updatesOf } from './updatesOf.ts';

/** Gives what the caller gets. Throws the error that the store remembers, where the answer cannot be shown. */
export function accept(desk: Desk, asked: Asked, value: unknown): unknown {
  const { store, inflight } = desk;
  const { endpoint, args, read, holder } = asked;
  const { schema } = endpoint;
  inflight.end(asked);
  const result = read ? asked.resultIn(store) : undefined;
  const writes: Write[] = [];
  let laid: Laid;
  try {
    if (holder !== undefined) return holder.hold(asked, value);
    laid = lay(desk, asked, { value, result, writes });
  } catch (error) {
    return fail(desk, asked, error);
  }
  let lost: Error | undefined;
  const orElse = () => {
    lost = absent(asked, reasonFor(value, laid));
    const failure = failureOf(desk, endpoint, lost, asked.issued);
    writes.push({ key: asked.key, endpoint, schema, args, failure });
    return failure;
  };
  const again = isEmpty(value) && !read ? new Set<ResultRecord>() : undefined;
  const change = () => {
    const written = store.accept(laid, {
      result,
      orElse,
      layer: asked.shown?.layer,
      written: () => asked.shown?.begun?.(laid.node),
    });
    if (again !== undefined) writes.push(outdate(store, { schema, args }, again));
    return written;
  };
  commit(desk, 'answer', change, { by: asked, writes, again });
  if (lost !== undefined) tell(desk, asked, lost);
  if (result !== undefined) {
    refetchAmended(desk, asked, result);
    const data = shown(result, store);
    if (asked.exchange === undefined) result.vouched = undefined;
    else asked.exchange.stored(data);
    return data;
  }
  if (again !== undefined) revalidate(desk, again);
  return store.show(schema, isEmpty(value) ? value : laid.node, args);
}

/** What readers see, unless one of those who ran on it has taken it away again. */
export function shown(result: ResultRecord, store: Store): unknown {
  const data = result.data(store);
  if (data !== INVALID) return data;
  if (!result.answered) throw new ResetError({ key: result.key });
  const below = result.gone === undefined ? INVALID : result.below(store);
  return below === INVALID ? undefined : below;
}

/** What came. */
interface Answer {
  readonly value: unknown;
  /** Of a read. */
  readonly result: ResultRecord | undefined;
  /** Takes what is told of it. */
  readonly writes: Write[];
}

function lay(desk: Desk, asked: Asked, answer: Answer): Laid {
  const { store } = desk;
  const { endpoint, args, title, shown } = asked;
  const { schema } = endpoint;
  const { value, result, writes } = answer;
  const layer = shown?.layer;
  if (result !== undefined) {
    refuseEmpty(result, title, value);
    result.list = listBehind(store, endpoint, args);
  }
  // an empty answer confirms what was expected
  const expected = isEmpty(value) && layer?.idle(store) === false ? layer : undefined;
  const arrived = stampOf(desk, asked, result);
  const stamp = expected === undefined ? arrived : { ...arrived, derived: true };
  const told = expected === undefined ? value : expected.answer(store);
  const mint = expected?.namer();
  writes.push({ key: result?.key, endpoint, schema, args, value: told, stamp });
  return store.lay({
    value: told,
    mint,
    schema,
    args,
    stamp,
    endpoint: title,
    layer,
    updates: isUpdate(endpoint, args),
    others: updatesOf(store, asked, { stamp, writes }),
  });
}

/** 204, or a body with nothing in it. */
export function isEmpty(value: unknown): boolean {
  return value === null || value === undefined;
}

/** Throws F2 for a read that is answered with nothing where its schema describes entities: what is stored stays. */
export function refuseEmpty(
  { key, kind }: Pick<ResultRecord, 'key' | 'kind'>,
  title: string,
  value: unknown,
): void {
  if (isEmpty(value) && tablesIn(kind).length > 0) throw absent({ key, title }, reasonFor(value));
}

/** An answer came and yet there is nothing to read: without an error the key would be asked for ever. */
function reasonFor(value: unknown, laid?: Laid): string {
  if (value === undefined) return DEV ? 'the endpoint gave undefined' : 'undefined';
  if (laid === undefined) return DEV ? 'the response is empty (null, 204 or no body)' : 'empty';
  if (!laid.draft.removes) return DEV ? 'a needed entity is missing or deleted' : 'incomplete';
  return DEV ? 'process() gave undefined for a needed entity, or its schema deletes it' : 'deleted';
}

function absent({ title, key }: Pick<Asked, 'title' | 'key'>, reason: string): SignalboxError {
  return new SignalboxError('F2', { key, reason }, { status: 404, endpoint: title, key });
}
