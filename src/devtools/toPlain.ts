/** Values and stores as plain JSON: values without a JSON form become text. */
import { ObjectNode } from '../schema/containers.ts';
import { Decoded } from '../schema/DecoderKind.ts';
import { Composite, OpaqueValue } from '../schema/schema.ts';
import type { Fields } from '../schema/schema.ts';
import type { OptimisticCall } from '../optimistic/Layer.ts';
import { StoreRecord } from '../store/records/StoreRecord.ts';
import { toDate } from '../clock.ts';
import { fieldsWithNodes } from '../schema/normalize.ts';
import type { EntityRecord } from '../store/entities/EntityRecord.ts';
import { ListRecord } from '../store/lists/ListRecord.ts';
import type { StoredList } from '../store/lists/StoredList.ts';
import type { ResultRecord } from '../store/results/ResultRecord.ts';
import type { Store } from '../store/Store.ts';

/** JSON of the same content; records are shown by their names. */
export function plain(value: unknown, above: readonly object[] = []): unknown {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      return Number.isFinite(value) ? value : `[${value}]`;
    case 'bigint':
      return `${value}n`;
    case 'object':
      if (value === null) return null;
      return above.includes(value) ? '[cyclic]' : plainObject(value, [...above, value]);
    case 'function':
      return `[function ${value.name}]`;
    default:
      return `[${String(value)}]`;
  }
}

function plainObject(value: object, above: readonly object[]): unknown {
  const each = (member: unknown) => plain(member, above);
  if (value instanceof StoreRecord) return recordName(value);
  if (value instanceof OpaqueValue) return each(value.value);
  if (value instanceof Decoded) return each(value.raw);
  if (value instanceof ObjectNode) return members({ ...value.rest, ...value.inner }, each);
  if (value instanceof Composite) return each(value.inner);
  if (Array.isArray(value)) return value.map(each);
  if (value instanceof Date)
    return Number.isNaN(value.getTime()) ? '[Invalid Date]' : value.toISOString();
  if (value instanceof Map) return { '[Map]': Array.from(value, each) };
  if (value instanceof Set) return { '[Set]': Array.from(value, each) };
  if (value instanceof Error) {
    const { name, message } = value;
    return { name, message, ...members({ ...value }, each) };
  }
  return members(value as Fields, each);
}

function members(fields: Fields, each: (member: unknown) => unknown): Fields {
  return Object.fromEntries(Object.entries(fields).map(([name, member]) => [name, each(member)]));
}

/** The name of a record in messages, tables and `why`: `Todo 5`. */
export function recordName({ kind, pk }: StoreRecord): string {
  return `${kind?.title ?? 'a query'} ${pk}`.trim();
}

/** The name of the endpoint of an optimistic write; a value set in a transaction has none. */
export function callTitle({ endpoint }: OptimisticCall): string {
  return endpoint.title ?? endpoint.name ?? 'transaction';
}

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
