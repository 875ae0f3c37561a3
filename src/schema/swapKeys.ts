/** Primary keys in the arguments of a call, at whatever depth. */
import { assign, isPlain } from './equal.ts';
import { KIND } from './schema.ts';
import type { Args } from './schema.ts';

/** `FormData` or `URLSearchParams`. React Native's `FormData` cannot be read. */
interface Form extends Iterable<readonly [string, unknown]> {
  append(name: string, value: unknown): void;
}

/**
 * The same arguments with other keys in the place of those that `swap` knows: what it gives undefined for stays. Arrays,
 * plain objects and the names in them, entities, forms and search params are followed; what holds no such key is the same.
 */
export function swapKeys(args: Args, swap: (key: string) => unknown): Args {
  return new Swapping(swap).value(args) as Args;
}

/** The keys that arguments may name. */
export function keysIn(args: Args): readonly string[] {
  const keys: string[] = [];
  swapKeys(args, (key) => void keys.push(key));
  return keys;
}

class Swapping {
  readonly #swap: (key: string) => unknown;
  /** What becomes of each object; of one that is gone through now, so far. */
  readonly #met = new Map<object, unknown>();

  constructor(swap: (key: string) => unknown) {
    this.#swap = swap;
  }

  value(value: unknown): unknown {
    if (typeof value === 'string' || typeof value === 'number')
      return this.#swap(String(value)) ?? value;
    if (typeof value !== 'object' || value === null) return value;
    if (!this.#met.has(value)) this.#met.set(value, this.#inside(value));
    return this.#met.get(value);
  }

  #inside(value: object): unknown {
    const isArray = Array.isArray(value);
    if (!isArray && !isPlain(value) && !(KIND in value.constructor))
      return isForm(value) ? this.#form(value) : value;
    const copy = isArray ? [] : (Object.create(Object.getPrototypeOf(value) as object) as object);
    this.#met.set(value, copy);
    let isSame = true;
    for (const [name, inner] of Object.entries(value)) {
      const key = isArray ? name : String(this.#swap(name) ?? name);
      const swapped = this.value(inner);
      assign(copy, key, swapped);
      isSame &&= key === name && swapped === inner;
    }
    this.#met.delete(value);
    return isSame ? value : copy;
  }

  #form(form: Form): Form {
    const copy = new (form.constructor as new () => Form)();
    let isSame = true;
    for (const [name, value] of form) {
      const swapped = this.value(value);
      copy.append(name, swapped);
      isSame &&= swapped === value;
    }
    return isSame ? form : copy;
  }
}

function isForm(value: object): value is Form {
  return 'append' in value && Symbol.iterator in value;
}
