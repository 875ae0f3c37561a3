/** Reads the store by schema and arguments, without a request. */
import { DEV } from '../errors.ts';
import { EntityKind } from '../schema/EntityKind.ts';
import { badDataError } from '../schema/badDataError.ts';
import type { EndpointCall } from '../endpoint/Endpoint.ts';
import { argumentChecks } from '../endpoint/argumentChecks.ts';
import { serialize } from '../schema/serialize.ts';
import { kindOf } from '../schema/kindOf.ts';
import { unwrapOpaque, INVALID, Ref } from '../schema/schema.ts';
import type { Args, EntityClass, NormalizedNode, Schema, Source } from '../schema/schema.ts';
import type { EntityRecord } from '../store/entities/EntityRecord.ts';
import type { ResultRecord } from '../store/results/ResultRecord.ts';
import type { StoreRecord } from '../store/records/StoreRecord.ts';
import type { Store } from '../store/Store.ts';

const schemaIds = new WeakMap<object, number>();
let lastSchemaId = 0;

/** A unique number per schema: two Query objects over the same table are different queries. */
function schemaIdOf(schema: Schema): number {
  let id = schemaIds.get(schema as object);
  if (id === undefined) schemaIds.set(schema as object, (id = ++lastSchemaId));
  return id;
}

/** The record that caches the value derived from a schema and arguments. */
export function derivedRecord(store: Store, schema: Schema, args: Args): ResultRecord {
  if (DEV) argumentChecks?.schema(schema);
  const text = serialize(args, kindOf(schema, 'schema'));
  return store.derived(`${schemaIdOf(schema)} ${text}`, schema, args);
}

/** The value that readers see, or undefined. */
export function queryStore(store: Store, schema: Schema, args: Args): unknown {
  if (DEV) argumentChecks?.schema(schema);
  const node = kindOf(schema, 'schema').queryKey?.(args, store);
  if (node === undefined) return undefined;
  // the record of an entity or of a list caches the value
  return node instanceof Ref
    ? store.denormalize(schema, node, args)
    : store.peek(derivedRecord(store, schema, args));
}

/** The value of a node under a schema, in `past`; undefined if a required part is missing. */
export function denormalizeIn(past: Source, schema: Schema, node: NormalizedNode): unknown {
  if (node === undefined || schema === undefined) return unwrapOpaque(node);
  const value = kindOf(schema, 'schema').denormalize(node, past);
  return value === INVALID ? undefined : value;
}

/** The value that `schema` finds in `past` by `args`, or undefined. */
export function queryIn(past: Source, schema: Schema, args: Args): unknown {
  return denormalizeIn(past, schema, kindOf(schema, 'schema').queryKey?.(args, past));
}

/** The result of the list that a page belongs to; undefined if the endpoint does not fetch pages. */
export function listResultOfPage(store: Store, page: EndpointCall): ResultRecord | undefined {
  const list = page.endpoint.listOf?.(...page.args);
  if (list === undefined) return undefined;
  return store.result(list.endpoint.key(...list.args), list.endpoint.schema, list.args);
}

/** The record of an entity, by a primary key or an object that contains the key. Throws S9 without a primary key. */
export function entityRecordBy(store: Store, Entity: EntityClass, pk: unknown): EntityRecord {
  const kind = kindOf(Entity, 'entity');
  // uses the primary key only: a custom queryKey of the class does not apply
  const own = kind instanceof EntityKind ? kind.pkInArgs([pk]) : undefined;
  if (own !== undefined) return store.ref(kind as EntityKind, own) as EntityRecord;
  throw badDataError('S9', { schema: kind.title, args: [pk] });
}

/** The results of requests whose data contain an entity, at any depth. Throws S9 as `entityRecordBy` does. */
export function resultsWith(store: Store, Entity: EntityClass, pk: unknown): ResultRecord[] {
  store.loadAll();
  const records = new Set<StoreRecord>([entityRecordBy(store, Entity, pk)]);
  // iteration over a set includes members that are added meanwhile
  for (const record of records)
    for (const parent of record.allParents) if (!parent.isRelated) records.add(parent);
  return [...store.results.values()].filter((result) => records.has(result));
}
