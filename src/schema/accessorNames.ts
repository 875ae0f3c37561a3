/** Fields behind accessors of a class: a setter may store its value where a copy of the own fields misses it. */
import { setOwn } from './equal.ts';
import type { Fields } from './schema.ts';

interface HasAccessors {
  readonly settableAccessors: readonly string[];
}

/** The getters of a class: names with a setter, and names without, which are no fields unless the class declares them. */
export function accessorNames(
  prototype: object,
  declared: readonly string[],
): { readonly settable: readonly string[]; readonly shadowed: ReadonlySet<string> } {
  let all = {};
  for (let at = prototype; at && at !== Object.prototype; at = Object.getPrototypeOf(at) as object)
    all = { ...Object.getOwnPropertyDescriptors(at), ...all };
  const settable: string[] = [];
  const shadowed = new Set<string>();
  for (const [name, property] of Object.entries<PropertyDescriptor>(all))
    if (property.get === undefined) continue;
    else if (property.set !== undefined) settable.push(name);
    else if (!declared.includes(name)) shadowed.add(name);
  return { settable, shadowed };
}

/** Copies fields onto an instance, except fields that the class computes. */
export function assignStoredFields(
  instance: object,
  fields: Fields,
  shadowed: ReadonlySet<string>,
): void {
  for (const name of Object.keys(fields)) {
    const value = fields[name];
    if (value !== undefined && !shadowed.has(name)) setOwn(instance, name, value);
  }
}

/** True for an own field, or a field with an accessor. */
export function hasOwnOrAccessor(fields: Fields, name: string, descriptor: HasAccessors): boolean {
  return (
    Object.hasOwn(fields, name) || (descriptor.settableAccessors.includes(name) && name in fields)
  );
}

/** Copies the state of accessors that the copy of the own fields missed. */
export function copyAccessorState(names: readonly string[], from: Fields, to: Fields): void {
  for (const name of names) {
    try {
      if (name in from && !Object.is(to[name], from[name])) to[name] = from[name];
    } catch {
      // an accessor that throws has no value, and a commit must not stop in the middle
    }
  }
}
