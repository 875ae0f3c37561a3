/** Equality by structure, and the reuse of what did not change. */

/** A value of ours that knows its equals. A class, not a method's name: methods of users' classes must not be asked. */
export abstract class Comparable {
  abstract equals(other: unknown): boolean;
}

// deeper than this, values count as different: a change too many is better than an overflow
const DEEPEST = 500;
// deeper than this, values that were met before are not gone through again: they may be cyclic
const SHALLOW = 8;

/** True when two JSON-like values hold the same; class instances are equal by identity, dates by their time. */
export function equal(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  // most comparisons end here
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) {
    return a !== a && b !== b;
  }
  return new Comparison().equal(a, b, 0);
}

class Comparison {
  /** Pairs found or assumed to be equal: were they not, the whole would not be. */
  #met: Map<object, Set<object>> | undefined;

  equal(a: unknown, b: unknown, depth: number): boolean {
    if (a === b) return true;
    if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) {
      return a !== a && b !== b;
    }
    if (depth > DEEPEST) return false;
    if (depth > SHALLOW && this.#again(a, b)) return true;
    if (Array.isArray(a)) return Array.isArray(b) && this.#arrays(a, b, depth + 1);
    if (a instanceof Date) return b instanceof Date && a.getTime() === b.getTime();
    if (a instanceof Comparable) return a.equals(b);
    return isPlain(a) && isPlain(b) && this.#objects(a, b, depth + 1);
  }

  #again(a: object, b: object): boolean {
    this.#met ??= new Map();
    const others = this.#met.get(a);
    if (others?.has(b)) return true;
    if (others === undefined) this.#met.set(a, new Set([b]));
    else others.add(b);
    return false;
  }

  #arrays(a: readonly unknown[], b: readonly unknown[], depth: number): boolean {
    if (a.length !== b.length) return false;
    for (let i = 0; i < a.length; i++) if (!this.equal(a[i], b[i], depth)) return false;
    return true;
  }

  #objects(a: Members, b: Members, depth: number): boolean {
    const names = Object.keys(a);
    if (names.length !== Object.keys(b).length) return false;
    for (const name of names) {
      if (!Object.hasOwn(b, name) || !this.equal(a[name], b[name], depth)) return false;
    }
    return true;
  }
}

type Members = Record<string, unknown>;

export function isPlain(value: object): value is Members {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

/** `next`, or `old` where they hold the same members; arrays and plain objects are followed. */
export function share<T>(old: unknown, next: T): T {
  if (old === next || typeof next !== 'object' || typeof old !== 'object') return next;
  return new Sharing().share(old, next, 0);
}

class Sharing {
  /** What values deep inside became. */
  #met: Map<unknown, unknown> | undefined;

  share<T>(old: unknown, next: T, depth: number): T {
    if (old === next || depth > DEEPEST) return next;
    if (typeof old !== 'object' || typeof next !== 'object' || old === null || next === null) {
      return next;
    }
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
    if (isPlain(next)) return isPlain(old) ? this.#object(old, next, depth) : next;
    return equal(old, next) ? (old as T) : next;
  }

  #array(old: readonly unknown[], next: readonly unknown[], depth: number): unknown {
    let same = old.length === next.length;
    let out: unknown[] | undefined;
    for (let i = 0; i < next.length; i++) {
      const value = this.share(old[i], next[i], depth + 1);
      if (value !== next[i]) (out ??= [...next])[i] = value;
      if (value !== old[i]) same = false;
    }
    return same ? old : (out ?? next);
  }

  #object<T extends Members>(old: Members, next: T, depth: number): T {
    const names = Object.keys(next);
    let same = names.length === Object.keys(old).length;
    let out: Members | undefined;
    for (const name of names) {
      const before = Object.hasOwn(old, name) ? old[name] : undefined;
      const value = this.share(before, next[name], depth + 1);
      if (value !== next[name]) assign((out ??= { ...next }), name, value);
      if (value !== before || !Object.hasOwn(old, name)) same = false;
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
