/** Arguments as text: equal arguments give equal text, regardless of the order of their members. */

// ancestors are tracked from this depth on: few arguments are deeper, and a cycle reaches this depth again
const MAX_DEPTH_WITHOUT_CYCLE_CHECK = 3;

/**
 * JSON with sorted members. `undefined` members are left out, dates are ISO text; values without a JSON form are
 * distinguished by their type. Cycles throw, as in `JSON.stringify`.
 */
export function serialize(value: unknown, depth = 0, above?: Set<object>): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'bigint') return `${value}n`;
  if (value === null || typeof value !== 'object') return String(value);
  if (depth < MAX_DEPTH_WITHOUT_CYCLE_CHECK) return serializeObject(value, depth + 1);
  if (above?.has(value)) throw new TypeError('cyclic arguments');
  const inner = (above ?? new Set()).add(value);
  const text = serializeObject(value, depth + 1, inner);
  inner.delete(value);
  return text;
}

function serializeObject(value: object, depth: number, above?: Set<object>): string {
  if (Array.isArray(value))
    return `[${value.map((member) => serialize(member, depth, above)).join()}]`;
  if (value instanceof Map || value instanceof Set)
    return serializeObject([...(value as Iterable<unknown>)], depth, above);
  const { toJSON } = value as { toJSON?: () => unknown };
  if (typeof toJSON === 'function') return serialize(toJSON.call(value), depth, above);
  const names = Object.keys(value).sort();
  // search params, regular expressions: their content is only accessible as text
  if (names.length === 0 && hasOwnToString(value))
    return `${stringTagOf(value)}(${JSON.stringify(String(value))})`;
  let text = '';
  for (const name of names) {
    const member = (value as Record<string, unknown>)[name];
    if (member === undefined) continue;
    text += `${text && ','}${JSON.stringify(name)}:${serialize(member, depth, above)}`;
  }
  return `{${text}}`;
}

/** True for value objects with a toString() of their own, and for primitives. */
export function hasOwnToString(value: object): boolean {
  const { toString } = value as { toString?: unknown };
  return typeof toString === 'function' && toString !== Object.prototype.toString;
}

export function stringTagOf(value: object): string {
  return Object.prototype.toString.call(value).slice(8, -1);
}
