/** Which fields a record has of its own. */
import type { Fields } from './schema.ts';

/** True for a value of the record's own: `undefined` is none, nor is what every object inherits. */
export function hasField(fields: Fields, name: string): boolean {
  return fields[name] !== undefined && Object.hasOwn(fields, name);
}

/** The value of a field of the record's own, or undefined. */
export function fieldOf(fields: Fields, name: string): unknown {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

/** The names of the fields that have a value. */
export function namesIn(fields: Fields): readonly string[] {
  const names = Object.keys(fields);
  for (const name of names) {
    if (fields[name] === undefined) return names.filter((other) => fields[other] !== undefined);
  }
  return names;
}

/** True when `fields` has every field of a record. */
export function covers(fields: Fields, record: Fields): boolean {
  for (const name in record) if (!hasField(fields, name)) return false;
  return true;
}
