/** Arguments as text: equal arguments give equal text, whatever the order of their members. */

/**
 * JSON with sorted members. `undefined` members are left out, dates are ISO text; values that JSON has no word for
 * are told apart by their type. Cycles throw, as in `JSON.stringify`.
 */
export function serialize(value: unknown): string {
  return write(value, []);
}

function write(value: unknown, above: readonly object[]): string {
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  if (typeof value === 'symbol' || typeof value === 'function') return String(value);
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'undefined';
  if (above.includes(value)) throw new TypeError('cyclic arguments have no key');
  const inner = [...above, value];
  const list = value instanceof Map || value instanceof Set ? [...value] : value;
  if (Array.isArray(list)) return `[${list.map((member) => write(member, inner)).join()}]`;
  const { toJSON } = value as { toJSON?: () => unknown };
  if (typeof toJSON === 'function') return write(toJSON.call(value), inner);
  const parts: string[] = [];
  for (const name of Object.keys(value).sort()) {
    const member = (value as Record<string, unknown>)[name];
    if (member !== undefined) parts.push(`${JSON.stringify(name)}:${write(member, inner)}`);
  }
  return `{${parts.join()}}`;
}
