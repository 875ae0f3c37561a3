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

/** How a record, and a value without a JSON form, appear in plain data. */
export interface PlainForm {
  nameOf(record: StoreRecord): string;
  /** The value of no field if undefined. */
  leafOf(value: unknown): unknown;
}

/** For people: each value is a text. */
const TEXTS: PlainForm = { nameOf: recordName, leafOf: toText };

/** JSON of the same content; records are shown by their names. */
export function toPlain(
  value: unknown,
  form: PlainForm = TEXTS,
  ancestors: readonly object[] = [],
): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (typeof value !== 'object') return form.leafOf(value);
  return ancestors.includes(value) ? '[cyclic]' : plainObject(value, form, [...ancestors, value]);
}

function toText(value: unknown): string {
  if (typeof value === 'bigint') return `${value}n`;
  return typeof value === 'function' ? `[function ${value.name}]` : `[${String(value)}]`;
}

function plainObject(value: object, form: PlainForm, ancestors: readonly object[]): unknown {
  const convert = (member: unknown) => toPlain(member, form, ancestors);
  if (value instanceof StoreRecord) return form.nameOf(value);
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
    Object.entries(fields)
      .map(([name, member]) => [name, convert(member)] as const)
      .filter(([, member]) => member !== undefined),
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

/** As readers see the store, including optimistic writes. */
export function toPlainTables(store: Store, form?: PlainForm): PlainTables {
  const entities: { [table: string]: Fields } = {};
  const lists: { [table: string]: Fields } = {};
  for (const { kind, records } of store.tables.values()) {
    const rows = Array.from<EntityRecord | StoredList>(records.values());
    const rowsByKey = rows.flatMap((row) => {
      const value = toPlainRecord(row, form);
      return value === undefined ? [] : [[row.pk, value] as const];
    });
    const tables = kind.stores === 'entity' ? entities : lists;
    if (rowsByKey.length > 0) tables[freeTitle(kind.title, tables)] = Object.fromEntries(rowsByKey);
  }
  const settled = [...store.results].filter(
    ([, { hasResponse, failure }]) => hasResponse || failure,
  );
  const requests = Object.fromEntries(
    settled.map(([key, record]) => [key, toPlainResult(record, form)]),
  );
  return { entities, lists, requests };
}

/** A free title for a table, because two classes may have the same name. */
function freeTitle(title: string, taken: object): string {
  return Object.hasOwn(taken, title) ? freeTitle(`${title}'`, taken) : title;
}

function toPlainRecord(record: EntityRecord | StoredList, form: PlainForm | undefined): unknown {
  if (record instanceof ListRecord) return record.members && toPlain(record.members, form);
  if ('entries' in record)
    return record.entries && toPlain(Object.fromEntries(record.entries), form);
  const { kind, instance, nodes } = record;
  return instance && toPlain({ ...fieldsWithNodes(kind, instance, nodes) }, form);
}

function toPlainResult(
  { node, stamp, failure, invalidatedAt, hasResponse }: ResultRecord,
  form: PlainForm | undefined,
): unknown {
  return {
    ...(hasResponse && {
      data: toPlain(node, form),
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
