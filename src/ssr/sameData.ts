/** Whether two snapshots of two stores have the same content. */

/** Compares by structure, instances of one class included; both values may be cyclic and deeper than the call stack. */
export function sameData(one: unknown, other: unknown): boolean {
  const met = new Map<object, unknown>();
  const line: [unknown, unknown][] = [[one, other]];
  for (let pair = line.pop(); pair !== undefined; pair = line.pop()) {
    const [a, b] = pair;
    if (Object.is(a, b)) continue;
    if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
    if (met.get(a) === b) continue;
    met.set(a, b);
    if (Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false;
    if (String(told(a)) !== String(told(b))) return false;
    const names = Object.keys(a);
    if (names.length !== Object.keys(b).length) return false;
    for (const name of names) {
      if (!Object.hasOwn(b, name)) return false;
      line.push([Reflect.get(a, name), Reflect.get(b, name)]);
    }
  }
  return true;
}

/** The content of an object without fields: dates, errors, maps, and other objects with a text form. */
function told(value: object): unknown {
  if (value instanceof Map || value instanceof Set) return JSON.stringify([...value]);
  if (value instanceof Date) return value.getTime();
  return value instanceof Error ? value.message : '';
}
