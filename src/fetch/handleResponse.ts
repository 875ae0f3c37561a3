/** Stores the response of a request and gives the data as readers see them. */
import { DEV, ResetError, SignalboxError } from '../diagnostics.ts';
import { INVALID } from '../schema/schema.ts';
import { tablesIn } from '../schema/tablesIn.ts';
import { isUpdate } from '../endpoint/isUpdate.ts';
import type { ResultRecord } from '../store/ResultRecord.ts';
import type { Laid, Store } from '../store/Store.ts';
import type { InFlightRequest } from './InFlightRequest.ts';
import { commit } from './commit.ts';
import type { Desk } from './Desk.ts';
import type { Write } from './Events.ts';
import { emitAndThrow, handleFailure } from './handleFailure.ts';
import { listBehind } from './listBehind.ts';
import { outdate } from './outdate.ts';
import { refetchAmended, revalidate } from './revalidate.ts';
import { failureOf, stampOf } from './stampOf.ts';
import { updatesOf } from './updatesOf.ts';

/** Gives what callers get. Throws the error that the store remembers, where the response cannot be shown. */
export function handleResponse(desk: Desk, request: InFlightRequest, value: unknown): unknown {
  const { store } = desk;
  const { endpoint, args, read, holder } = request;
  const { schema } = endpoint;
  const result = read ? request.resultIn(store) : undefined;
  const writes: Write[] = [];
  let laid: Laid;
  try {
    if (holder !== undefined) return holder.hold(request, value);
    laid = lay(desk, request, { value, result, writes });
  } catch (error) {
    return handleFailure(desk, request, error);
  }
  let lost: Error | undefined;
  const orElse = () => {
    lost = absent(request, reasonFor(value, laid));
    const failure = failureOf(desk, endpoint, lost, request.issued);
    writes.push({ key: request.key, endpoint, schema, args, failure });
    return failure;
  };
  const again = isEmpty(value) && !read ? new Set<ResultRecord>() : undefined;
  const change = () => {
    const written = store.accept(laid, {
      result,
      orElse,
      layer: request.layer,
      written: () => request.nameCreated?.(laid.node),
    });
    if (again !== undefined) writes.push(outdate(store, { schema, args }, again));
    return written;
  };
  commit(desk, 'answer', change, { by: request, writes, again });
  if (lost !== undefined) emitAndThrow(desk, request, lost);
  if (result !== undefined) {
    refetchAmended(desk, request, result);
    const data = readResult(result, store);
    if (request.exchange === undefined) result.vouched = undefined;
    else request.exchange.stored(data);
    return data;
  }
  if (again !== undefined) revalidate(desk, again);
  return store.show(schema, isEmpty(value) ? value : laid.node, args);
}

/** The data of a stored response. Throws ResetError where a reader that was notified of it has reset the store. */
export function readResult(result: ResultRecord, store: Store): unknown {
  const data = result.data(store);
  if (data !== INVALID) return data;
  if (!result.answered) throw new ResetError({ key: result.key });
  const below = result.gone === undefined ? INVALID : result.below(store);
  return below === INVALID ? undefined : below;
}

/** A response that is written. */
interface Answer {
  readonly value: unknown;
  /** Of a read. */
  readonly result: ResultRecord | undefined;
  /** Gets the writes that the commit event reports. */
  readonly writes: Write[];
}

function lay(desk: Desk, request: InFlightRequest, answer: Answer): Laid {
  const { store } = desk;
  const { endpoint, args, title, layer } = request;
  const { schema } = endpoint;
  const { value, result, writes } = answer;
  if (result !== undefined) {
    refuseEmpty(result, title, value);
    result.list = listBehind(store, endpoint, args);
    store.sweep.limit(result, endpoint.sweepAfter);
  }
  // an empty response confirms the optimistic one
  const expected = isEmpty(value) && layer?.idle(store) === false ? layer : undefined;
  const arrived = stampOf(desk, request, result);
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
    others: updatesOf(store, request, { stamp, writes }),
  });
}

/** 204, or a body with nothing in it. */
export function isEmpty(value: unknown): boolean {
  return value === null || value === undefined;
}

/** Throws F2 for an empty response of a read whose schema describes entities: the stored data stay. */
export function refuseEmpty(
  { key, kind }: Pick<ResultRecord, 'key' | 'kind'>,
  title: string,
  value: unknown,
): void {
  if (isEmpty(value) && tablesIn(kind).length > 0) throw absent({ key, title }, reasonFor(value));
}

/** Why a response gives no readable data: without an error the key would be fetched for ever. */
function reasonFor(value: unknown, laid?: Laid): string {
  if (!DEV) return 'unreadable';
  if (value === undefined) return 'the endpoint gave undefined';
  if (laid === undefined) return 'the response is empty (null, 204 or no body)';
  if (!laid.draft.removes) return 'a needed entity is missing or deleted';
  return 'process() gave undefined for a needed entity, or its schema deletes it';
}

function absent(
  { title, key }: Pick<InFlightRequest, 'title' | 'key'>,
  reason: string,
): SignalboxError {
  return new SignalboxError('F2', { key, reason }, { status: 404, endpoint: title, key });
}
