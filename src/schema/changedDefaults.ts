/** Defaults that the constructor of a class does not set by itself. */
import { equal } from './equal.ts';
import type { Fields } from './schema.ts';

/** The usual default of a list, a new one in each instance. */
function areEmpty(one: unknown, other: unknown): boolean {
  return Array.isArray(one) && Array.isArray(other) && one.length + other.length === 0;
}

/** The defaults, if a new instance has others; arrays and objects are compared by their contents. */
export function changedDefaults(
  defaults: Fields,
  declared: readonly string[],
  instance: Fields,
): Fields | undefined {
  let isSame = Object.keys(instance).length === declared.length;
  for (const name of declared) {
    const one = defaults[name];
    const other = instance[name];
    isSame &&=
      Object.hasOwn(instance, name) && (one === other || areEmpty(one, other) || equal(one, other));
  }
  return isSame ? undefined : { ...defaults };
}
