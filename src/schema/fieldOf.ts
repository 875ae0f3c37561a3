/** Objects of user data: safe reads and writes of their members. Names may come from a server: `__proto__`, `constructor`. */
import type { Fields } from './schema.ts';

/** True for objects of any class, except arrays. */
export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** True for objects as in JSON: without a class. */
export function isPlainObject(value: unknown): value is Fields {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** True for a form. The class is not looked up for a plain object: Node would load all of `fetch` for that. */
export function isFormData(value: unknown): value is FormData {
  return !isPlainObject(value) && value instanceof FormData;
}

/** The value of an own field of the record, or undefined. */
export function fieldOf(fields: Fields, name: string): unknown {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

/** True for an own field with a value: neither `undefined` nor inherited. */
export function hasField(fields: Fields, name: string): boolean {
  return fields[name] !== undefined && Object.hasOwn(fields, name);
}

/** True if `fields` has every field of a record. */
export function hasAllFields(fields: Fields, record: Fields): boolean {
  for (const name in record) if (!hasField(fields, name)) return false;
  return true;
}

/** A member of an object or its class; undefined for inherited members of Object.prototype (`constructor`). */
export function memberOf(object: object, name: string): unknown {
  if (name in Object.prototype && !Object.hasOwn(object, name)) return undefined;
  return (object as Fields)[name];
}

/** `target[name] = value` for names from outside: `__proto__` becomes an ordinary member. */
export function setOwn(target: object, name: string, value: unknown): void {
  if (name === '__proto__') defineOwn(target, name, value);
  else (target as Fields)[name] = value;
}

/** Defines an ordinary member, as a class defines a field: also over a getter or a read-only member. */
export function defineOwn(
  target: object,
  name: PropertyKey,
  value: unknown,
  enumerable = true,
): void {
  Object.defineProperty(target, name, { value, enumerable, configurable: true, writable: true });
}

/** Copies all fields but functions: each instance has separate functions, which may read `this`. */
export function copyData(from: Fields, to: Fields): Fields {
  for (const name of Object.keys(from))
    if (typeof from[name] !== 'function') setOwn(to, name, from[name]);
  return to;
}

/** A body, or a member of a body, as in JSON. Undefined for a file: only the server knows the value of the field. */
export function sentValue(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Blob) return undefined;
  const { toJSON } = value as { readonly toJSON?: unknown };
  return typeof toJSON === 'function' ? (toJSON.call(value) as unknown) : value;
}

/**
 * Adds to each getter of `owner` a setter that defines an own member. React Native's Babel preset, and TypeScript below
 * ES2022, assign fields: `urlPrefix = '…'` or `static key = '…'` would throw there.
 */
export function makeGettersAssignable(owner: object): void {
  for (const [name, member] of Object.entries(Object.getOwnPropertyDescriptors(owner))) {
    if (member.get === undefined) continue;
    Object.defineProperty(owner, name, {
      set(this: object, value: unknown) {
        defineOwn(this, name, value);
      },
    });
  }
}
