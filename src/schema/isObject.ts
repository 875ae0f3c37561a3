/** What has members by name. */
import type { Fields } from './schema.ts';

/** True for objects, of whatever class, that are no arrays. */
export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
