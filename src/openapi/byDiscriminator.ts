/** The member that tells the variants of a union apart, and the values for each variant. */
import type { ApiDocument, Definition } from './ApiDocument.ts';
import { isFields, list, member, objectAt, text } from './JsonObject.ts';
import type { JsonObject } from './JsonObject.ts';
import { plainName } from './ModuleNames.ts';
import { isNull, literal } from './Shape.ts';
import type { Discriminator, Shape } from './Shape.ts';

/*
 *   the values of a variant, the first that applies
 *   keys of the mapping that lead there      by $ref, by name, or by the name of a file
 *   const or enum of the member              of the schema, of a part (allOf), or of each variant (oneOf)
 *   a value of the base that fits the name   enum: [login, logout] and LoginEvent
 *   the name
 */
/** By the `discriminator` of a schema. */
export function byDiscriminator(
  schema: unknown,
  variants: readonly Definition[],
  { document, bases = [] }: KindSource,
): Discriminator | undefined {
  const told = discriminatorIn(schema);
  const field = text(told, 'propertyName');
  if (field === undefined) return undefined;
  const found = new Names(field);
  const mapping = Object.entries(objectAt(told, 'mapping'));
  for (const [name, target] of mapping) {
    const definition = document.definitionNamed(String(target));
    if (definition !== undefined) found.add(name, definition);
  }
  found.addOwn(variants.map((of) => ({ of, values: valuesOf(of.schema, field, document) })));
  const known = partsOf(schema, document)
    .map((part) => literalsIn(objectAt(part, 'properties')[field], document))
    .find(({ length }) => length > 0);
  for (const of of variants) if (!bases.includes(of)) found.addByName(of, known ?? []);
  for (const of of bases) found.addBase(of, known ?? [], mapping.length === 0);
  return found.discriminator;
}

interface KindSource {
  readonly document: ApiDocument;
  /** The schemas that others extend: records only if a value tells so. */
  readonly bases?: readonly Definition[];
}

/** The discriminator of a schema, or of a part (inline schema). */
export function discriminatorIn(schema: unknown): JsonObject | undefined {
  const own = objectAt(schema, 'discriminator');
  if (text(own, 'propertyName') !== undefined) return own;
  const parts = list(schema, 'allOf').filter((part) => text(part, '$ref') === undefined);
  return parts.map(discriminatorIn).find((each) => each !== undefined);
}

interface Variant {
  readonly of: Definition;
  readonly values: readonly unknown[];
}

class Names {
  readonly #field: string;
  readonly #names = new Map<string, Definition>();
  readonly #guesses = new Set<string>();
  readonly #literals = new Map<string, string>();

  constructor(field: string) {
    this.#field = field;
  }

  get discriminator(): Discriminator {
    return {
      field: this.#field,
      names: this.#names,
      guesses: this.#guesses,
      literals: this.#literals,
    };
  }

