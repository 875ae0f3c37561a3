/** Gives an entity another primary key, and renames the lists with this key in their identity. */
import type { StoredKind } from '../../schema/schema.ts';
import { EntityTable } from '../entities/EntityTable.ts';
import type { EntityRecord } from '../entities/EntityRecord.ts';
import { recordsIn } from '../records/eachRecord.ts';
import { ListTable } from '../lists/ListTable.ts';
import type { Table } from '../lists/ListTable.ts';

export type TableMap = ReadonlyMap<StoredKind['tableKey'], Table>;

/**
 * Gives an entity the key of the server; the old key becomes an alias. `until`: see `Alias`; absent for a temporary key,
 * which no other entity ever had. If another record has the new key already, that record stays in the place of an entity
 * with a temporary key, and gives way to any other entity. Returns a function that undoes the change.
 */
export function renameEntity(
  tables: TableMap,
  record: EntityRecord,
  pk: string,
  until?: number,
): () => void {
  const table = tables.get(record.kind.tableKey) as EntityTable;
  const { pk: from } = record;
  const before = table.records.get(pk);
  const restore = table.createRestore(pk);
  const undoLists = rekeyLists(tables, record, pk, until === undefined);
  if (until === undefined && before !== undefined) table.addAlias(from, pk);
  else table.rename(record, pk, until);
  return () => {
    for (const undo of undoLists) undo();
    table.rename(record, from);
    restore();
  };
}

/*
 *   temporary key   every list with the key in its identity, under any name: {"projectId":"-9007199254740990"}
 *   another key     lists nested in the entity (`nestKey`), and lists with the key under the name of the entity's key
 *                   field: {"slug":"old"}, if only one class has a primary key of this name
 */

/** Renames the lists that contain the old key in their identity. Returns functions that undo the changes. */
export function rekeyLists(
  tables: TableMap,
  record: EntityRecord,
  pk: string,
  isTemporary: boolean,
): (() => void)[] {
  const { kind, pk: from } = record;
  const name = kind.descriptor.declaredPkField?.field ?? '';
  const isSole = soleTableByPkField(tables, name)?.kind.tableKey === kind.tableKey;
  const nested = recordsIn(record.gcEdges());
  const undo: (() => void)[] = [];
  for (const table of tables.values()) {
    if (!(table instanceof ListTable)) continue;
    for (const list of table.records.values()) {
      const old = list.pk;
      const isUnderAnyName = isTemporary || nested.has(list);
      if (!isUnderAnyName && !isSole) continue;
      const prefix = isUnderAnyName ? '' : `${JSON.stringify(name)}:`;
      const next = old.split(prefix + JSON.stringify(from)).join(prefix + JSON.stringify(pk));
      if (next === old || table.records.has(next)) continue;
      table.rename(list, next);
      undo.push(() => table.rename(list, old));
    }
  }
  return undo;
}

/** The only table of entities with a primary key of this name; undefined if there are several. */
export function soleTableByPkField(tables: TableMap, name: string): EntityTable | undefined {
  const found = [...tables.values()].filter(
    (table): table is EntityTable =>
      table instanceof EntityTable && table.kind.descriptor.declaredPkField?.field === name,
  );
  return found.length === 1 ? found[0] : undefined;
}
