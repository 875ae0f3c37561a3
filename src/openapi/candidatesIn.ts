/** Which schemas in a response may be records. */
import type { Definition } from './Document.ts';
import { withoutNull } from './Shape.ts';
import type { Shape } from './Shape.ts';
import type { Shapes } from './Shapes.ts';

/** Names in a shape that may be records: the shape itself, its variants, or the content of an envelope. */
export function candidatesIn(
  shape: Shape | undefined,
  shapes: Shapes,
  depth = 1,
): readonly Definition[] {
  if (shape === undefined) return [];
  const { shape: inner } = withoutNull(shape);
  if (inner.is === 'choice') return inner.of.flatMap((each) => candidatesIn(each, shapes, depth));
  const own = inner.is === 'name' ? variantsOf(inner.of, shapes) : [];
  const followed = shapes.follow(inner);
  const held =
    depth > 0 && followed.is === 'object'
      ? followed.members.flatMap((each) => candidatesIn(each.shape, shapes, depth - 1))
      : [];
  return [...own, ...held];
}

function variantsOf(definition: Definition, shapes: Shapes): readonly Definition[] {
  const shape = shapes.of(definition);
  return shape.is === 'object' ? [definition] : candidatesIn(shape, shapes, 0);
}

/** Names of rows: in a list, or in the lists of an envelope. */
export function rowsIn(shape: Shape | undefined, shapes: Shapes): readonly Definition[] {
  if (shape === undefined) return [];
  const followed = shapes.follow(withoutNull(shape).shape);
  const lists = followed.is === 'object' ? followed.members.map((each) => each.shape) : [followed];
  return lists.flatMap((each) => {
    const inner = shapes.follow(withoutNull(each).shape);
    return inner.is === 'list' ? candidatesIn(inner.of, shapes, 0) : [];
  });
}
