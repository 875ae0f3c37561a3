/** What is stored under a schema and its arguments, found without a request. */
import { refuseEndpoint } from '../endpoint/refuseEndpoint.ts';
import { serialize } from '../schema/serialize.ts';
import { kindOf } from '../schema/kindOf.ts';
import { Ref } from '../schema/schema.ts';
import type { Args, Schema } from '../schema/schema.ts';
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
export function found(store: Store, schema: Schema, args: Args): ResultRecord {
  refuseEndpoint(schema);
  return store.derived(`${idOf(schema)} ${serialize(args)}`, schema, args);
}

/** The value as readers see it, or undefined. */
export function lookUp(store: Store, schema: Schema, args: Args): unknown {
  refuseEndpoint(schema);
  const node = kindOf(schema, 'schema').infer?.(args, store);
  if (node === undefined) return undefined;
  // an entity or a list is its own record
  return node instanceof Ref
    ? store.show(schema, node, args)
    : store.peek(found(store, schema, args));
}
