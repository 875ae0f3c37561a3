/** An OpenAPI document with checked $refs: its schemas by name, and the target of each $ref. */
import { objectAt, isFields, list, member, text } from './JsonObject.ts';
import type { JsonObject } from './JsonObject.ts';
import { pascal, singular } from './ModuleNames.ts';
import { failure } from './CommandError.ts';
import type { Finding } from './droppedIn.ts';
import { serversIn } from './Servers.ts';
import type { Server } from './Servers.ts';

/** A schema with a name: a component, or another target of a $ref. */
export interface Definition {
  /** The name in the document: the last step of the $ref. */
  readonly name: string;
  /** Possible type names, the best first. */
  readonly names: readonly string[];
  readonly schema: unknown;
  /** A JSON pointer to the schema; of a schema without a name, to the path of the operation. */
  readonly place: string;
  /** True if null is allowed in addition to `schema`. */
  readonly nullable: boolean;
  /** True for a schema that the document describes inline, without a name. */
  readonly inline: boolean;
  /** Of the record of a base that is also a kind: the base. */
  readonly kindOf?: Definition;
}

/** Alternatives of security schemes, each the names of schemes that belong together. */
export type SecurityNames = readonly (readonly string[])[];

/** The `security` of a document or an operation; undefined if absent. */
export function securityIn(value: unknown): SecurityNames | undefined {
  const given = member(value, 'security');
  return Array.isArray(given)
    ? given.map((each) => Object.keys(Object(each) as object))
    : undefined;
}

const COMPONENTS = '#/components/schemas/';

export class ApiDocument {
  readonly #root: JsonObject;
  /** True for a description of version 2, which has other places. */
  readonly #isSwagger: boolean;
  /** The parts of a description of version 2 that version 3 does not have. */
  readonly findings: readonly Finding[];
  readonly #definitions = new Map<unknown, Definition>();
  readonly #records = new Map<Definition, Definition>();
  #values: ReadonlySet<unknown> | undefined;

  /** Schemas without a name in the document: by content, and by the $ref that was created. */
  readonly #named = new Map<string, { readonly pointer: string; readonly schema: JsonObject }>();
  readonly #targets = new Map<string, Definition>();

  /** `swagger`: the findings in a description of version 2; undefined for other versions. */
  constructor(root: JsonObject, swagger?: readonly Finding[]) {
    this.#root = root;
    this.#isSwagger = swagger !== undefined;
    this.findings = swagger ?? [];
    for (const [name, schema] of Object.entries(
      objectAt(objectAt(root, 'components'), 'schemas'),
    )) {
      this.#define(name, schema);
    }
  }

