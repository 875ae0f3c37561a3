/** Schemas of a document (JSON Schema 2020-12, as in OpenAPI 3.1) as shapes. */
import { addsToReference, isBase } from './ApiDocument.ts';
import type { ApiDocument, Definition } from './ApiDocument.ts';
import { isFields, list, member, objectAt, text } from './JsonObject.ts';
import type { JsonObject } from './JsonObject.ts';
import {
  NULL,
  UNKNOWN_SHAPE,
  choice,
  docOf,
  literal,
  mergeShapes,
  mergeVariants,
  withoutNull,
  word,
} from './Shape.ts';
import type { Discriminator, Member, ObjectShape, Shape } from './Shape.ts';
import { byDiscriminator, byLiteral } from './byDiscriminator.ts';
import { Heirs } from './Heirs.ts';

interface Merging {
  /** True if the result has no identity: a part that only requires is merged into a record. */
  readonly merges: boolean;
  /** True for a kind of a base. */
  readonly isKind: boolean | undefined;
}

/** Reads the schemas of a document. Each schema with a name is read once. */
export class Shapes {
  readonly #document: ApiDocument;
  readonly #heirs: Heirs;
  readonly #known = new Map<Definition, Shape>();
  readonly #own = new Map<Definition, Shape>();
  /** Names in progress further up the call stack. */
  readonly #reading = new Set<Definition>();

  constructor(document: ApiDocument) {
    this.#document = document;
    this.#heirs = new Heirs(document);
  }

  /** The shape of a name: for a base with a discriminator, the union of the subtypes. */
  of(definition: Definition): Shape {
    let shape = this.#known.get(definition);
    if (shape === undefined) {
      this.#reading.add(definition);
      shape = this.#heirs.unionOf(definition) ?? this.read(definition.schema);
      this.#known.set(definition, shape);
      this.#reading.delete(definition);
    }
    return shape;
  }

  /** The own members of a name, without the subtypes. */
  own(definition: Definition): Shape {
    let shape = this.#own.get(definition);
    if (shape === undefined) {
      const { schema } = definition;
      shape = this.of(definition);
      if (shape.is !== 'object' && (isBase(schema) || list(schema, 'allOf').length > 0)) {
        this.#reading.add(definition);
        shape = this.#combined(schema as JsonObject);
        this.#reading.delete(definition);
      }
      // of a name that is only another name, the members of that name
      const { shape: inner } = withoutNull(shape);
      if (inner.is === 'name') shape = this.own(inner.of);
      this.#own.set(definition, shape);
    }
    return shape;
  }

  /** Resolves names until the shape is no name. */
  follow(shape: Shape): Shape {
    let at = shape;
    while (at.is === 'name') at = this.of(at.of);
    return at;
  }

  /** The target of an alias: of a name that is only another name, possibly with null. */
  named(shape: Shape): Definition | undefined {
    const inner = withoutNull(shape).shape;
    if (inner.is !== 'name') return undefined;
    return this.named(this.of(inner.of)) ?? inner.of;
  }

