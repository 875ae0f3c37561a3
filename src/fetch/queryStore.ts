/** What is stored under a schema and its arguments, found without a request. */
import { EntityKind } from '../schema/EntityKind.ts';
import { badData } from '../schema/badData.ts';
import { refuseEndpoint } from '../endpoint/refuseEndpoint.ts';
import { serialize } from '../schema/serialize.ts';
import { kindOf } from '../schema/kindOf.ts';
import { carried, INVALID, Ref } from '../schema/schema.ts';
import type { Args, EntityClass, Node, Schema } from '../schema/schema.ts';
import type { EntityRecord } from '../store/EntityRecord.ts';
import type { LayerReadView } from '../store/LayerReadView.ts';
import type { ResultRecord } from '../store/ResultRecord.ts';
import type { Store } from '../store/Store.ts';

const ids = new WeakMap<object, number>();
let last = 0;

/** A number of its own for each schema: two queries over one table are two. */
function idOf(schema: Schema): number {
  let id = ids.get(schema as object);
  if (id === undefined) ids.set(schema as object, (id = ++last));
  return id;
}

/** The record of a value found by a schema's arguments: derived values are kept there. */
export function derivedRecord(store: Store, schema: Schema, args: Args): ResultRecord {
  refuseEndpoint?.(schema);
  return store.derived(`${idOf(schema)} ${serialize(args)}`, schema, args);
}

/** The value as readers see it, or undefined. */
export function queryStore(store: Store, schema: Schema, args: Args): unknown {
  refuseEndpoint?.(schema);
  const node = kindOf(schema, 'schema').infer?.(args, store);
  if (node === undefined) return undefined;
  // an entity or a list is its own record
  return node instanceof Ref
    ? store.denormalize(schema, node, args)
    : store.peek(derivedRecord(store, schema, args));
}

/** What `past` shows for a node under a schema; undefined where that is missing. */
export function denormalizeIn(past: LayerReadView, schema: Schema, node: Node): unknown {
  if (node === undefined || schema === undefined) return carried(node);
  const value = kindOf(schema, 'schema').denormalize(node, past);
  return value === INVALID ? undefined : value;
}

/** The value that the arguments find in `past`, or undefined. */
export function queryPast(past: LayerReadView, schema: Schema, args: Args): unknown {
  return denormalizeIn(past, schema, kindOf(schema, 'schema').infer?.(args, past));
}

/** The record of an entity, by a primary key or an object that carries one. Throws S9 where there is none. */
export function entityRecordBy(store: Store, Entity: EntityClass, pk: unknown): EntityRecord {
  const kind = kindOf(Entity, 'entity');
  // by its own identity: what else arguments may mean to the class (queryKey) is not asked
  const own = kind instanceof EntityKind ? kind.pkOf([pk]) : undefined;
  if (own !== undefined) return store.ref(kind as EntityKind, own) as EntityRecord;
  throw badData('S9', { schema: Entity.key, args: [pk] });
}
