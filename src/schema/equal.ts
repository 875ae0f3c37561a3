/** Equality by structure, and the reuse of what did not change. */

/** A value of ours that knows its equals. A class, not a method's name: methods of users' classes must not be asked. */
export abstract class Comparable {
  abstract equals(other: unknown): boolean;
}

// deeper than this, values count as different: a change too many is better than an overflow
const DEEPEST = 500;
// deeper than this, values that were met before are not gone through again: they may be cyclic
const SHALLOW = 8;

/** True when two JSON-like values hold the same; dates, maps and sets by what they hold (in their order), instances of
 * other classes are equal to themselves alone. */
export function equal(a: unknown, b: unknown): boolean {
  return Object.is(share(a, b), a);
}

type Members = Record<string, unknown>;

/** True for objects as JSON has them: of no class. */
export function isPlain(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && isBare(value);
}

function isBare(value: object): value is Members {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** `next`, or `old` where they hold the same members; arrays and plain objects are followed. */
export function share<T>(old: unknown, next: T): T {
  // most comparisons end here
  if (old === next) return old as T;
  if (typeof next !== 'object' || typeof old !== 'object')
    return isSame(old, next) ? (old as T) : next;
  return new Sharing().share(old, next, 0);
}

/** One value, for what is equal by itself: NaN is NaN, and 0 is -0. */
function isSame(a: unknown, b: unknown): boolean {
  return a === b || (a !== a && b !== b);
}

class Sharing {
  /** What values deep inside became. */
  #met: Map<unknown, unknown> | undefined;

  share<T>(old: unknown, next: T, depth: number): T {
    if (isSame(old, next)) return old as T;
    if (typeof old !== 'object' || typeof next !== 'object' || old === null || next === null) {
      return next;
    }
    if (depth > DEEPEST) return next;
    if (depth <= SHALLOW) return this.#members(old, next, depth);
    this.#met ??= new Map<unknown, unknown>();
    if (this.#met.has(next)) return this.#met.get(next) as T;
    // a cycle finds the value as it came
    this.#met.set(next, next);
    const out = this.#members(old, next, depth);
    this.#met.set(next, out);
    return out;
  }

  #members<T>(old: object, next: T & object, depth: number): T {
    if (Array.isArray(next))
      return (Array.isArray(old) ? this.#array(old, next, depth) : next) as T;
    if (isBare(next)) return isBare(old) ? this.#object(old, next, depth) : next;
    return this.#isEqual(old, next, depth) ? (old as T) : next;
  }

  /** Of what is neither an array nor a plain object. What an object of a user's class keeps to itself cannot be seen. */
  #isEqual(a: object, b: object, depth: number): boolean {
    if (a instanceof Comparable) return a.equals(b);
    const prototype: unknown = Object.getPrototypeOf(a);
    // classes made of these may have more
    if (prototype !== Object.getPrototypeOf(b)) return false;
    try {
      if (a instanceof Date) return isSame(a.getTime(), (b as Date).getTime());
      if (prototype !== Map.prototype && prototype !== Set.prototype) return false;
      const entries = [...(a as Iterable<unknown>)];
      return this.share(entries, [...(b as Iterable<unknown>)], depth + 1) === entries;
    } catch {
      // a proxy is of their class, and has none of what they have
      return false;
    }
  }

  #array(old: readonly unknown[], next: readonly unknown[], depth: number): unknown {
    let same = old.length === next.length;
    let out: unknown[] | undefined;
    for (let i = 0; i < next.length; i++) {
      const before = old[i];
      const incoming = next[i];
      if (before === incoming) continue;
      const value = this.share(before, incoming, depth + 1);
      if (value !== incoming) (out ??= [...next])[i] = value;
      if (!Object.is(value, before)) same = false;
    }
    return same ? old : (out ?? next);
  }

  #object<T extends Members>(old: Members, next: T, depth: number): T {
    const names = Object.keys(next);
    let same = names.length === Object.keys(old).length;
    let out: Members | undefined;
    for (const name of names) {
      const before = old[name];
      const incoming: unknown = next[name];
      if (!Object.hasOwn(old, name)) same = false;
      else if (before !== incoming) {
        const value = this.share(before, incoming, depth + 1);
        if (value !== incoming) assign((out ??= { ...next }), name, value);
        if (!Object.is(value, before)) same = false;
      }
    }
    return (same ? old : (out ?? next)) as T;
  }
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
