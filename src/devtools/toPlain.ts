/** Values and stores as plain JSON: values without a JSON form become text. */
import { ListRecord, StoreRecord } from '../store/StorePort.ts';
import type { EntityRecord, ResultRecord, Store, StoredList } from '../store/StorePort.ts';
import { ObjectNode } from '../schema/containers.ts';
import { Decoded } from '../schema/DecoderKind.ts';
import { Composite, OpaqueValue } from '../schema/schema.ts';
import type { Fields } from '../schema/schema.ts';
import type { OptimisticCall } from '../optimistic/Layer.ts';
import { toDate } from '../clock.ts';
import { fieldsWithNodes } from '../schema/normalize.ts';

/** The text that stands for a record in plain data. */
type NameOf = (record: StoreRecord) => string;

/** JSON of the same content; records are shown by their names. */
export function toPlain(
  value: unknown,
  nameOf: NameOf = recordName,
  ancestors: readonly object[] = [],
): unknown {
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
      return ancestors.includes(value)
        ? '[cyclic]'
        : plainObject(value, nameOf, [...ancestors, value]);
    case 'function':
      return `[function ${value.name}]`;
    default:
      return `[${String(value)}]`;
  }
}

function plainObject(value: object, nameOf: NameOf, ancestors: readonly object[]): unknown {
  const convert = (member: unknown) => toPlain(member, nameOf, ancestors);
  if (value instanceof StoreRecord) return nameOf(value);
  if (value instanceof OpaqueValue) return convert(value.value);
  if (value instanceof Decoded) return convert(value.raw);
  if (value instanceof ObjectNode) return convertFields({ ...value.rest, ...value.inner }, convert);
  if (value instanceof Composite) return convert(value.inner);
  if (Array.isArray(value)) return value.map(convert);
  if (value instanceof Date)
    return Number.isNaN(value.getTime()) ? '[Invalid Date]' : value.toISOString();
  if (value instanceof Map) return { '[Map]': Array.from(value, convert) };
  if (value instanceof Set) return { '[Set]': Array.from(value, convert) };
  if (value instanceof Error) {
    const { name, message } = value;
    return { name, message, ...convertFields({ ...value }, convert) };
  }
  return convertFields(value as Fields, convert);
}

function convertFields(fields: Fields, convert: (member: unknown) => unknown): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, member]) => [name, convert(member)]),
  );
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
interface PlainTables {
  /** By their table and primary key. */
  readonly entities: { readonly [table: string]: { readonly [pk: string]: unknown } };
  /** Collections by their table and arguments. */
  readonly lists: { readonly [table: string]: { readonly [args: string]: unknown } };
  /** Requests by their key. */
  readonly requests: { readonly [key: string]: unknown };
}

/** As readers see the store, including optimistic writes. `nameOf`: how rows refer to other rows. */
export function toPlainTables(store: Store, nameOf?: NameOf): PlainTables {
  const entities: { [table: string]: Fields } = {};
  const lists: { [table: string]: Fields } = {};
  for (const { kind, records } of store.tables.values()) {
    const rows = Array.from<EntityRecord | StoredList>(records.values());
    const rowsByKey = rows.flatMap((row) => {
      const value = toPlainRecord(row, nameOf);
      return value === undefined ? [] : [[row.pk, value] as const];
    });
    const tables = kind.stores === 'entity' ? entities : lists;
    if (rowsByKey.length > 0) tables[freeTitle(kind.title, tables)] = Object.fromEntries(rowsByKey);
  }
  const settled = [...store.results].filter(
    ([, { hasResponse, failure }]) => hasResponse || failure,
  );
  const requests = Object.fromEntries(
    settled.map(([key, record]) => [key, toPlainResult(record, nameOf)]),
  );
  return { entities, lists, requests };
}

/** A free title for a table, because two classes may have the same name. */
function freeTitle(title: string, taken: object): string {
  return Object.hasOwn(taken, title) ? freeTitle(`${title}'`, taken) : title;
}

function toPlainRecord(record: EntityRecord | StoredList, nameOf: NameOf | undefined): unknown {
  if (record instanceof ListRecord) return record.members && toPlain(record.members, nameOf);
  if ('entries' in record)
    return record.entries && toPlain(Object.fromEntries(record.entries), nameOf);
  const { kind, instance, nodes } = record;
  return instance && toPlain({ ...fieldsWithNodes(kind, instance, nodes) }, nameOf);
}

function toPlainResult(
  { node, stamp, failure, invalidatedAt, hasResponse }: ResultRecord,
  nameOf: NameOf | undefined,
): unknown {
  return {
    ...(hasResponse && {
      data: toPlain(node, nameOf),
      fetchedAt: toPlainTime(stamp.fetchedAt),
      expiresAt: toPlainTime(stamp.expiresAt),
    }),
    ...(failure && {
      error: toPlain(failure.error),
      errorExpiresAt: toPlainTime(failure.expiresAt),
    }),
    ...(invalidatedAt !== undefined && { invalidated: true }),
  };
}

function toPlainTime(ms: number): unknown {
  return toPlain(Number.isFinite(ms) ? toDate(ms) : ms);
}
