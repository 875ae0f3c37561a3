/** The own fields of a record. */
import type { Fields } from './schema.ts';

/** True for an own field with a value: neither `undefined` nor inherited. */
export function hasField(fields: Fields, name: string): boolean {
  return fields[name] !== undefined && Object.hasOwn(fields, name);
}

/** The value of an own field of the record, or undefined. */
export function fieldOf(fields: Fields, name: string): unknown {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

/** True if `fields` has every field of a record. */
export function hasAllFields(fields: Fields, record: Fields): boolean {
  for (const name in record) if (!hasField(fields, name)) return false;
  return true;
}
