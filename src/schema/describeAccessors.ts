/** Fields behind accessors of a class: a setter may store its value where a copy of the own fields misses it. */
import { setOwn } from './equal.ts';
import type { Fields } from './schema.ts';

/** The getters of a class. */
interface Accessors {
  /** Names of the accessors with a setter. */
  readonly settableAccessors: readonly string[];
  /** Names of the other getters, which are no fields of a response unless the class declares them. */
  readonly computedFields: ReadonlySet<string>;
}

export function describeAccessors(prototype: object, defaults: Fields): Accessors {
  let all = {};
  for (let at = prototype; at && at !== Object.prototype; at = Object.getPrototypeOf(at) as object)
    all = { ...Object.getOwnPropertyDescriptors(at), ...all };
  const settableAccessors: string[] = [];
  const computedFields = new Set<string>();
  for (const [name, property] of Object.entries<PropertyDescriptor>(all))
    if (property.get === undefined) continue;
    else if (property.set !== undefined) settableAccessors.push(name);
    else if (!Object.hasOwn(defaults, name)) computedFields.add(name);
  return { settableAccessors, computedFields };
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

/** True for an own field, or a field behind an accessor that has a setter. */
export function hasStoredField(fields: Fields, name: string, descriptor: Accessors): boolean {
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