  /** All schemas with a name, components first; targets of other $refs are added when requested. */
  get definitions(): readonly Definition[] {
    return [...this.#definitions.values(), ...this.#records.values()];
  }

  get title(): string {
    const info = objectAt(this.#root, 'info');
    return `${text(info, 'title') ?? 'An API'} ${String(member(info, 'version') ?? '')}`.trim();
  }

  get paths(): JsonObject {
    return objectAt(this.#root, 'paths');
  }

  get securitySchemes(): JsonObject {
    return objectAt(objectAt(this.#root, 'components'), 'securitySchemes');
  }

  /** The alternatives of schemes for all operations; undefined if the document says nothing. */
  get security(): SecurityNames | undefined {
    return securityIn(this.#root);
  }

  /** The names of requests that the server sends by itself. */
  get webhooks(): readonly string[] {
    return Object.keys(objectAt(this.#root, 'webhooks'));
  }

  get servers(): readonly Server[] {
    return serversIn(this.#root);
  }

  /** The value itself, or the final target of the $ref. */
  resolve(value: unknown): unknown {
    let at = value;
    // examples are not checked: a $ref inside may be circular
    const seen = new Set<unknown>();
    for (let ref = text(at, '$ref'); ref !== undefined && !seen.has(at); ref = text(at, '$ref')) {
      seen.add(at);
      at = this.#targets.get(ref)?.schema ?? targetOf(this.#root, ref);
    }
    return at;
  }

  /** The content of a body or a parameter by media type. */
  contentOf(owner: unknown): JsonObject {
    const content = Object.entries(objectAt(owner, 'content'));
    return Object.fromEntries(content.map(([type, media]) => [type, this.resolve(media)]));
  }

  /** The schema with a name that a $ref leads to. */
  definitionAt(ref: string): Definition {
    const named = this.#targets.get(ref);
    if (named !== undefined) return named;
    const schema = targetOf(this.#root, ref);
    const further = text(schema, '$ref');
    if (further !== undefined && !addsToReference(schema)) return this.definitionAt(further);
    const steps = stepsOf(ref);
    if (ref.startsWith(COMPONENTS) && steps.length === 3)
      return this.#define(steps[2] as string, schema);
    const [name = 'schema', ...others] = namesOfPlace(this.#inFiles(steps));
    return this.#define(name, schema, { names: [name, ...others], inline: false, place: ref });
  }

  /** The schema with a name that a $ref leads to, if the schema was requested before. */
  knownAt(ref: string): Definition | undefined {
    return this.#targets.get(ref) ?? this.#definitions.get(this.resolve({ $ref: ref }));
  }

  /** Steps into another document begin with the name of the file. */
  #inFiles([first = '', second = '', ...others]: readonly string[]): readonly string[] {
    const file = first === 'x-ext' ? text(objectAt(this.#root, 'x-ext-urls'), second) : undefined;
    if (file === undefined) return [first, second, ...others];
    const name = decode(file.split('/').at(-1) ?? file).replace(/\.\w+$/, '');
    return [name, ...others];
  }

  /** The pointer of a place in the files that the user wrote. */
  placeInFiles(place: string): string {
    const [, key = '', rest = ''] = /^#\/x-ext\/([^/]+)(.*)$/.exec(place) ?? [];
    const file = text(objectAt(this.#root, 'x-ext-urls'), key);
    if (file !== undefined) return `${file}#${rest}`;
    return this.#isSwagger
      ? place
          .replace(/^#\/components\/schemas\//, '#/definitions/')
          .replace(/^#\/components\/securitySchemes\//, '#/securityDefinitions/')
          .replace(/^#\/components\//, '#/')
      : place;
  }

  /** The component that a discriminator names: by $ref, by name, or by the file of origin. */
  definitionNamed(name: string): Definition | undefined {
    if (name.startsWith('#')) {
      return targetOf(this.#root, name) === undefined ? undefined : this.definitionAt(name);
    }
    // a reference to a file that was joined, or a name alone
    const last = decode(name.split('/').at(-1) ?? name).replace(/\.(?:json|ya?ml)$/i, '');
    const named = (wanted: string) => this.definitions.find((each) => each.name === wanted);
    return named(name) ?? named(last);
  }

  /** The record of a base that is also a kind, beside the union in the place of the base. */
  recordOf(base: Definition): Definition {
    const known = this.#records.get(base);
    if (known !== undefined) return known;
    const { oneOf: _, anyOf: __, ...schema } = Object(base.schema) as JsonObject;
    const name = `Base${pascal(base.name)}`;
    const record = { ...base, name, names: [name], schema, kindOf: base };
    this.#records.set(base, record);
    return record;
  }

  /** True for the schema of a value: a $ref leads there that neither extends the schema nor lists kinds. */
  isValue(schema: unknown): boolean {
    this.#values ??= valuesIn(this.#root);
    return this.#values.has(schema);
  }

  /** Names an inline schema; an equal schema with the same name shares the pointer. */
  name(names: readonly string[], schema: JsonObject, path: string): string {
    const [preferredName = 'record'] = names;
    const cacheKey = preferredName + JSON.stringify(schema);
    const known = this.#named.get(cacheKey) ?? {
      pointer: `#/${preferredName}/${this.#named.size}`,
      schema,
    };
    this.#named.set(cacheKey, known);
    this.#targets.set(
      known.pointer,
      this.#define(preferredName, known.schema, {
        names,
        inline: true,
        place: `#/paths/${escapeStep(path)}`,
      }),
    );
    return known.pointer;
  }

  #define(
    name: string,
    schema: unknown,
    naming: Pick<Definition, 'names' | 'inline' | 'place'> = {
      names: [name],
      inline: false,
      place: COMPONENTS + escapeStep(name),
    },
  ): Definition {
    // schemas that are not objects have no identity, and need none
    const known = this.#definitions.get(isFields(schema) ? schema : name);
    if (known !== undefined) return known;
    const nullable = isNullableObject(schema);
    const content = { schema: nullable ? withoutNull(schema) : schema, nullable };
    const definition = { name, ...naming, ...content };
    this.#definitions.set(isFields(schema) ? schema : name, definition);
    return definition;
  }
}

/** Steps of a pointer that do not describe the schema there. */
const PLACES = new Set(
  'components schemas responses content application/json schema properties items allof oneof anyof parameters'.split(
    ' ',
  ),
);

/** Names for a schema at any other $ref: `…/Droplets/…/properties/droplets/items` is a droplet, of Droplets. */
function namesOfPlace(steps: readonly string[]): string[] {
  const telling = steps.filter((step) => !/^\d+$/.test(step) && !PLACES.has(step.toLowerCase()));
  const isRow = steps.at(-1) === 'items';
  const words = telling.map((word, at) =>
    isRow && at === telling.length - 1 ? singular(word) : word,
  );
  return words.map((_, at) => words.slice(-at - 1).join(' '));
}

/** `type: [object, null]` with members: the named type is the object, and null is added where the name is used. */
function isNullableObject(schema: unknown): schema is JsonObject {
  const types = list(schema, 'type');
  return types.length === 2 && types.includes('object') && types.includes('null');
}

const withoutNull = (schema: JsonObject): JsonObject => ({
  ...schema,
  nullable: false,
  type: 'object',
});

/** Members with these names hold values, not parts of the description. */
const VALUES = new Set(['const', 'default', 'enum', 'example', 'examples', 'value']);
/** Members with these names hold objects with names from the author of the description. */
const NAMED = new Set(['properties', 'patternProperties', 'schemas', '$defs', 'definitions']);

interface Place {
  readonly value: unknown;
  readonly pointer: string;
  /** True if the members' names are from the author. */
  readonly named: boolean;
}

/** Throws a Failure with the place of the first $ref that is remote, has no target, or is circular. */
export function checkReferences(root: JsonObject): void {
  const open: Place[] = [{ value: root, pointer: '#', named: false }];
  const meanings = new Set<unknown>();
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const { value, pointer, named } = place;
    if (!named && isFields(value) && Object.hasOwn(value, '$ref')) {
      checkReference(root, value['$ref'], pointer);
      checkMeaning(root, { value, pointer, trail: [], known: meanings });
    }
    for (const inner of inside(place).reverse()) open.push(inner);
  }
}

function inside({ value, pointer, named }: Place): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value)
    .filter(([name]) => named || Array.isArray(value) || !isOpaque(name))
    .map(([name, inner]: [string, unknown]) => ({
      value: inner,
      pointer: `${pointer}/${escapeStep(name)}`,
      named: !named && NAMED.has(name),
    }));
}

/** Other documents, stored below `x-ext`, are a part of this document. */
const isOpaque = (name: string): boolean =>
  VALUES.has(name) || (name.startsWith('x-') && name !== 'x-ext');

/** True if `root` has a $ref to another document. */
export function hasRemote(root: JsonObject): boolean {
  const open: Place[] = [{ value: root, pointer: '#', named: false }];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const ref = place.named ? undefined : text(place.value, '$ref');
    if (ref !== undefined && !ref.startsWith('#')) return true;
    open.push(...inside(place));
  }
  return false;
}

/** The targets of all $refs, without those in the `allOf` of an heir, and in a list of several kinds. */
function valuesIn(root: JsonObject): Set<unknown> {
  const found = new Set<unknown>();
  const skipped = new Set<unknown>();
  const open: Place[] = [{ value: root, pointer: '#', named: false }];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const { value, named } = place;
    const ref = named || skipped.has(value) ? undefined : text(value, '$ref');
    if (ref !== undefined) found.add(targetOf(root, ref));
    const parts = ['allOf', 'oneOf', 'anyOf'].flatMap((name) => list(value, name));
    const [, another] = parts.filter((part) => member(part, 'type') !== 'null');
    // a single part in place is a reference with more words: a description, or null
    if (another !== undefined || isBase(value)) for (const part of parts) skipped.add(part);
    open.push(...inside(place));
  }
  return found;
}

function checkReference(root: JsonObject, ref: unknown, pointer: string): void {
  if (typeof ref !== 'string') throw failure('badRef', pointer);
  if (!ref.startsWith('#')) throw failure('remote', pointer, ref);
  if (targetOf(root, ref) === undefined) throw failure('unresolved', pointer, ref);
}

interface Meaning {
  readonly value: unknown;
  readonly pointer: string;
  readonly trail: readonly unknown[];
  /** Values that were followed before without finding a cycle. */
  readonly known: Set<unknown>;
}

/** Throws if a $ref leads back to itself: through other $refs, or as a part of a combination. */
function checkMeaning(root: JsonObject, { value, pointer, trail, known }: Meaning): void {
  if (!isFields(value) || known.has(value)) return;
  const ref = member(value, '$ref');
  const target = typeof ref === 'string' && ref.startsWith('#') ? targetOf(root, ref) : undefined;
  if (target !== undefined && trail.includes(target)) {
    throw failure('circular', pointer, String(ref));
  }
  const parts = target === undefined ? partsOf(value) : [target];
  for (const next of parts) {
    checkMeaning(root, { value: next, pointer, trail: [...trail, value], known });
  }
  known.add(value);
}

/** When a subtype extends a base via allOf, the oneOf/anyOf list of the base is ignored: subtypes would lead back. */
function partsOf(value: JsonObject): readonly unknown[] {
  return isBase(value)
    ? list(value, 'allOf')
    : ['allOf', 'anyOf', 'oneOf'].flatMap((name) => list(value, name));
}

/** True for a schema with `properties`, in addition to any combination. */
export function isBase(schema: unknown): boolean {
  return isFields(member(schema, 'properties'));
}

/** Lists that say more about a value beside a $ref. */
const BESIDE = ['required', 'enum', 'allOf', 'oneOf', 'anyOf'];

/** True for a schema with more than a $ref: since 3.1 the other members count, too. */
export const addsToReference = (schema: unknown): boolean =>
  isBase(schema) ||
  BESIDE.some((name) => list(schema, name).length > 0) ||
  member(schema, 'const') !== undefined;

/** The part of the document that a local $ref names (RFC 6901); undefined without a target. */
export function targetOf(root: JsonObject, ref: string): unknown {
  let at: unknown = root;
  for (const step of stepsOf(ref)) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, step)) return undefined;
    at = (at as JsonObject)[step];
  }
  return at ?? undefined;
}

/** The names in the path of a local $ref. */
function stepsOf(ref: string): string[] {
  const steps = ref.slice(1).split('/').slice(1);
  return steps.map((step) => decode(step).replaceAll('~1', '/').replaceAll('~0', '~'));
}

function decode(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}

/** A name as a step of a JSON pointer. */
export const escapeStep = (name: string): string =>
  name.replaceAll('~', '~0').replaceAll('/', '~1');
