/** A type guard for objects with named members. */
import type { Fields } from './schema.ts';

/** True for objects of any class, except arrays. */
export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
