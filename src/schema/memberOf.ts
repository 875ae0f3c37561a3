/** Members of user data, without members that every object inherits. */

/** A member of an object or its class; undefined for inherited members of Object.prototype (`constructor`). */
export function memberOf(object: object, name: string): unknown {
  if (name in Object.prototype && !Object.hasOwn(object, name)) return undefined;
  return (object as Record<string, unknown>)[name];
}
