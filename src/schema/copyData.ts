/** Copies the fields of one instance of an entity to another instance. */
import { setOwn } from './equal.ts';
import type { Fields } from './schema.ts';

/** Copies all fields but functions: each instance has functions of its own, which may read `this`. */
export function copyData(from: Fields, to: Fields): Fields {
  for (const name of Object.keys(from))
    if (typeof from[name] !== 'function') setOwn(to, name, from[name]);
  return to;
}
