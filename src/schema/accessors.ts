/** Fields that accessors of a class hold: what a setter took in may lie where no copy of the own fields comes. */
import { assign } from './equal.ts';
import type { Fields } from './schema.ts';

interface Accessible {
  readonly accessors: readonly string[];
}

/** The getters of a class, and whether they have setters. */
export function accessors(prototype: object): (readonly [name: string, settable: boolean])[] {
  let all = {};
  for (let at: object | null = prototype; at !== null && at !== Object.prototype;) {
    all = { ...Object.getOwnPropertyDescriptors(at), ...all };
    at = Object.getPrototypeOf(at) as object | null;
  }
  return Object.entries<PropertyDescriptor>(all)
    .filter(([, property]) => property.get !== undefined)
    .map(([name, property]) => [name, property.set !== undefined]);
}

/** Copies fields onto an instance, but for what the class computes itself. */
export function assignFields(
  instance: object,
  fields: Fields,
  shadowed: ReadonlySet<string>,
): void {
  for (const name of Object.keys(fields)) {
    const value = fields[name];
    if (value !== undefined && !shadowed.has(name)) assign(instance, name, value);
  }
}

/** True for a field of its own, or one that an accessor holds. */
export function hasOwnOrAccessor(fields: Fields, name: string, plan: Accessible): boolean {
  return Object.hasOwn(fields, name) || (plan.accessors.includes(name) && name in fields);
}

/** Carries over what did not come with the own fields. */
export function copyAccessorState(names: readonly string[], from: Fields, to: Fields): void {
  for (const name of names) {
    try {
      if (name in from && !Object.is(to[name], from[name])) to[name] = from[name];
    } catch {
      // an accessor that throws tells nothing, and a commit must not break half-way
    }
  }
}
