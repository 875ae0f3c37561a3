/** Replaces outdated primary keys in arguments by the keys that the entities have now. */
import type { EndpointInterface } from '../endpoint/Endpoint.ts';
import { onlyTopEntityIn } from '../schema/EntityKind.ts';
import { isPlainObject } from '../schema/fieldOf.ts';
import { kindOf } from '../schema/kindOf.ts';
import type { Args } from '../schema/schema.ts';
import { toPk } from '../schema/toPk.ts';
import type { Store } from '../store/Store.ts';
import { EntityTable } from '../store/entities/EntityTable.ts';
import type { Table } from '../store/lists/ListTable.ts';
import { soleTableByPkField } from '../store/writes/KeyChanges.ts';
import type { TableMap } from '../store/writes/KeyChanges.ts';

/**
 * Replaces primary keys that a mutation has changed in `args`: a request with the old key would end in 404. A body does
 * not change, nor does a param that may refer to something else.
 */
export function replaceChangedKeysInArgs(
  { tables }: Store,
  endpoint: EndpointInterface,
  args: Args,
): Args {
  // a copy of the tables for each request would cost more than the rest of this function
  for (const table of tables.values())
    if (table instanceof EntityTable && table.hasKeyChanges)
      return replaceKeysInArgs(tables, endpoint, args);
  return args;
}

function replaceKeysInArgs(tables: TableMap, endpoint: EndpointInterface, args: Args): Args {
  const { schema, sideEffect } = endpoint;
  const { path = '' } = endpoint as { readonly path?: string };
  const root = schema === undefined ? undefined : onlyTopEntityIn(kindOf(schema, 'schema'));
  const table = root && tables.get(root.tableKey);
  const [params, ...rest] = args;
  if (!isPlainObject(params)) return sideEffect ? args : [replaceKey(table, params), ...rest];
  const own = root?.descriptor.declaredPkField?.field;
  const named = path.match(/:"?\w+/g)?.map((name) => name.replace(/\W+/, ''));
  const replaced: { [name: string]: unknown } = { ...params };
  for (const name of Object.keys(params))
    if (!sideEffect || rest.length > 0 || named?.includes(name))
      replaced[name] = replaceKey(
        name === own ? table : soleTableByPkField(tables, name),
        params[name],
      );
  return [replaced, ...rest];
}

/** The key that the entity with the key `value` has now; `value` itself, if not the old key of an entity. */
function replaceKey(table: Table | undefined, value: unknown): unknown {
  const pk = toPk(value);
  if (pk === undefined || !(table instanceof EntityTable)) return value;
  const key = table.resolveKey(pk);
  if (key === pk) return value;
  return typeof value === 'number' ? Number(key) : key;
}
