/** Type-safe access to the members of an untrusted document. */

export type JsonObject = Readonly<Record<string, unknown>>;

const NONE: JsonObject = Object.freeze({});

export function isFields(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object's own member of this name. */
export function member(value: unknown, name: string): unknown {
  return isFields(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** The member, if an object; else an empty object. */
export function objectAt(value: unknown, name: string): JsonObject {
  const inner = member(value, name);
  return isFields(inner) ? inner : NONE;
}

/** The member, if a list; else an empty list. */
export function list(value: unknown, name: string): readonly unknown[] {
  const inner = member(value, name);
  return Array.isArray(inner) ? inner : [];
}

/** The member, if a non-empty text. */
export function text(value: unknown, name: string): string | undefined {
  const inner = member(value, name);
  return typeof inner === 'string' && inner.trim() !== '' ? inner : undefined;
}
