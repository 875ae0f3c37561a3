/** The shape of a value, in the few forms that TypeScript and this library distinguish. */
import { stringLiteral } from './CodePiece.ts';
import type { Definition } from './ApiDocument.ts';
import { member, text } from './JsonObject.ts';
import { DEEPEST, isGeneric } from './ModuleNames.ts';
import type { Shapes } from './Shapes.ts';

export type Shape =
  /** A type that a single word of TypeScript expresses: `string`, `unknown`, `'open'`. */
  | { readonly is: 'word'; readonly keywordType: string }
  /** A date or time as text (RFC 3339). */
  | { readonly is: 'date' }
  /** Binary data: a Blob as a body or a field of a form, a text inside of JSON. */
  | { readonly is: 'bytes' }
  | { readonly is: 'name'; readonly of: Definition }
  | { readonly is: 'list'; readonly of: Shape }
  | {
      readonly is: 'tuple';
      readonly of: readonly Shape[];
      /** How many values are always there. */
      readonly required: number;
      readonly rest: Shape | undefined;
    }
  | ObjectShape
  | ChoiceShape
  | { readonly is: 'all'; readonly of: readonly Shape[] };

export interface ObjectShape {
  readonly is: 'object';
  readonly members: readonly Member[];
  /** The shape of members without a name here. */
  readonly rest: Shape | undefined;
}

/** A union; `by` is the discriminator. */
export interface ChoiceShape {
  readonly is: 'choice';
  readonly of: readonly Shape[];
  readonly by?: Discriminator | undefined;
}

export interface Discriminator {
  readonly field: string;
  /** The schemas by the values of the field, as text. */
  readonly names: ReadonlyMap<string, Definition>;
  /** The values that only the likeness of names tells. */
  readonly guesses: ReadonlySet<string>;
  /** The code of values that are no texts. */
  readonly literals: ReadonlyMap<string, string>;
}

export interface Member {
  readonly name: string;
  readonly shape: Shape;
  readonly required: boolean;
  /** Only in responses (`readOnly`), or only in requests (`writeOnly`). */
  readonly readOnly: boolean;
  readonly writeOnly: boolean;
  readonly doc: string | undefined;
  /** The default of an absent member; undefined if none is described. */
  readonly preset: unknown;
  /** An example value from the description. */
  readonly example?: unknown;
  /** False for a member that some forms of the record lack. */
  readonly everywhere?: boolean | undefined;
  /** True for a member that is missing if the record is read by itself. */
  readonly isExtra?: boolean | undefined;
}

/** A shape that a single word of TypeScript expresses. */
export const word = (word: string): Shape => ({ is: 'word', keywordType: word });
export const UNKNOWN_SHAPE: Shape = word('unknown');
export const NULL: Shape = word('null');

/** The description of a schema. */
export function docOf(schema: unknown): string | undefined {
  const doc = text(schema, 'description') ?? text(schema, 'title') ?? text(schema, 'summary');
  return member(schema, 'deprecated') === true ? `${doc ?? ''}\nDeprecated.` : doc;
}

/** A value of JSON as a literal type; undefined for lists and objects. */
export function literal(value: unknown): string | undefined {
  if (typeof value === 'string') return stringLiteral(value);
  return value === null || typeof value === 'boolean' || Number.isFinite(value)
    ? String(value)
    : undefined;
}

/** A union of these shapes: nested unions are flattened, duplicates removed. */
export function choice(shapes: readonly Shape[], by?: Discriminator): Shape {
  const all = shapes.flatMap((shape) =>
    shape.is === 'choice' && by === undefined ? shape.of : [shape],
  );
  const inner = shapes.find(
    (shape): shape is ChoiceShape => shape.is === 'choice' && shape.by !== undefined,
  );
  const words = new Set<string>();
  const of = all.filter((shape) => {
    if (shape.is !== 'word') return true;
    const first = !words.has(shape.keywordType);
    words.add(shape.keywordType);
    return first;
  });
  if (words.has('unknown')) return UNKNOWN_SHAPE;
  const told = by ?? inner?.by;
  return of.length === 1 && told === undefined ? (of[0] as Shape) : { is: 'choice', of, by: told };
}

export const isNull = (shape: Shape): boolean =>
  shape.is === 'word' && shape.keywordType === 'null';

/** The shape without null, and whether null is allowed. */
export function withoutNull(shape: Shape): { readonly shape: Shape; readonly nullable: boolean } {
  if (shape.is !== 'choice') return { shape, nullable: false };
  const of = shape.of.filter((each) => !isNull(each));
  if (of.length === shape.of.length) return { shape, nullable: false };
  return { shape: choice(of, shape.by), nullable: true };
}

