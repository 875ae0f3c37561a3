/** Random values that obey the schemas of a description. The same seed gives the same value. */
import { generateSync } from 'json-schema-faker';
import { isObject } from './Description.ts';
import type { Description, Json } from './Description.ts';

/** From this nesting depth on, optional members with objects or lists are omitted. */
const DEEP = 3;
/** A schema that requires itself has no value; this many levels show that. */
const ENDLESS = 40;

export class Sampler {
  readonly #description: Description;
  /** The results of `flat`. */
  readonly #flat = new WeakMap<Json, Map<string, Json>>();

  constructor(description: Description) {
    this.#description = description;
  }

  /** A value of the schema. Throws if each value of the schema would have to contain another value of the schema. */
  sample(schema: unknown, seed: string): unknown {
    return new Sampling(this.#description, createRandom(seed)).value(schema, 0);
  }

  /** The schema of which `sample` gives a value for this seed: combinations merged, choices made. */
  flat(schema: unknown, seed: string): Json {
    if (!isObject(schema)) return {};
    const bySeed = this.#flat.get(schema) ?? new Map<string, Json>();
    this.#flat.set(schema, bySeed);
    const known = bySeed.get(seed);
    if (known !== undefined) return known;
    const made = new Sampling(this.#description, createRandom(seed)).flat(schema, 0);
    bySeed.set(seed, made);
    return made;
  }
}

/** A value under construction. */
class Sampling {
  readonly #description: Description;
  readonly #random: () => number;

  constructor(description: Description, random: () => number) {
    this.#description = description;
    this.#random = random;
  }

  value(schema: unknown, depth: number): unknown {
    if (depth > ENDLESS) throw new Error('A schema requires itself without end.');
    const flat = this.flat(schema, depth);
    if ('const' in flat) return flat['const'];
    const type = this.#typeOf(flat, depth);
    if (type === 'null') return null;
    if (!SAYING.some((keyword) => keyword in flat)) return {};
    if (Array.isArray(flat['enum'])) return this.#oneOf(flat['enum']);
    if (type === 'object') return this.#object(flat, depth);
    if (type === 'array') return this.#array(flat, depth);
    if (type === 'boolean') return this.#random() < 0.5;
    return type === 'string' ? this.#string(flat) : this.#number(flat, type === 'integer');
  }

  /** A single schema in place of a combination: `allOf` merged, a choice of `anyOf`. */
  flat(schema: unknown, depth: number): Json {
    const resolved = this.#description.resolve(schema);
    // since 3.1 keywords beside a $ref count as well
    const { $ref, ...beside } = isObject(schema) ? schema : {};
    const parts = $ref === undefined ? [] : [beside];
    if (!('allOf' in resolved) && !('anyOf' in resolved))
      return [resolved, ...parts].reduce(merged);
    const { allOf, anyOf, ...own } = resolved;
    const all = [own, ...listOf(allOf).map((each) => this.flat(each, depth))];
    if (Array.isArray(anyOf)) all.push(this.#choice(anyOf, own, depth));
    return [...all, ...parts].reduce(merged);
  }

  #choice(choices: readonly unknown[], own: Json, depth: number): Json {
    const flat = (each: unknown) => this.flat(each, depth);
    const scalars = depth < DEEP ? [] : choices.filter((each) => isScalar(flat(each)));
    const nothing = choices.filter((each) => flat(each)['type'] === 'null');
    const things = choices.filter((each) => !nothing.includes(each));
    const open = depth >= DEEP ? [scalars, nothing, things] : [things, nothing];
    const chosen = this.#pick(open.find(({ length }) => length > 0) ?? choices);
    return merged(flat(chosen), this.#mark(chosen, own['discriminator']));
  }

  /** The member that names the chosen variant. */
  #mark(chosen: unknown, discriminator: unknown): Json {
    const ref = isObject(chosen) ? chosen['$ref'] : undefined;
    if (!isObject(discriminator) || typeof ref !== 'string') return {};
    const mapping = (discriminator['mapping'] ?? {}) as Json;
    const [mapped] = Object.entries(mapping).find(([, target]) => target === ref) ?? [];
    const said = mapped ?? /^#\/components\/schemas\/(.+)$/.exec(ref)?.[1];
    if (said === undefined) return {};
    const name = String(discriminator['propertyName']);
    return { properties: { [name]: { const: said } }, required: [name] };
  }

  #typeOf(flat: Json, depth: number): string {
    const types = listOf(flat['type'] ?? impliedType(flat)) as string[];
    const things = types.filter((each) => each !== 'null');
    const isDeep = depth >= DEEP && !things.some((each) => each !== 'object' && each !== 'array');
    const nothing = types.includes('null') && (isDeep || this.#random() < 0.1);
    return nothing || things.length === 0 ? 'null' : this.#pick(things);
  }

  #object(flat: Json, depth: number): Json {
    const properties = (flat['properties'] ?? {}) as Json;
    // descriptions forget to require the identifier, servers do not forget to send the identifier
    const identifiers = this.#description.identifiers.filter((name) => name in properties);
    const required = new Set([...listOf(flat['required']), ...identifiers]);
    const names = Object.keys(properties).filter((name) => {
      if (required.has(name)) return true;
      const holds = !isScalar(this.flat(properties[name], depth + 1));
      return this.#random() < (holds ? (depth + 1 < DEEP ? 0.6 : 0) : 0.9);
    });
    const members = names.map((name) => {
      const value = this.value(properties[name], depth + 1);
      const isMissing = value === null && identifiers.includes(name);
      return [name, isMissing ? this.#thing(properties[name], depth + 1) : value];
    });
    return Object.fromEntries([...members, ...this.#rest(flat, depth, required, properties)]);
  }

  /** A value other than null, unless the schema has no other. */
  #thing(schema: unknown, depth: number): unknown {
    const values = Array.from({ length: 20 }, () => this.value(schema, depth));
    return values.find((each) => each !== null) ?? null;
  }

  /** Members without a schema of their own: required ones, and two where an object is a map. */
  #rest(
    { additionalProperties }: Json,
    depth: number,
    required: ReadonlySet<unknown>,
    properties: Json,
  ): [string, unknown][] {
    const schema = isObject(additionalProperties) ? additionalProperties : { type: 'string' };
    const isMap = isObject(additionalProperties) && Object.keys(properties).length === 0;
    const names = [...(required as ReadonlySet<string>)].filter((name) => !(name in properties));
    const keys = isMap && names.length === 0 && depth < DEEP ? ['first', 'second'] : names;
    return keys.map((name) => [name, this.value(schema, depth + 1)]);
  }

  #array(flat: Json, depth: number): unknown[] {
    const least = Number(flat['minItems'] ?? 0);
    const most = Number(flat['maxItems'] ?? least + 2);
    const more = depth < DEEP ? Math.floor(this.#random() * 3) : 0;
    const length = Math.min(least + more, most);
    const values = Array.from({ length }, () => this.value(flat['items'] ?? {}, depth + 1));
    if (flat['uniqueItems'] !== true) return values;
    return [...new Map(values.map((each) => [JSON.stringify(each), each])).values()];
  }

  #number(flat: Json, whole: boolean): number {
    const least = Number(flat['minimum'] ?? flat['exclusiveMinimum'] ?? 1);
    const step = Number(flat['multipleOf'] ?? 1);
    // no validator can tell whether large numbers with a fraction are multiples
    const range = Number.isInteger(step) ? 2e9 : 1e5;
    const most = Number(flat['maximum'] ?? flat['exclusiveMaximum'] ?? Math.max(least, 0) + range);
    const value = least + this.#random() * (most - least);
    const steps = Math.max(Math.floor(value / step), Math.ceil(least / step));
    const inside = Number((steps * step).toFixed(6));
    return whole || 'multipleOf' in flat || String(flat['format']).startsWith('int')
      ? inside
      : value;
  }

  /** Letters that do not occur twice, unless the schema says which texts are meant. */
  #string(flat: Json): string {
    const { format, pattern, minLength = 0, maxLength = 10 } = flat;
    if (format === 'uri' || format === 'url') return `https://${this.#string({})}.example/`;
    if (typeof pattern === 'string' || (typeof format === 'string' && KNOWN.test(format))) {
      const seed = Math.floor(this.#random() * 2 ** 31);
      const { type: _, ...leaf } = flat;
      return generateSync({ ...leaf, type: 'string' }, { seed }) as string;
    }
    const length = Math.max(Number(minLength), Math.min(10, Number(maxLength)));
    const letter = () => 'abcdefghijklmnopqrstuvwxyz'[Math.floor(this.#random() * 26)];
    return Array.from({ length }, letter).join('');
  }

  #oneOf(values: readonly unknown[]): unknown {
    const things = values.filter((each) => each !== null);
    return things.length === 0 ? null : this.#pick(things);
  }

  #pick<T>(values: readonly T[]): T {
    return values[Math.floor(this.#random() * values.length)] as T;
  }
}

/** A schema without any of these keywords allows each value, for example an empty object. */
const SAYING = ['type', 'properties', 'additionalProperties', 'items', 'enum', 'pattern', 'format'];

/** The formats that the validator checks. */
const KNOWN =
  /^(?:date-time|date|time|duration|uri-reference|email|hostname|ipv4|ipv6|uuid|byte|json-pointer)$/;

function impliedType({ properties, additionalProperties, items, enum: values }: Json): string {
  if (properties !== undefined || isObject(additionalProperties)) return 'object';
  if (items !== undefined) return 'array';
  const [first] = listOf(values);
  return typeof first === 'number' ? 'number' : 'string';
}

const isScalar = (flat: Json): boolean =>
  listOf(flat['type'] ?? impliedType(flat)).every((type) => type !== 'object' && type !== 'array');

/** A value of both schemas. */
function merged(one: Json, other: Json): Json {
  if (Object.keys(other).length === 0) return one;
  if (Object.keys(one).length === 0) return other;
  const properties = { ...(one['properties'] as Json | undefined) };
  for (const [name, schema] of Object.entries((other['properties'] ?? {}) as Json)) {
    const known = properties[name];
    properties[name] = known === undefined ? schema : { allOf: [known, schema] };
  }
  const required = [...new Set([...listOf(one['required']), ...listOf(other['required'])])];
  const made: Record<string, unknown> = { ...one, ...other };
  if (Object.keys(properties).length > 0) made['properties'] = properties;
  if (required.length > 0) made['required'] = required;
  if (one['type'] !== undefined && other['type'] !== undefined) {
    const [types, others] = [listOf(one['type']), listOf(other['type'])];
    const both = types.filter((each) => others.includes(each));
    // null was chosen, but the other schema does not allow null
    const thing = others.every((each) => each === 'null') ? types : others;
    made['type'] = both.length > 0 ? both : thing;
  }
  if (Array.isArray(one['enum']) && Array.isArray(other['enum'])) {
    made['enum'] = one['enum'].filter((each) => (other['enum'] as unknown[]).includes(each));
  }
  return made;
}

const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : value === undefined ? [] : [value];

/** Numbers from 0 to 1, the same for the same seed (mulberry32 of an FNV-1a hash). */
export function createRandom(seed: string): () => number {
  let state = 2166136261;
  for (const letter of seed) state = Math.imul(state ^ (letter.codePointAt(0) as number), 16777619);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