  add(value: unknown, of: Definition): void {
    const name = String(value);
    if (this.#names.has(name)) return;
    this.#names.set(name, of);
    const code = literal(value);
    if (typeof value !== 'string' && code !== undefined) this.#literals.set(name, code);
  }

  /** Of several variants, the variant with the fewest values gets the common value; of equals none. */
  addOwn(variants: readonly Variant[]): void {
    for (const { of, values } of variants)
      for (const value of values) {
        const others = variants.filter((each) => each.of !== of && each.values.includes(value));
        if (others.every((each) => each.values.length > values.length)) this.add(value, of);
      }
  }

  addByName(of: Definition, values: readonly unknown[]): void {
    if (!this.#addLike(of, values)) this.add(of.name, of);
  }

  /** A base is also a kind by a value, and by name only if all heirs are (`isByName`). */
  addBase(of: Definition, values: readonly unknown[], isByName: boolean): void {
    if (this.#addLike(of, values)) return;
    if (values.length === 1) this.add(values[0], of);
    else if (isByName && [...this.#names].every(([value, each]) => each.name === value))
      this.add(of.name, of);
  }

  /** Adds the only free value that is like the name; true if the schema has a value. */
  #addLike(of: Definition, values: readonly unknown[]): boolean {
    if ([...this.#names.values()].includes(of)) return true;
    const name = plainName(of.name);
    const free = values.filter((value) => !this.#names.has(String(value)));
    const same = free.filter((value) => plainName(String(value)) === name);
    const part = free.filter((value) => {
      const word = plainName(String(value));
      return word !== '' && (name.startsWith(word) || name.endsWith(word));
    });
    const [only, another] = same.length > 0 ? same : part;
    if (only === undefined || another !== undefined) return false;
    if (only !== of.name) this.#guesses.add(String(only));
    this.add(only, of);
    return true;
  }
}

/** Without a `discriminator`: a required member with other literals in each schema, `kind: 'post'` and `kind: 'link'`. */
export function byLiteral(
  given: readonly Shape[],
  document: ApiDocument,
): Discriminator | undefined {
  const variants = given.filter((each) => !isNull(each));
  const named = variants.flatMap((each) => (each.is === 'name' ? [each.of] : []));
  const [first, ...others] = named;
  if (first === undefined || others.length === 0 || named.length < variants.length)
    return undefined;
  const fields = partsOf(first.schema, document).flatMap((part) =>
    Object.keys(objectAt(part, 'properties')),
  );
  for (const field of new Set(fields)) {
    const all = named.map((of) => ({ of, values: requiredValuesOf(of.schema, field, document) }));
    const values = new Set(all.flatMap((each) => each.values.map(String)));
    const count = all.reduce((sum, each) => sum + each.values.length, 0);
    if (values.size !== count || all.some((each) => each.values.length === 0)) continue;
    const found = new Names(field);
    found.addOwn(all);
    return found.discriminator;
  }
  return undefined;
}

function requiredValuesOf(schema: unknown, field: string, document: ApiDocument): unknown[] {
  const isRequired = partsOf(schema, document).some((part) =>
    list(part, 'required').includes(field),
  );
  return isRequired ? valuesOf(schema, field, document) : [];
}

/** A schema and the parts of its `allOf`, at any depth. */
function partsOf(schema: unknown, document: ApiDocument, seen = new Set<unknown>()): JsonObject[] {
  const at = document.resolve(schema);
  if (!isFields(at) || seen.has(at)) return [];
  seen.add(at);
  return [at, ...list(at, 'allOf').flatMap((part) => partsOf(part, document, seen))];
}

/** The possible literals of a member; none if other values are possible. */
const valuesOf = (schema: unknown, field: string, document: ApiDocument): unknown[] =>
  narrowed(schema, document, (at) => literalsIn(objectAt(at, 'properties')[field], document));

/** The literals of a value itself, of a part, or of each variant. */
const literalsIn = (schema: unknown, document: ApiDocument): unknown[] =>
  narrowed(schema, document, (at) => {
    const values = Object.hasOwn(at, 'const') ? [at['const']] : list(at, 'enum');
    const given = values.filter((value) => value !== null);
    return given.every((value) => typeof value !== 'object') ? given : [];
  });

/** The values that `find` finds in a schema, also beside the $ref; else in the parts, else in each variant. */
function narrowed(
  schema: unknown,
  document: ApiDocument,
  find: (at: JsonObject) => unknown[],
  seen: readonly unknown[] = [],
): unknown[] {
  const at = document.resolve(schema);
  if (!isFields(schema) || !isFields(at) || seen.includes(at)) return [];
  const own = [find(schema), find(at)].find(({ length }) => length > 0);
  if (own !== undefined) return own;
  const inside = (name: string) =>
    list(at, name).flatMap((part) =>
      member(part, 'type') === 'null' ? [] : [narrowed(part, document, find, [...seen, at])],
    );
  // a part with fewer values narrows the others; of equals the last part is the schema's own
  const [least] = inside('allOf')
    .filter((values) => values.length > 0)
    .reverse()
    .sort((first, second) => first.length - second.length);
  if (least !== undefined) return least;
  const variants = [...inside('oneOf'), ...inside('anyOf')];
  return variants.some((values) => values.length === 0) ? [] : variants.flat();
}