/** A single object with the members of several; the type of a later member replaces an earlier type. */
export function mergeShapes(shapes: readonly Shape[], required: ReadonlySet<unknown>): ObjectShape {
  const members = new Map<string, Member>();
  let rest: Shape | undefined;
  for (const shape of shapes) {
    if (shape.is !== 'object') continue;
    rest ??= shape.rest;
    for (const each of shape.members) {
      const known = members.get(each.name);
      const due = each.required || known?.required === true || required.has(each.name);
      members.set(each.name, { ...each, required: due, doc: each.doc ?? known?.doc });
    }
  }
  return { is: 'object', members: [...members.values()], rest };
}

/** An object that each of these objects can be read as: required are the members that all of these require. */
export function mergeVariants(shapes: readonly ObjectShape[]): ObjectShape {
  const names = new Set(shapes.flatMap(({ members }) => members.map(({ name }) => name)));
  const members = Array.from(names, (name): Member => {
    const alike = shapes.flatMap((shape) => shape.members.filter((each) => each.name === name));
    const required = alike.length === shapes.length && alike.every((each) => each.required);
    return { ...(alike[0] as Member), shape: choice(alike.map(({ shape }) => shape)), required };
  });
  return { is: 'object', members, rest: shapes.find(({ rest }) => rest !== undefined)?.rest };
}

/** The shapes directly inside of a shape. */
export function childShapes(shape: Shape): readonly Shape[] {
  if (shape.is === 'list') return [shape.of];
  if (shape.is === 'choice' || shape.is === 'all') return shape.of;
  if (shape.is === 'tuple') return shape.rest ? [...shape.of, shape.rest] : shape.of;
  if (shape.is !== 'object') return [];
  const members = shape.members.map((each) => each.shape);
  return shape.rest ? [...members, shape.rest] : members;
}

/**
 * Names in a shape that may be records: the shape itself, the variants, or the content of an envelope, also in an
 * envelope of a single member: `{ data: { user } }`.
 */
export function candidatesIn(
  shape: Shape | undefined,
  shapes: Shapes,
  depth = 1,
  level = 0,
): readonly Definition[] {
  if (shape === undefined || level > DEEPEST) return [];
  const { shape: inner } = withoutNull(shape);
  if (inner.is === 'choice') return inner.of.flatMap((each) => candidatesIn(each, shapes, depth));
  const own = inner.is === 'name' ? variantsOf(inner.of, shapes) : [];
  const followed = shapes.follow(inner);
  const held =
    depth > 0 && followed.is === 'object'
      ? followed.members.flatMap((each) =>
          candidatesIn(each.shape, shapes, isEnvelope(each, shapes) ? 1 : depth - 1, level + 1),
        )
      : [];
  return [...own, ...held];
}

/** True for a member with a name that says nothing, and an object of a single member: `{ data: { user } }`. */
export function isEnvelope({ name, shape }: Member, shapes: Shapes): boolean {
  const followed = shapes.follow(withoutNull(shape).shape);
  return isGeneric(name) && followed.is === 'object' && followed.members.length === 1;
}

function variantsOf(definition: Definition, shapes: Shapes): readonly Definition[] {
  const shape = shapes.of(definition);
  return shape.is === 'object' ? [definition] : candidatesIn(shape, shapes, 0);
}

/** Names of rows: in a list, or in the lists of an envelope, also inside of `_embedded` or `data`. */
export function rowsIn(shape: Shape | undefined, shapes: Shapes, level = 0): readonly Definition[] {
  if (shape === undefined || level > DEEPEST) return [];
  const followed = shapes.follow(withoutNull(shape).shape);
  if (followed.is === 'list') return candidatesInRow(followed.of, shapes);
  if (followed.is !== 'object') return [];
  return followed.members.flatMap(({ name, shape: each }) => {
    const { is } = shapes.follow(withoutNull(each).shape);
    return is === 'list' || isGeneric(name) ? rowsIn(each, shapes, level + 1) : [];
  });
}

/** The row, or what a row is around: `{ cursor, node }`. */
function candidatesInRow(row: Shape, shapes: Shapes): readonly Definition[] {
  const followed = shapes.follow(withoutNull(row).shape);
  const members = followed.is === 'object' ? followed.members : [];
  const around = members.filter(({ name }) => isGeneric(name));
  return [row, ...around.map((each) => each.shape)].flatMap((each) =>
    candidatesIn(each, shapes, 0),
  );
}