  /** `merges` is true for a schema without identity, as of a body: a part that only requires is merged into a record. */
  read(schema: unknown, merges = false): Shape {
    if (schema === false) return word('never');
    if (!isFields(schema)) return UNKNOWN_SHAPE;
    const ref = text(schema, '$ref');
    if (ref !== undefined) {
      // since 3.1 members beside a $ref count as well
      if (addsToReference(schema)) {
        const { $ref, ...beside } = schema;
        const whole = { ...beside, allOf: [{ $ref }, ...list(beside, 'allOf')] };
        return this.read(whole, merges || this.#ownerOf(schema) !== undefined);
      }
      const of = this.#document.definitionAt(ref);
      if (isDates(of.schema, this.#document)) return orNull(schema, this.of(of));
      const named: Shape = { is: 'name', of };
      return orNull(schema, of.nullable ? choice([named, NULL]) : named);
    }
    return orNull(
      schema,
      this.#literals(schema) ?? this.#oneOf(schema) ?? this.#combined(schema, merges),
    );
  }

  #literals(schema: JsonObject): Shape | undefined {
    const values = Object.hasOwn(schema, 'const') ? [schema['const']] : list(schema, 'enum');
    if (values.length === 0) return undefined;
    const words = values.map(literal);
    const shapes = words.map((each) => (each === undefined ? UNKNOWN_SHAPE : word(each)));
    return choice(list(schema, 'type').includes('null') ? [...shapes, NULL] : shapes);
  }

  #oneOf(schema: JsonObject): Shape | undefined {
    const variants = [...list(schema, 'oneOf'), ...list(schema, 'anyOf')];
    // `anyOf: [{required: […]}, …]` only restricts combinations, and adds no members
    const telling = variants.filter(
      (each) => isFields(each) && Object.keys(each).some((key) => key !== 'required'),
    );
    if (telling.length === 0) return undefined;
    const shapes = telling.map((each) => this.read(each));
    const named = this.#discriminator(schema, shapes);
    const records = [...(named?.names.values() ?? [])].filter(
      ({ kindOf }) => kindOf?.schema === schema,
    );
    const own = [...new Set(records)].map((of): Shape => ({ is: 'name', of }));
    const one = choice([...shapes, ...own], named);
    const isMore = isBase(schema) || list(schema, 'allOf').length > 0;
    if (named !== undefined || !isMore) return one;
    const whole = this.#combined(schema);
    if (saysNothing(whole)) return one;
    return this.#variedRecord(whole, shapes) ?? { is: 'all', of: [whole, one] };
  }

  /** A record with a key beside the variants: an object with the members of all variants. */
  #variedRecord(whole: Shape, variants: readonly Shape[]): Shape | undefined {
    const { shape, nullable } = withoutNull(this.#membersOf(whole));
    if (!hasKeyMember(shape)) return undefined;
    const objects = variants.map((each) => this.#membersOf(each));
    if (!objects.every((each): each is ObjectShape => each.is === 'object')) return undefined;
    // a variant with a key is a separate record
    if (objects.some((each, at) => variants[at]?.is === 'name' && hasKeyMember(each)))
      return undefined;
    const record = mergeShapes([shape, mergeVariants(objects)], new Set());
    return nullable ? choice([record, NULL]) : record;
  }

  /** The own members of a name; the name while the schema is being read. */
  #membersOf(shape: Shape): Shape {
    return shape.is === 'name' && !this.#reading.has(shape.of) ? this.own(shape.of) : shape;
  }

  #discriminator(schema: JsonObject, variants: readonly Shape[]): Discriminator | undefined {
    const all = variants.flatMap((each) => (each.is === 'name' ? [each.of] : []));
    const by = byDiscriminator(schema, all, { document: this.#document });
    if (by === undefined) return isBase(schema) ? undefined : byLiteral(variants, this.#document);
    // a union that the mapping names as a kind is a record beside the variants
    const isUnion = (of: Definition) => of.schema === schema;
    if (![...by.names.values()].some(isUnion)) return by;
    const names = [...by.names].flatMap(([value, of]) => {
      if (!isUnion(of)) return [[value, of] as const];
      return isBase(schema) ? [[value, this.#document.recordOf(of)] as const] : [];
    });
    return { ...by, names: new Map(names) };
  }

  /**
   * An object with the members of all parts; parts that are no objects become an intersection. Null that a part in
   * place allows is meant for the whole: `allOf: [{$ref}, {type: object, nullable: true}]`.
   */
  #combined(schema: JsonObject, merges = false): Shape {
    const parts = list(schema, 'allOf');
    if (parts.length === 0) return this.#plain(schema);
    const { allOf: _, ...rest } = schema;
    const inPlace = [...parts.map((part) => text(part, '$ref') === undefined), true];
    const all = [...parts.map((part) => this.#part(part)), this.#plain(rest)].map(withoutNull);
    const telling = all.filter(({ shape }) => !saysNothing(shape));
    const isNull =
      all.some(({ nullable }, at) => nullable && inPlace[at] === true) ||
      (telling.length > 0 && telling.every(({ nullable }) => nullable));
    const due = new Set([schema, ...parts].flatMap((part) => list(part, 'required')));
    const owner = this.#ownerOf(schema);
    const one = this.#merged(
      telling.map(({ shape }) => shape),
      due,
      { merges: merges || owner !== undefined, isKind: owner && this.#heirs.isHeir(owner) },
    );
    return isNull ? choice([one, NULL]) : one;
  }

  #merged(shapes: readonly Shape[], due: ReadonlySet<unknown>, how: Merging): Shape {
    const [only, another] = shapes;
    // a single shape, apart from annotations, is the result; a kind of a base may add nothing
    if (only !== undefined && another === undefined && only.is !== 'object') {
      if (only.is !== 'name') return only;
      if (how.isKind !== true && !this.#requiresMore(only.of, due, how.merges)) return only;
    }
    // a member with the type of the owner and more: the members of the owner are not known yet
    const open = shapes.some((shape) => shape.is === 'name' && this.#reading.has(shape.of));
    if (open) return { is: 'all', of: shapes };
    const followed = shapes.map((shape) =>
      shape.is === 'name' ? withoutNull(this.own(shape.of)).shape : shape,
    );
    if (!followed.every((shape) => shape.is === 'object')) return { is: 'all', of: shapes };
    return mergeShapes(followed, due);
  }

  /** The name that is being read, of this schema. */
  #ownerOf(schema: JsonObject): Definition | undefined {
    return [...this.#reading].find((each) => each.schema === schema);
  }

  /** True if more members are required, and the result need not keep the identity of a record. */
  #requiresMore(of: Definition, due: ReadonlySet<unknown>, merges: boolean): boolean {
    if (due.size === 0 || this.#reading.has(of)) return false;
    const shape = this.own(of);
    if (shape.is !== 'object') return false;
    const more = shape.members.some(({ name, required }) => due.has(name) && !required);
    return more && (merges || !hasKeyMember(shape));
  }

  #part(part: unknown): Shape {
    return isBase(part) ? this.#combined(part as JsonObject) : this.read(part);
  }

  #plain(schema: JsonObject): Shape {
    const { type } = schema;
    const types = Array.isArray(type) ? (type as unknown[]) : [type ?? impliedType(schema)];
    return choice(types.map((each) => this.#ofType(each, schema)));
  }

  #ofType(type: unknown, schema: JsonObject): Shape {
    if (type === 'object') return this.#object(schema);
    if (type === 'array') return this.#list(schema);
    if (type === 'string') {
      if (schema['format'] === 'date-time') return { is: 'date' };
      return isRaw(schema) ? { is: 'bytes' } : word('string');
    }
    if (type === 'integer' || type === 'number') return word('number');
    if (type === 'boolean' || type === 'null') return word(type);
    const isBinary = schema['format'] === 'binary' || Object.hasOwn(schema, 'contentMediaType');
    return isBinary ? { is: 'bytes' } : UNKNOWN_SHAPE;
  }

  #list(schema: JsonObject): Shape {
    const first = list(schema, 'prefixItems');
    const items = member(schema, 'items');
    if (first.length === 0) return { is: 'list', of: this.read(items) };
    const [least, most] = [member(schema, 'minItems'), member(schema, 'maxItems')];
    const end = typeof most === 'number' ? most : Infinity;
    const of = first.slice(0, end).map((each) => this.read(each));
    const isClosed = items === false || end <= first.length;
    const required = typeof least === 'number' ? Math.min(least, of.length) : of.length;
    return { is: 'tuple', of, required, rest: isClosed ? undefined : this.read(items) };
  }

  #object(schema: JsonObject): Shape {
    const required = new Set(list(schema, 'required'));
    const members = Object.entries(objectAt(schema, 'properties')).map(([name, inner]): Member => {
      const said = this.#document.resolve(inner);
      // annotations of a value count at each reference, and in each part
      const all = [inner, said, ...list(said, 'allOf').map((part) => this.#document.resolve(part))];
      return {
        name,
        shape: this.read(inner),
        required: required.has(name),
        readOnly: all.some((each) => member(each, 'readOnly') === true),
        writeOnly: all.some((each) => member(each, 'writeOnly') === true),
        doc: docOf(inner),
        preset: all.map((each) => member(each, 'default')).find((each) => each !== undefined),
        example: member(inner, 'example') ?? list(inner, 'examples')[0],
      };
    });
    const patterns = Object.values(objectAt(schema, 'patternProperties'));
    const more = patterns.length === 1 ? patterns[0] : member(schema, 'additionalProperties');
    const open = isFields(more) || more === true || (members.length === 0 && more !== false);
    return { is: 'object', members, rest: open ? this.read(more ?? true) : undefined };
  }
}

function impliedType(schema: JsonObject): string | undefined {
  if (Object.hasOwn(schema, 'properties') || Object.hasOwn(schema, 'additionalProperties'))
    return 'object';
  return Object.hasOwn(schema, 'items') || Object.hasOwn(schema, 'prefixItems')
    ? 'array'
    : undefined;
}

/** True for a text that stands for bytes: no base64, and no media type of a text. */
function isRaw(schema: JsonObject): boolean {
  if (schema['format'] === 'binary') return true;
  const type = text(schema, 'contentMediaType');
  const isText = type === undefined || /^text\/|[/+](?:json|xml|yaml)\b/.test(type);
  return !isText && !Object.hasOwn(schema, 'contentEncoding');
}

function orNull(schema: JsonObject, shape: Shape): Shape {
  // the word of Swagger 2.0 is used beyond Swagger 2.0
  const isNullable = schema['nullable'] === true || schema['x-nullable'] === true;
  return isNullable ? choice([shape, NULL]) : shape;
}

/** True for an object with a member that looks like a primary key. */
function hasKeyMember(shape: Shape): boolean {
  return (
    shape.is === 'object' && shape.members.some(({ name }) => /^_?(?:id|uuid|[gs]id)$/i.test(name))
  );
}

function saysNothing(shape: Shape): boolean {
  if (shape.is === 'word') return shape.keywordType === 'unknown';
  return shape.is === 'object' && shape.members.length === 0 && shape.rest === UNKNOWN_SHAPE;
}

/** True for a `date-time`, and for a list of `date-time`. */
function isDates(schema: unknown, document: ApiDocument, depth = 0): boolean {
  const at = document.resolve(schema);
  if (depth > 4 || !isFields(at)) return false;
  const parts = [...list(at, 'allOf'), ...list(at, 'oneOf'), ...list(at, 'anyOf')];
  const inner = parts.filter((part) => member(part, 'type') !== 'null');
  const [only, another] = inner;
  if (only !== undefined)
    return another === undefined && !isBase(at) && isDates(only, document, depth + 1);
  const { type } = at;
  const types = (Array.isArray(type) ? (type as unknown[]) : [type]).filter(
    (each) => each !== 'null',
  );
  if (types.length !== 1 || list(at, 'enum').length > 0 || Object.hasOwn(at, 'const')) return false;
  if (types[0] === 'string') return at['format'] === 'date-time';
  return types[0] === 'array' && isDates(at['items'], document, depth + 1);
}
