/** Writes that no request of ours brought: a push, a form, a test, another tab. */
import { SignalboxError } from '../diagnostics.ts';
import type { EndpointInterface, Policies } from '../endpoint/Endpoint.ts';
import { titleOf } from '../endpoint/titleOf.ts';
import { EntityKind } from '../schema/EntityKind.ts';
import { kindOf } from '../schema/kindOf.ts';
import type { Args, Schema } from '../schema/schema.ts';
import { amendment } from '../store/amendment.ts';
import type { Stamp } from '../store/order.ts';
import type { ResultRecord } from '../store/ResultRecord.ts';
import type { Store } from '../store/Store.ts';
import { lookUp } from './lookUp.ts';
import { listBehind } from './listBehind.ts';
import { commit, writeOf } from './commit.ts';
import type { Desk } from './Desk.ts';
import { failureOf, lifeOf } from './stampOf.ts';

/** Writes a value, or what a function makes of the present one, under a schema and its arguments. */
export function put(desk: Desk, schema: Schema, args: Args, value: unknown): void {
  write(desk, { schema, args, value: named(desk.store, schema, args, value) });
}

/** The value to write: what a function makes of the present one, with the primary key that the arguments give. */
export function named(store: Store, schema: Schema, args: Args, value: unknown): unknown {
  const given = typeof value === 'function' ? updated(store, schema, args, value) : value;
  if (given !== null && given !== undefined) return identified(schema, args, given);
  const { title } = kindOf(schema, 'schema');
  throw new SignalboxError('S16', { schema: title, value: given }, { status: 400 });
}

function updated(store: Store, schema: Schema, args: Args, update: unknown): unknown {
  const present = lookUp(store, schema, args);
  if (present === undefined) throw new SignalboxError('S10', { args }, { status: 400 });
  return (update as (present: unknown) => unknown)(present);
}

/** An entity without its primary key takes it from the arguments. */
function identified(schema: Schema, args: Args, value: unknown): unknown {
  const kind = kindOf(schema, 'schema');
  if (!(kind instanceof EntityKind) || !isRecord(value)) return value;
  if (kind.pkIn(value, args) !== undefined || args.length === 0) return value;
  const [first] = args;
  return typeof first === 'object' ? { ...first, ...value } : { id: first, ...value };
}

function isRecord(value: unknown): value is object {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** Stores an answer as if the endpoint had fetched it now. */
export function putAnswer(
  desk: Desk,
  endpoint: EndpointInterface,
  record: ResultRecord,
  value: unknown,
): void {
  record.list = listBehind(desk.store, endpoint, record.args);
  write(desk, { schema: endpoint.schema, args: record.args, value, endpoint, record });
}

/** Stores an error as if the endpoint had failed now. */
export function putError(
  desk: Desk,
  endpoint: EndpointInterface,
  record: ResultRecord,
  error: Error & { readonly status?: number },
): void {
  const { store } = desk;
  const failure = failureOf(desk, endpoint, error, store.tick());
  const change = () => store.commit(() => record.fail(failure, store));
  const writes = [{ ...writeOf(record), endpoint, failure }];
  commit(desk, 'error', change, { key: record.key, writes });
}

const NO_POLICIES: Policies = {};

/** What is written, for whom. */
interface Put {
  readonly schema: Schema;
  readonly args: Args;
  readonly value: unknown;
  readonly endpoint?: EndpointInterface;
  readonly record?: ResultRecord;
}

function write(desk: Desk, given: Put): void {
  const { store } = desk;
  const { schema, args, value, endpoint, record } = given;
  const { fetchedAt, expiresAt } = lifeOf(desk, endpoint ?? NO_POLICIES);
  const stamp: Stamp = { time: store.tick(), fetchedAt, expiresAt };
  const key = record?.key;
  const amend = endpoint === undefined ? amendment(store, schema, value, stamp) : undefined;
  const change = amend ?? laid(store, given, stamp);
  const writes = [{ key, endpoint, schema, args, value, stamp }];
  commit(desk, 'set', change, { key, writes });
}

function laid(store: Store, given: Put, stamp: Stamp): () => number {
  const { schema, args, value, endpoint, record } = given;
  const title = endpoint && titleOf(endpoint);
  const all = store.lay({ schema, args, value, stamp, endpoint: title });
  return () => store.accept(all, record && { result: record });
}
