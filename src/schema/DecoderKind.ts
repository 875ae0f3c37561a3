/** Decoders: values that are converted once, when they are written. */
import { badDataError } from './badDataError.ts';
import { Comparable, equal } from './equal.ts';
import type { Kind, Node, Source, NormalizeContext } from './schema.ts';
import { isStandard, validateStandard } from './StandardSchemaV1.ts';

/** A value with its source JSON. The JSON decides equality and is stored in snapshots of the store. */
export class Decoded extends Comparable {
  readonly raw: unknown;
  readonly value: unknown;

  constructor(raw: unknown, value: unknown) {
    super();
    this.raw = raw;
    this.value = value;
  }

  equals(other: unknown): boolean {
    return other instanceof Decoded && equal(this.raw, other.raw);
  }
}

type Decode = (raw: unknown) => unknown;

/** A class (called with `new`), a function, or a Standard Schema, as a member of a schema. */
export class DecoderKind implements Kind {
  readonly alwaysComplete = true;
  readonly #decode: Decode;
  readonly title: string;

  constructor(decoder: object) {
    this.title = (decoder as { name?: string }).name ?? 'schema';
    this.#decode = toDecode(decoder);
  }

  normalize(input: unknown, _parent: unknown, key: string, walk: NormalizeContext): Node {
    if (input === null || input === undefined) return input;
    try {
      return new Decoded(input, this.#decode(input));
    } catch (cause) {
      const member = key === '' ? this.title : key;
      throw badDataError('S7', { member, value: input, reason: cause }, walk.endpoint, cause);
    }
  }

  denormalize(node: Node, source: Source): unknown {
    if (!(node instanceof Decoded)) return node;
    return source.kindOf === undefined ? node.value : node.raw;
  }
}

function toDecode(decoder: object): Decode {
  if (isStandard(decoder)) {
    return (raw) => {
      const { value, reason } = validateStandard(decoder, raw);
      if (reason !== undefined) throw new TypeError(reason);
      return value;
    };
  }
  if (!isConstructor(decoder)) return decoder as Decode;
  const Class = decoder as new (raw: unknown) => unknown;
  return (raw) => {
    const value = raw instanceof Class ? raw : new Class(raw);
    // BigInt throws for such text, Date does not
    if (value instanceof Date && Number.isNaN(value.getTime())) throw new TypeError('not a date');
    return value;
  };
}

// BigInt, Symbol and the wrappers have a prototype, but are meant to be called
const callableBuiltins: readonly unknown[] = [BigInt, Symbol, Number, String, Boolean];

/** Classes and built-in constructors. A user's `function` counts as a constructor if its prototype has methods. */
function isConstructor(decoder: object): boolean {
  const own = Object.getOwnPropertyDescriptor(decoder, 'prototype');
  if (own?.value === undefined || callableBuiltins.includes(decoder)) return false;
  // `prototype` is read-only for a class, writable for a function
  return own.writable === false || Object.getOwnPropertyNames(own.value).length > 1;
}
