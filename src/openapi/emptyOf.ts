/** The smallest value of a shape as code: the default of a field that the server always sends. */
import { block, flat, valueKeyOf } from './CodePiece.ts';
import type { Definition } from './Document.ts';
import type { Writers } from './Schemas.ts';
import { NULL, withoutNull } from './Shape.ts';
import type { Shape } from './Shape.ts';

interface Depth {
  readonly depth?: number;
  /** True if dates are Date objects. */
  readonly dated: boolean;
}

/** The smallest value of a shape; undefined if there is none. */
export function emptyOf(
  shape: Shape,
  writers: Writers,
  { depth = 0, dated }: Depth,
): string | undefined {
  const { shapes, types, identities, dates } = writers;
  if (depth > 3) return undefined;
  const entity = identities.oneIn(shape);
  if (entity !== undefined && withoutNull(shape).shape === shape) {
    const name = types.nameOf(entity, 'read');
    return depth > 0 && !nestsItself(entity, writers) ? `${name}.fromJS()` : undefined;
  }
  const isNamed = shape.is === 'name' && !identities.isInPlace(shape.of);
  const inside = { depth: depth + 1, dated: dated && !isNamed };
  const followed = shapes.follow(shape);
  if (followed.is === 'date') return inside.dated && dates ? 'new Date(0)' : "''";
  if (followed.is === 'list') return '[]';
  if (followed.is === 'choice') {
    const isNullable = followed.of.some((each) => each === NULL);
    return isNullable
      ? 'null'
      : emptyOf(followed.of[0] as Shape, writers, { ...inside, depth, dated: false });
  }
  if (followed.is === 'word')
    return (
      EMPTY[followed.keywordType] ??
      (/^['"\d\-tfn]/.test(followed.keywordType) && followed.keywordType !== 'never'
        ? followed.keywordType
        : undefined)
    );
  if (followed.is !== 'object') return undefined;
  const due = followed.members.filter(({ required, writeOnly }) => required && !writeOnly);
  const parts = due.map((each) => [valueKeyOf(each.name), emptyOf(each.shape, writers, inside)]);
  if (parts.some(([, value]) => value === undefined)) return undefined;
  return flat(block(parts.map(([key, value]) => `${key}: ${value}`)));
}

/** True for an entity inside of its own default: an object in it needs an entity which needs the object again. */
function nestsItself(entity: Definition, writers: Writers): boolean {
  const seen = new Set<Definition>();
  const visit = (of: Definition): boolean =>
    entitiesInObjects(of, writers).some((each) => {
      if (each === entity) return true;
      if (seen.has(each)) return false;
      seen.add(each);
      return visit(each);
    });
  return visit(entity);
}

/** The entities in the defaults of an entity. */
function entitiesInObjects(of: Definition, { identities, shapes }: Writers): Definition[] {
  const collect = (shape: Shape, depth: number): Definition[] => {
    const entity = identities.oneIn(shape);
    if (entity !== undefined) return depth > 0 ? [entity] : [];
    const followed = shapes.follow(shape);
    if (followed.is !== 'object' || depth > 3) return [];
    return followed.members.flatMap((each) =>
      each.required ? collect(each.shape, depth + 1) : [],
    );
  };
  return identities
    .recordOf(of)
    .members.flatMap((each) => (each.required ? collect(each.shape, 0) : []));
}

const EMPTY: Readonly<Record<string, string | undefined>> = {
  string: "''",
  number: '0',
  boolean: 'false',
};
