/** Decoders: values that are converted once, on write. */
import { DEV } from '../errors.ts';
import { badDataError } from './badDataError.ts';
import { Comparable, equal } from './equal.ts';
import type { Kind, NormalizedNode, Source, NormalizeContext } from './schema.ts';

/** Any validator of the Standard Schema specification: Zod, Valibot, ArkType and others. */
export interface StandardSchemaV1<In = unknown, Out = In> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => Outcome<Out> | Promise<Outcome<Out>>;
    readonly types?: { readonly input: In; readonly output: Out } | undefined;
  };
}

type Outcome<Out> =
  | { readonly value: Out; readonly issues?: undefined }
  | { readonly issues: readonly Issue[] };

interface Issue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

export function isStandard(schema: unknown): schema is StandardSchemaV1 {
  return (schema as Partial<StandardSchemaV1> | null | undefined)?.['~standard'] !== undefined;
}

/** The value that a schema returns for `input`, or the reason of the failure. */
export function validateStandard<Out>(
  schema: StandardSchemaV1<unknown, Out>,
  input: unknown,
): { readonly value?: Out; readonly reason?: string } {
  const outcome = schema['~standard'].validate(input);
  if (outcome instanceof Promise)
    return { reason: DEV ? 'asynchronous schemas are not supported' : 'asynchronous' };
  const { issues } = outcome;
  return issues === undefined ? { value: outcome.value } : { reason: issueText(issues) };
}

/** The issues of a rejected value as text: `path: message`, joined by commas. */
function issueText(issues: readonly Issue[]): string {
  const texts = issues.map(({ path = [], message }) => {
    const steps = path.map((step) => String(typeof step === 'object' ? step.key : step));
    return steps.length === 0 ? message : `${steps.join('.')}: ${message}`;
  });
  return texts.join(', ');
}

/** A value with the source JSON. The JSON decides equality and is stored in snapshots of the store. */
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

  normalize(input: unknown, _parent: unknown, key: string, walk: NormalizeContext): NormalizedNode {
    if (input === null || input === undefined) return input;
    try {
      return new Decoded(input, this.#decode(input));
    } catch (cause) {
      const member = key === '' ? this.title : key;
      throw badDataError('S7', { member, value: input, reason: cause }, walk.endpoint, cause);
    }
  }

  denormalize(node: NormalizedNode, source: Source): unknown {
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

/** Classes and built-in constructors. A user's `function` counts as a constructor if the prototype has methods. */
function isConstructor(decoder: object): boolean {
  const prototypeProperty = Object.getOwnPropertyDescriptor(decoder, 'prototype');
  if (prototypeProperty?.value === undefined || callableBuiltins.includes(decoder)) return false;
  // `prototype` is read-only for a class, writable for a function
  return (
    prototypeProperty.writable === false ||
    Object.getOwnPropertyNames(prototypeProperty.value).length > 1
  );
}
