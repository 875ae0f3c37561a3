/** Decides the primary key of a record: members that its path names, further params of the path, or its `id`. */
import type { Definition } from './Document.ts';
import type { Forms } from './Forms.ts';
import type { PathMember, RecordHome } from './Homes.ts';
import { keyParts } from './keyParts.ts';
import type { KeyPart } from './keyParts.ts';
import type { DescribedOperation } from './DescribedOperation.ts';
import { begins, isAbove, isSame, paramOf, textOfPath, trailing } from './Path.ts';
import type { Path } from './Path.ts';
import { childShapes } from './Shape.ts';
import type { ObjectShape, Shape } from './Shape.ts';
import type { Shapes } from './Shapes.ts';

/** The primary key of a record. */
export interface Identity {
  /** The parts in the order of the path; none: there is only one record of this kind. */
  readonly parts: readonly KeyPart[];
  /** The member that identifies a record if the request lacks some parts. */
  readonly otherwise: string | undefined;
  /** The member with the address of the record, if the address has params that the record lacks. */
  readonly address: PathMember | undefined;
}

/** The data for the decision about one record. */
export interface KeyEvidence {
  /** The paths that read the record, by weight, largest first. */
  readonly homes: readonly [RecordHome, ...RecordHome[]];
  /** The record's members that may be in a path. */
  readonly scalars: readonly string[];
  readonly operations: readonly DescribedOperation[];
  readonly forms: Forms;
  readonly shapes: Shapes;
}

/** If another path of the same records has at least this weight, their keys must not mix. */
const MUCH = 3;

/** The identity of a record, or the reason for having none. */
export function decideKey(main: Definition, deciding: KeyEvidence): Identity | string {
  const [home, ...others] = deciding.homes;
  const otherwise = ['id', 'uuid', '_id'].find((name) => deciding.scalars.includes(name));
  const isOwn = home.parts.every(({ member }) => member.length > 0);
  const isPlain = home.parts.every(({ member }) => member.length === 1);
  const address = isOwn ? undefined : home.address;
  const whole: Identity = {
    parts: home.parts,
    otherwise: isPlain ? undefined : otherwise,
    address,
  };
  if (isOwn) return whole;
  const other = others.find(
    ({ segments, weight, parts }) =>
      !isSame(segments, home.segments) &&
      weight >= MUCH &&
      parts.some(({ member }) => member.length === 0),
  );
  if (otherwise !== undefined)
    return other === undefined ? whole : keyOf(otherwise, deciding.homes);
  const mixed = other && textOfPath(other.segments);
  if (mixed !== undefined)
    return `${textOfPath(home.segments)} and ${mixed} would mix under one key`;
  return whereLost(main, home, deciding) ?? whole;
}

/** The key of one member, and the param of this member in one of its homes. */
function keyOf(name: string, homes: readonly RecordHome[]): Identity {
  const parts = homes.flatMap((home) => home.parts);
  const part = parts.find(({ member }) => member[0] === name);
  const own = part ?? { member: [name], param: undefined };
  return { parts: [own], otherwise: undefined, address: undefined };
}

/** The first request that returns the record without all params of its key; undefined if there is none. */
function whereLost(main: Definition, home: RecordHome, deciding: KeyEvidence): string | undefined {
  const params = home.parts.flatMap(({ member, param }) => (member.length === 0 ? [param] : []));
  const above = home.segments.slice(0, -1);
  const lost = deciding.operations.find(({ segments, answer }) => {
    const says = params.every((param) => segments.some((each) => paramOf(each) === param));
    const isHere = begins(segments, above) && says;
    return !isHere && brings(answer.shape, main, { ...deciding, seen: new Set() });
  });
  return lost && `${lost.method} ${lost.path} brings it and does not say ${params.join(', ')}`;
}

type Looking = Pick<KeyEvidence, 'forms' | 'shapes'> & { readonly seen: Set<Definition> };

function brings(shape: Shape | undefined, main: Definition, looking: Looking): boolean {
  if (shape === undefined) return false;
  if (shape.is !== 'name') return childShapes(shape).some((each) => brings(each, main, looking));
  const { forms, shapes, seen } = looking;
  if (forms.mainOf(shape.of) === main) return true;
  if (seen.has(shape.of)) return false;
  seen.add(shape.of);
  return brings(shapes.of(shape.of), main, looking);
}

/** The identity of a record that exists only once. */
export const ONE: Identity = { parts: [], otherwise: undefined, address: undefined };

/** The `id` of rows, and its param in the path of one row, if there is one. */
export function keyOfRows(
  record: ObjectShape,
  list: Path,
  operations: readonly DescribedOperation[],
  shapes: Shapes,
): Identity {
  const below = operations.find(
    ({ segments }) => isAbove(list, segments) && trailing(segments).length > 0,
  );
  const [part, another] = (below && keyParts(record, below, shapes)) ?? [];
  const isId = part?.member[0] === 'id' && another === undefined;
  return { ...ONE, parts: [isId ? part : { member: ['id'], param: undefined }] };
}
