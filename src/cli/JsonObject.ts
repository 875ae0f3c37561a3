/** Members of a document that somebody else wrote: each is asked for, none is trusted to be what it should. */

export type JsonObject = Readonly<Record<string, unknown>>;

const NONE: JsonObject = Object.freeze({});

export function isFields(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The member of this name, if the object has it itself. */
export function member(value: unknown, name: string): unknown {
  return isFields(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** An object's member that is an object; else one without members. */
export function objectAt(value: unknown, name: string): JsonObject {
  const inner = member(value, name);
  return isFields(inner) ? inner : NONE;
}

/** An object's member that is a list; else an empty one. */
export function list(value: unknown, name: string): readonly unknown[] {
  const inner = member(value, name);
  return Array.isArray(inner) ? inner : [];
}

/** An object's member that is a text with something in it. */
export function text(value: unknown, name: string): string | undefined {
  const inner = member(value, name);
  return typeof inner === 'string' && inner.trim() !== '' ? inner : undefined;
}
