/** Values for DevTools: values without a JSON form become text. */
import { ObjectNode } from '../schema/containers.ts';
import { Decoded } from '../schema/DecoderKind.ts';
import { Composite, OpaqueValue } from '../schema/schema.ts';
import type { Fields } from '../schema/schema.ts';
import type { OptimisticCall } from '../optimistic/Layer.ts';
import { StoreRecord } from '../store/records/StoreRecord.ts';

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
