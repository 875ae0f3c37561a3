/** Members that somebody gave. */

/** A member of an object or its class; what every object inherits (`constructor`) nobody gave. */
export function memberOf(object: object, name: string): unknown {
  if (name in Object.prototype && !Object.hasOwn(object, name)) return undefined;
  return (object as Record<string, unknown>)[name];
}
