/** Gives an entity another primary key, and renames the lists with this key in their identity. */
import type { StoredKind } from '../schema/schema.ts';
import { EntityTable } from './EntityTable.ts';
import type { EntityRecord } from './EntityRecord.ts';
import { recordsIn } from './eachRecord.ts';
import { ListTable } from './ListTable.ts';
import type { Table } from './Table.ts';

export type TableMap = ReadonlyMap<StoredKind['tableKey'], Table>;

/** An entity that gets another primary key. */
interface KeyChange {
  readonly record: EntityRecord;
  readonly from: string;
  readonly to: string;
  /** True if no other entity ever had the old key. */
  readonly temporary: boolean;
}

/*
 *   temporary key   every list with the key in its identity, under any name: {"projectId":"-9007199254740990"}
 *   another key     lists nested in the entity (`nestKey`), and lists with the key under the name of the entity's key
 *                   field: {"slug":"old"}, if only one class has a primary key of this name
 */

/** Gives an entity the key of the server; the old key becomes an alias. Returns a function that undoes the change. */
export function renameEntity(
  tables: TableMap,
  record: EntityRecord,
  pk: string,
  until?: number,
): () => void {
  const table = tables.get(record.kind.tableKey) as EntityTable;
  const { pk: from } = record;
  const before = table.records.get(pk);
  const back = rekeyLists(tables, { record, from, to: pk, temporary: until === undefined });
  table.rename(record, pk, until);
  return () => {
    back();
    table.undoRename(record, from);
    if (before !== undefined) table.records.set(pk, before);
  };
}

/** Renames the lists that contain the old key in their identity. Returns a function that undoes the change. */
export function rekeyLists(
  tables: TableMap,
  { record, from, to, temporary }: KeyChange,
): () => void {
  const { kind } = record;
  const name = kind.descriptor.declaredPkField?.field;
  const isSole = soleTableByPkField(tables, name)?.kind.tableKey === kind.tableKey;
  const nested = recordsIn(record.gcEdges());
  const moved: (() => void)[] = [];
  for (const table of tables.values()) {
    if (!(table instanceof ListTable)) continue;
    for (const list of table.records.values()) {
      const { pk } = list;
      let next = pk;
      if (temporary || nested.has(list))
        next = replaceText(pk, toIdentityText(from), toIdentityText(to));
      else if (name !== undefined && isSole)
        next = replaceText(pk, toIdentityText(name, from), toIdentityText(name, to));
      if (next === pk || table.records.has(next)) continue;
      table.rename(list, next);
      moved.push(() => table.rename(list, pk));
    }
  }
  return () => moved.forEach((back) => back());
}

/** The only table of entities with a primary key of this name; undefined if there are several. */
export function soleTableByPkField(tables: TableMap, name: string | undefined): Table | undefined {
  const [first, ...others] = [...tables.values()].filter(
    (table) =>
      table instanceof EntityTable && table.kind.descriptor.declaredPkField?.field === name,
  );
  return others.length === 0 && name !== undefined ? first : undefined;
}

/** The text as in the identity of a list. */
function toIdentityText(...texts: readonly string[]): string {
  return texts.map((text) => JSON.stringify(text)).join(':');
}

function replaceText(text: string, old: string, by: string): string {
  return text.split(old).join(by);
}
