/** Replaces outdated primary keys in arguments by the keys that the entities have now. */
import type { EndpointInterface } from '../endpoint/Endpoint.ts';
import { toPk } from '../schema/EntityDescriptor.ts';
import { isPlainObject } from '../schema/equal.ts';
import { kindOf } from '../schema/kindOf.ts';
import { onlyTopEntityIn } from '../schema/onlyTopEntityIn.ts';
import type { Args } from '../schema/schema.ts';
import { EntityTable } from '../store/EntityTable.ts';
import { soleTableByPkField } from '../store/renameEntity.ts';
import type { TableMap } from '../store/renameEntity.ts';
import type { Store } from '../store/Store.ts';

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
  const own = root?.descriptor.declaredPkField?.field;
  const keyOf = (value: unknown, name = own): unknown => {
    const pk = toPk(value);
    const table =
      name === own ? root && tables.get(root.tableKey) : soleTableByPkField(tables, name);
    if (pk === undefined || !(table instanceof EntityTable)) return value;
    const key = table.resolveKey(pk);
    if (key === pk) return value;
    return typeof value === 'number' ? Number(key) : key;
  };
  const [params, ...rest] = args;
  if (!isPlainObject(params)) return sideEffect ? args : [keyOf(params), ...rest];
  const named = path.match(/:"?\w+/g)?.map((name) => name.replace(/\W+/, ''));
  const isParam = (name: string) => !sideEffect || rest.length > 0 || named?.includes(name);
  const entries = Object.entries(params).map(([name, value]) => [
    name,
    isParam(name) ? keyOf(value, name) : value,
  ]);
  return [Object.fromEntries(entries), ...rest];
}
