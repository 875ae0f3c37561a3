/** Primary keys: as text, and in the arguments of calls. */
import type { EntityDescriptor } from './EntityDescriptor.ts';
import { setOwn, isPlainObject } from './fieldOf.ts';
import { KIND } from './schema.ts';
import type { Args, Fields } from './schema.ts';

/** A primary key as text: `1` and `'1'` are the same key. Undefined if the value is no identity. */
export function toPk(value: unknown): string | undefined {
  if (typeof value === 'string') return value || undefined;
  if (typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  return typeof value === 'number' && !Number.isNaN(value) ? String(value) : undefined;
}

/** A field as the text that indexes and lists compare; undefined if the value is no identity. */
export function toIndexKey(value: unknown): string | undefined {
  return value === '' ? value : toPk(value);
}

/** Sets the primary key in `fields`, if a single field is the primary key. */
export function withPk({ declaredPkField }: EntityDescriptor, fields: Fields, pk: string): Fields {
  if (declaredPkField !== undefined)
    setOwn(fields, declaredPkField.field, declaredPkField.numeric ? Number(pk) : pk);
  return fields;
}

/** `FormData` or `URLSearchParams`. React Native's `FormData` cannot be read. */
interface Form extends Iterable<readonly [string, unknown]> {
  append(name: string, value: unknown): void;
}

/**
 * The same arguments with primary keys replaced by the result of `swap`; undefined keeps a key. Arrays, plain objects
 * and their member names, entities, forms and search params are searched. Values without a replaced key are not copied.
 */
export function swapKeys(args: Args, swap: (key: string) => unknown): Args {
  return new KeySwapper(swap).swapValue(args) as Args;
}

/** The possible primary keys in arguments. */
export function keysIn(args: Args): readonly string[] {
  const keys: string[] = [];
  swapKeys(args, (key) => void keys.push(key));
  return keys;
}

class KeySwapper {
  readonly #swap: (key: string) => unknown;
  /** The result for each object; while an object is being walked, the unfinished copy. */
  readonly #results = new Map<object, unknown>();

  constructor(swap: (key: string) => unknown) {
    this.#swap = swap;
  }

  swapValue(value: unknown): unknown {
    if (typeof value === 'string' || typeof value === 'number')
      return this.#swap(String(value)) ?? value;
    if (typeof value !== 'object' || value === null) return value;
    if (!this.#results.has(value)) this.#results.set(value, this.#swapMembers(value));
    return this.#results.get(value);
  }

  #swapMembers(value: object): unknown {
    const isObject = isPlainObject(value) || KIND in value.constructor;
    const form = !isObject && isForm(value) ? value : undefined;
    if (!isObject && !Array.isArray(value) && form === undefined) return value;
    const copy = isObject
      ? (Object.create(Object.getPrototypeOf(value) as object) as object)
      : new (value.constructor as new () => object)();
    this.#results.set(value, copy);
    let isSame = true;
    for (const [name, inner] of form ?? Object.entries(value)) {
      const key = isObject ? String(this.#swap(name) ?? name) : name;
      const swapped = this.swapValue(inner);
      if (form === undefined) setOwn(copy, key, swapped);
      else (copy as Form).append(key, swapped);
      isSame &&= key === name && swapped === inner;
    }
    this.#results.delete(value);
    return isSame ? value : copy;
  }
}

function isForm(value: object): value is Form {
  return 'append' in value && Symbol.iterator in value;
}
