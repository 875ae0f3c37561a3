/** Equality by structure, and the reuse of what did not change. */

/** Under this name a node of ours says what equals it; a method of a user's class must not be asked. */
export const EQUALS: unique symbol = Symbol('signalbox.equals');

/** A value that knows its equals. */
export interface Comparable {
  [EQUALS](other: unknown): boolean;
}

// deeper than this, values count as different: a change too many is better than an overflow
const DEEPEST = 500;

/** True when two JSON-like values hold the same; class instances are equal by identity, dates by their time. */
export function equal(a: unknown, b: unknown, depth = 0): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) {
    return a !== a && b !== b;
  }
  if (depth > DEEPEST) return false;
  if (Array.isArray(a)) return Array.isArray(b) && equalArrays(a, b, depth + 1);
  if (a instanceof Date) return b instanceof Date && a.getTime() === b.getTime();
  if (EQUALS in a) return (a as Comparable)[EQUALS](b);
  return isPlain(a) && isPlain(b) && equalObjects(a, b, depth + 1);
}

function equalArrays(a: readonly unknown[], b: readonly unknown[], depth: number): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (!equal(a[i], b[i], depth)) return false;
  return true;
}

type Members = Record<string, unknown>;

function equalObjects(a: Members, b: Members, depth: number): boolean {
  const names = Object.keys(a);
  if (names.length !== Object.keys(b).length) return false;
  for (const name of names) {
    if (!Object.hasOwn(b, name) || !equal(a[name], b[name], depth)) return false;
  }
  return true;
}

export function isPlain(value: object): value is Members {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

/** `next`, or `old` where they hold the same members; arrays and plain objects are followed. */
export function share<T>(old: unknown, next: T, depth = 0): T {
  if (old === next || depth > DEEPEST) return next;
  if (typeof old !== 'object' || typeof next !== 'object' || old === null || next === null) {
    return next;
  }
  if (Array.isArray(next)) return Array.isArray(old) ? (shareArray(old, next, depth) as T) : next;
  if (isPlain(next)) return isPlain(old) ? shareObject(old, next, depth) : next;
  return equal(old, next) ? (old as T) : next;
}

function shareArray(old: readonly unknown[], next: readonly unknown[], depth: number): unknown {
  let same = old.length === next.length;
  let out: unknown[] | undefined;
  for (let i = 0; i < next.length; i++) {
    const value = share(old[i], next[i], depth + 1);
    if (value !== next[i]) (out ??= [...next])[i] = value;
    if (value !== old[i]) same = false;
  }
  return same ? old : (out ?? next);
}

function shareObject<T extends Members>(old: Members, next: T, depth: number): T {
  const names = Object.keys(next);
  let same = names.length === Object.keys(old).length;
  let out: Members | undefined;
  for (const name of names) {
    const value = share(old[name], next[name], depth + 1);
    if (value !== next[name]) assign((out ??= { ...next }), name, value);
    if (value !== old[name] || !Object.hasOwn(old, name)) same = false;
  }
  return (same ? old : (out ?? next)) as T;
}

/** `target[name] = value` for names from outside: `__proto__` is a member like any other. */
export function assign(target: object, name: string, value: unknown): void {
  if (name !== '__proto__') (target as Members)[name] = value;
  else
    Object.defineProperty(target, name, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
}
