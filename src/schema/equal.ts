/** Equality by structure, and structural sharing of unchanged parts. */
import { isPlainObject, setOwn } from './fieldOf.ts';
import type { Fields } from './schema.ts';

/** A library value that defines equality. A class, not a method name: methods of users' classes must not be called. */
export abstract class Comparable {
  abstract equals(other: unknown): boolean;
}

// deeper values count as different: an unnecessary change is better than a stack overflow
const MAX_DEPTH = 500;
// beyond this depth, no value is compared twice: the values may be cyclic
const MAX_DEPTH_WITHOUT_CYCLE_CHECK = 8;

/** True if two JSON-like values have equal contents. Dates, maps and sets are compared by contents (in their order);
 * an instance of any other class is equal only to itself. */
export function equal(a: unknown, b: unknown): boolean {
  return Object.is(replaceEqualDeep(a, b), a);
}

/** `next`, or `old` if both have equal contents; unchanged parts of arrays and plain objects are reused from `old`. */
export function replaceEqualDeep<T>(old: unknown, next: T): T {
  // fast path: most comparisons end here
  if (old === next) return old as T;
  if (typeof next !== 'object' || typeof old !== 'object')
    return isSameValueZero(old, next) ? (old as T) : next;
  // a first value, or the first members of a list: nothing is shared
  if (old === null || next === null) return next;
  if (Array.isArray(old) && old.length === 0 && Array.isArray(next))
    return next.length === 0 ? (old as T) : next;
  return new StructuralSharing().share(old, next, 0);
}

/** Equality of primitives: NaN equals NaN, and 0 equals -0. */
function isSameValueZero(a: unknown, b: unknown): boolean {
  return a === b || (a !== a && b !== b);
}

class StructuralSharing {
  /** The results for values deeper than SHALLOW. */
  #results: Map<unknown, unknown> | undefined;

  share<T>(old: unknown, next: T, depth: number): T {
    if (isSameValueZero(old, next)) return old as T;
    if (typeof old !== 'object' || typeof next !== 'object' || old === null || next === null) {
      return next;
    }
    if (depth > MAX_DEPTH) return next;
    if (depth <= MAX_DEPTH_WITHOUT_CYCLE_CHECK) return this.#shareMembers(old, next, depth);
    const results = (this.#results ??= new Map<unknown, unknown>());
    if (!results.has(next)) {
      // a cycle gets the original value
      results.set(next, next);
      results.set(next, this.#shareMembers(old, next, depth));
    }
    return results.get(next) as T;
  }

  #shareMembers<T>(old: object, next: T & object, depth: number): T {
    if (Array.isArray(next))
      return (Array.isArray(old) ? this.#shareArray(old, next, depth) : next) as T;
    if (isPlainObject(next)) return isPlainObject(old) ? this.#shareObject(old, next, depth) : next;
    return this.#isEqual(old, next, depth) ? (old as T) : next;
  }

  /** Compares objects that are neither arrays nor plain objects. Private state of a user's class is not accessible. */
  #isEqual(a: object, b: object, depth: number): boolean {
    if (a instanceof Comparable) return a.equals(b);
    const prototype: unknown = Object.getPrototypeOf(a);
    // subclasses of these classes may have further state
    if (prototype !== Object.getPrototypeOf(b)) return false;
    try {
      if (a instanceof Date) return isSameValueZero(a.getTime(), (b as Date).getTime());
      if (prototype !== Map.prototype && prototype !== Set.prototype) return false;
      const entries = [...(a as Iterable<unknown>)];
      return this.share(entries, [...(b as Iterable<unknown>)], depth + 1) === entries;
    } catch {
      // a proxy has the prototype of the target, but not the internal slots
      return false;
    }
  }

  #shareArray(old: readonly unknown[], next: readonly unknown[], depth: number): unknown {
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

  #shareObject<T extends Fields>(old: Fields, next: T, depth: number): T {
    const names = Object.keys(next);
    let same = names.length === Object.keys(old).length;
    let out: Fields | undefined;
    for (const name of names) {
      const before = old[name];
      const incoming: unknown = next[name];
      if (!Object.hasOwn(old, name)) same = false;
      else if (before !== incoming) {
        const value = this.share(before, incoming, depth + 1);
        if (value !== incoming) setOwn((out ??= { ...next }), name, value);
        if (!Object.is(value, before)) same = false;
      }
    }
    return (same ? old : (out ?? next)) as T;
  }
}
