/** Lists that are filed under the primary key of an entity go with it when it gets another key. */
import type { StoredKind } from '../schema/schema.ts';
import { EntityTable } from './EntityTable.ts';
import type { EntityRecord } from './EntityRecord.ts';
import { eachRecord } from './eachRecord.ts';
import { ListTable } from './ListTable.ts';
import type { StoreRecord } from './StoreRecord.ts';
import type { Table } from './Table.ts';

export type Tables = ReadonlyMap<StoredKind['table'], Table>;

/** An entity that has another key from now on. */
interface KeyChange {
  readonly record: EntityRecord;
  readonly from: string;
  readonly to: string;
  /** No other entity was ever known by the old key. */
  readonly temporary: boolean;
}

/*
 *   temporary key   every list whose identity has it, under whatever name: {"projectId":"-9007199254740990"}
 *   another key     lists that the entity shows (`nestKey`), and those that name it as it does itself: {"slug":"old"},
 *                   where one class alone has a primary key of this name
 */

/** The server named an entity, or gave it another key: what leads to it by the old one does so still. Gives how to take it back. */
export function renameEntity(
  tables: Tables,
  record: EntityRecord,
  pk: string,
  until?: number,
): () => void {
  const table = tables.get(record.kind.table) as EntityTable;
  const { pk: from } = record;
  const before = table.records.get(pk);
  const back = rekeyLists(tables, { record, from, to: pk, temporary: until === undefined });
  table.rename(record, pk, until);
  return () => {
    back();
    table.unname(record, from);
    if (before !== undefined) table.records.set(pk, before);
  };
}

/** Gives how to take it back. */
export function rekeyLists(tables: Tables, { record, from, to, temporary }: KeyChange): () => void {
  const { kind } = record;
  const name = kind.plan.namedBy?.field;
  const isSole = soleTable(tables, name)?.kind.table === kind.table;
  const nested = new Set<StoreRecord>();
  eachRecord(record.gcEdges(), (one) => nested.add(one));
  const moved: (() => void)[] = [];
  for (const table of tables.values()) {
    if (!(table instanceof ListTable)) continue;
    for (const list of table.records.values()) {
      const { pk } = list;
      let next = pk;
      if (temporary || nested.has(list)) next = swapped(pk, quoted(from), quoted(to));
      else if (name !== undefined && isSole)
        next = swapped(pk, quoted(name, from), quoted(name, to));
      if (next === pk || table.records.has(next)) continue;
      table.rename(list, next);
      moved.push(() => table.rename(list, pk));
    }
  }
  return () => moved.forEach((back) => back());
}

/** The entities that alone have a primary key of this name. */
export function soleTable(tables: Tables, name: string | undefined): Table | undefined {
  const [first, ...others] = [...tables.values()].filter(
    (table) => table instanceof EntityTable && table.kind.plan.namedBy?.field === name,
  );
  return others.length === 0 && name !== undefined ? first : undefined;
}

/** As it stands in the identity of a list. */
function quoted(...texts: readonly string[]): string {
  return texts.map((text) => JSON.stringify(text)).join(':');
}

function swapped(text: string, old: string, by: string): string {
  return text.split(old).join(by);
}
