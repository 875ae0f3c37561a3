/** Arguments as text: equal arguments give equal text, whatever the order of their members. */

/**
 * JSON with sorted members. `undefined` members are left out, dates are ISO text; values that JSON has no word for
 * are told apart by their type. Cycles throw, as in `JSON.stringify`.
 */
export function serialize(value: unknown): string {
  return write(value, new Set());
}

function write(value: unknown, above: Set<object>): string {
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  if (typeof value === 'symbol' || typeof value === 'function') return String(value);
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'undefined';
  if (above.has(value)) throw new TypeError('cyclic arguments have no key');
  above.add(value);
  const text = writeObject(value, above);
  above.delete(value);
  return text;
}

function writeObject(value: object, inner: Set<object>): string {
  const list = value instanceof Map || value instanceof Set ? [...value] : value;
  if (Array.isArray(list)) return `[${list.map((member) => write(member, inner)).join()}]`;
  const { toJSON } = value as { toJSON?: () => unknown };
  if (typeof toJSON === 'function') return write(toJSON.call(value), inner);
  const names = Object.keys(value).sort();
  // search params, regular expressions: what they hold shows in their text alone
  if (names.length === 0 && speaks(value))
    return `${tagOf(value)}(${JSON.stringify(String(value))})`;
  const parts: string[] = [];
  for (const name of names) {
    const member = (value as Record<string, unknown>)[name];
    if (member !== undefined) parts.push(`${JSON.stringify(name)}:${write(member, inner)}`);
  }
  return `{${parts.join()}}`;
}

/** True for value objects, which have a text of their own. */
export function speaks(value: object): boolean {
  const toString: unknown = Reflect.get(value, 'toString');
  return typeof toString === 'function' && toString !== Object.prototype.toString;
}

export function tagOf(value: object): string {
  return Object.prototype.toString.call(value).slice(8, -1);
}
