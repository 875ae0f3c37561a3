/** The contents of a store, as plain tables. */
import { toDate } from '../clock.ts';
import { fieldsWithNodes } from '../schema/fieldsWithNodes.ts';
import type { Fields } from '../schema/schema.ts';
import type { EntityRecord } from '../store/entities/EntityRecord.ts';
import { ListRecord } from '../store/lists/ListRecord.ts';
import type { StoredList } from '../store/lists/StoredList.ts';
import type { ResultRecord } from '../store/results/ResultRecord.ts';
import type { Store } from '../store/Store.ts';
import { plain } from './plain.ts';

/** Plain JSON. Lists and requests refer to entities by their names. */
export interface PlainTables {
  /** By their table and primary key. */
  readonly entities: { readonly [table: string]: { readonly [pk: string]: unknown } };
  /** Collections by their table and arguments. */
  readonly lists: { readonly [table: string]: { readonly [args: string]: unknown } };
  /** Requests by their key. */
  readonly requests: { readonly [key: string]: unknown };
}

/** As readers see the store, including optimistic writes. */
export function tablesOf(store: Store): PlainTables {
  const entities: { [table: string]: Fields } = {};
  const lists: { [table: string]: Fields } = {};
  for (const { kind, records } of store.tables.values()) {
    const rows = Array.from<EntityRecord | StoredList>(records.values());
    const shown = rows.flatMap((row) => {
      const value = rowOf(row);
      return value === undefined ? [] : [[row.pk, value] as const];
    });
    const tables = kind.stores === 'entity' ? entities : lists;
    if (shown.length > 0) tables[free(kind.title, tables)] = Object.fromEntries(shown);
  }
  const answered = [...store.results].filter(
    ([, { hasResponse, failure }]) => hasResponse || failure,
  );
  const requests = Object.fromEntries(answered.map(([key, record]) => [key, requestOf(record)]));
  return { entities, lists, requests };
}

/** A free title for a table, because two classes may have one name. */
function free(title: string, taken: object): string {
  return Object.hasOwn(taken, title) ? free(`${title}'`, taken) : title;
}

function rowOf(record: EntityRecord | StoredList): unknown {
  if (record instanceof ListRecord) return record.members && plain(record.members);
  if ('entries' in record) return record.entries && plain(Object.fromEntries(record.entries));
  const { kind, instance, nodes } = record;
  return instance && plain({ ...fieldsWithNodes(kind, instance, nodes) });
}

function requestOf({ node, stamp, failure, invalidatedAt, hasResponse }: ResultRecord): unknown {
  return {
    ...(hasResponse && {
      data: plain(node),
      fetchedAt: timeOf(stamp.fetchedAt),
      expiresAt: timeOf(stamp.expiresAt),
    }),
    ...(failure && { error: plain(failure.error), errorExpiresAt: timeOf(failure.expiresAt) }),
    ...(invalidatedAt !== undefined && { invalidated: true }),
  };
}

function timeOf(ms: number): unknown {
  return plain(Number.isFinite(ms) ? toDate(ms) : ms);
}
