/** The media types of bodies: how each is read, sent and encoded. */
import type { FormEncoding } from '../rest/sendAs.ts';
import { member, objectAt, text } from './JsonObject.ts';
import type { JsonObject } from './JsonObject.ts';
import { withoutNull } from './Shape.ts';
import type { Shape } from './Shape.ts';
import type { Shapes } from './Shapes.ts';

/** The encoding of a body. */
export type BodyForm = 'json' | 'form' | 'search' | 'text' | 'bytes' | 'stream';

/** The content of a body under a single media type. */
export interface MediaContent {
  readonly form: BodyForm;
  /** The media type; undefined if several may be meant. */
  readonly type: string | undefined;
  /** All media types of the description. */
  readonly types: readonly string[];
  readonly shape: Shape;
  /** How the fields of a form are encoded, unless as usual. */
  readonly encoding: FormEncoding;
}

/** The content under a single media type, JSON if there is a choice; undefined without any. `read` reads a schema. */
export function readContent(
  content: JsonObject,
  read: (schema: unknown) => Shape,
  shapes: Shapes,
): MediaContent | undefined {
  const types = Object.keys(content);
  const isJson = (each: string) => formOf(each) === 'json';
  const type =
    types.find((each) => nameOf(each) === 'application/json') ?? types.find(isJson) ?? types[0];
  if (type === undefined) return undefined;
  const shape = read(member(content[type], 'schema'));
  const followed = shapes.follow(withoutNull(shape).shape);
  // whatever the type says: bytes are no JSON
  const form = followed.is === 'bytes' ? 'bytes' : formOf(type);
  const isVague = type.includes('*') || (form === 'bytes' && (types.length > 1 || isJson(type)));
  const encoding = encodingOf(objectAt(content[type], 'encoding'), followed, shapes);
  return { form, type: isVague ? undefined : type, types, shape, encoding };
}

/** True for a media type of JSON. */
export const isJsonType = (type: string | undefined): boolean =>
  type !== undefined && formOf(type) === 'json';

const nameOf = (type: string): string => (type.split(';')[0] as string).trim().toLowerCase();

/** By media type (RFC 6838); a wildcard type is read as JSON. */
function formOf(type: string): BodyForm {
  const name = nameOf(type);
  if (/^(?:\*|application)\/\*$|[/+]json$|^application\/(?:[\w.-]+\+)?json\b/.test(name))
    return 'json';
  if (name === 'multipart/form-data') return 'form';
  if (name === 'application/x-www-form-urlencoded') return 'search';
  if (/^text\/event-stream$|[/+](?:x-)?(?:ndjson|jsonl|json-seq)$/.test(name)) return 'stream';
  return /^text\/|[/+](?:x-)?(?:xml|yaml|toml|javascript|graphql|sql|pem-file)$/.test(name)
    ? 'text'
    : 'bytes';
}

/** The encodings that differ from the usual ones of `sendAs`. */
function encodingOf(encodings: JsonObject, shape: Shape, shapes: Shapes): FormEncoding {
  const members = shape.is === 'object' ? shape.members : [];
  const found = Object.entries(encodings).flatMap(([name, encoding]) => {
    const of = members.find((each) => each.name === name)?.shape;
    const one = of === undefined ? undefined : encodingOfField(encoding, of, shapes);
    return one === undefined ? [] : [[name, one] as const];
  });
  return Object.fromEntries(found);
}

function encodingOfField(
  encoding: unknown,
  shape: Shape,
  shapes: Shapes,
): FormEncoding[string] | undefined {
  const style = text(encoding, 'style');
  const explode = member(encoding, 'explode') ?? (style ?? 'form') === 'form';
  if (style === 'deepObject') return style;
  if (style !== undefined || member(encoding, 'explode') !== undefined) {
    if (explode === true) return isObject(shape, shapes) ? 'exploded' : undefined;
    return isDelimited(style) ? style : 'commaDelimited';
  }
  const type = text(encoding, 'contentType')?.trim();
  // a list of types allows each type; a file already has a type
  const isOne = type !== undefined && !/[,*]/.test(type) && type.includes('/');
  return isOne && !holdsBytes(shape, shapes) ? (type as `${string}/${string}`) : undefined;
}

const DELIMITED = ['spaceDelimited', 'pipeDelimited', 'tabDelimited'] as const;

/** True for a style that joins a list, other than by commas. */
export const isDelimited = (style: string | undefined): style is (typeof DELIMITED)[number] =>
  DELIMITED.some((each) => each === style);

const isObject = (shape: Shape, shapes: Shapes): boolean =>
  shapes.follow(withoutNull(shape).shape).is === 'object';

/** True for bytes, and for lists of bytes; a list of itself has none. */
function holdsBytes(shape: Shape, shapes: Shapes, depth = 0): boolean {
  const followed = shapes.follow(withoutNull(shape).shape);
  if (followed.is === 'bytes') return true;
  return followed.is === 'list' && depth < 4 && holdsBytes(followed.of, shapes, depth + 1);
}

/** A form with files in the place of bytes: an object, or several that are alternatives or parts. */
export function withFiles(shape: Shape, shapes: Shapes): Shape {
  const { shape: inner, nullable } = withoutNull(shape);
  const followed = shapes.follow(inner);
  if (nullable) return shape;
  if (followed.is === 'choice' || followed.is === 'all') {
    const of = followed.of.map((each) => withFiles(each, shapes));
    return of.every((each, at) => each === followed.of[at]) ? shape : { ...followed, of };
  }
  if (followed.is !== 'object') return shape;
  const members = followed.members.map((each) => ({ ...each, shape: asField(each.shape, shapes) }));
  const isSame = members.every((each, at) => each.shape === followed.members[at]?.shape);
  return isSame ? shape : { ...followed, members };
}

/** A field with files in the place of bytes; an object in a field is JSON, where bytes are a text. */
function asField(shape: Shape, shapes: Shapes): Shape {
  const followed = shapes.follow(withoutNull(shape).shape);
  if (followed.is === 'bytes') return FILE;
  if (followed.is === 'list' && holdsBytes(followed, shapes))
    return { is: 'list', of: asField(followed.of, shapes) };
  if (followed.is === 'choice' && followed.of.some((each) => holdsBytes(each, shapes)))
    return { ...followed, of: followed.of.map((each) => asField(each, shapes)) };
  return shape;
}

const FILE: Shape = { is: 'word', keywordType: 'Blob' };
