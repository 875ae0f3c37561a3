/** Decides the primary key of a record: members that the path names, further params of the path, or the `id`. */
import type { Definition } from './ApiDocument.ts';
import type { Forms } from './Forms.ts';
import type { PathMember, RecordHome } from './Homes.ts';
import type { DescribedOperation } from './operationsOf.ts';
import { begins, isAbove, isSame, paramOf, textOfPath, trailing, segmentText } from './Path.ts';
import type { Path } from './Path.ts';
import { childShapes, withoutNull } from './Shape.ts';
import type { ObjectShape, Shape, Member } from './Shape.ts';
import type { Shapes } from './Shapes.ts';
import { endsOf, plainName, singular } from './ModuleNames.ts';

/** The primary key of a record. */
export interface Identity {
  /** The parts in the order of the path; none: there is a single record of this kind. */
  readonly parts: readonly KeyPart[];
  /** The member that identifies a record if the request lacks some parts. */
  readonly otherwise: string | undefined;
  /** The member with the address of the record, if the address has params that the record lacks. */
  readonly address: PathMember | undefined;
}

/** The data for the decision about a record. */
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
  const twin = others.find((each) => isTwin(home, each));
  if (twin !== undefined) return mixing(home, twin);
  if (isOwn) return whole;
  const other = others.find(
    ({ segments, weight, parts }) =>
      !isSame(segments, home.segments) &&
      weight >= MUCH &&
      parts.some(({ member }) => member.length === 0),
  );
  if (otherwise !== undefined)
    return other === undefined ? whole : keyOf(otherwise, deciding.homes);
  return other === undefined ? (findLostPart(main, home, deciding) ?? whole) : mixing(home, other);
}

const mixing = (first: RecordHome, second: RecordHome): string =>
  `${textOfPath(first.segments)} and ${textOfPath(second.segments)} would share keys`;

/** True for a part of two records, as their metadata, that has the names of both: `pods/{name}`, `services/{name}`. */
function isTwin(first: RecordHome, second: RecordHome): boolean {
  const isPart = ({ of, within, segments }: RecordHome) =>
    within !== undefined &&
    !within.inline &&
    !plainName(of.name).includes(plainName(singular(nounOf(segments))));
  const isNamed = first.parts.some(({ member: [name = ''] }) => isIdentifying(name));
  const isOther = first.within !== second.within && !isSame(first.segments, second.segments);
  return isOther && isPart(first) && isPart(second) && !isNamed;
}

/** The key of a single member, and the param of this member in any home. */
function keyOf(name: string, homes: readonly RecordHome[]): Identity {
  const parts = homes.flatMap((home) => home.parts);
  const part = parts.find(({ member }) => member[0] === name);
  const own = part ?? { member: [name], param: undefined };
  return { parts: [own], otherwise: undefined, address: undefined };
}

/** The first request that returns the record without all params of the key; undefined if there is none. */
function findLostPart(
  main: Definition,
  home: RecordHome,
  deciding: KeyEvidence,
): string | undefined {
  const params = home.parts.flatMap(({ member, param }) => (member.length === 0 ? [param] : []));
  const above = home.segments.slice(0, -1);
  const lost = deciding.operations.find(({ segments, response }) => {
    const says = params.every((param) => segments.some((each) => paramOf(each) === param));
    const isHere = begins(segments, above) && says;
    return !isHere && hasRecord(response.shape, main, { ...deciding, seen: new Set() });
  });
  return lost && `${lost.method} ${lost.path} returns the record without ${params.join(', ')}`;
}

type Looking = Pick<KeyEvidence, 'forms' | 'shapes'> & { readonly seen: Set<Definition> };

function hasRecord(shape: Shape | undefined, main: Definition, search: Looking): boolean {
  if (shape === undefined) return false;
  if (shape.is !== 'name') return childShapes(shape).some((each) => hasRecord(each, main, search));
  const { forms, shapes, seen } = search;
  if (forms.mainOf(shape.of) === main) return true;
  if (seen.has(shape.of)) return false;
  seen.add(shape.of);
  return hasRecord(shapes.of(shape.of), main, search);
}

/** The identity of a record that exists only once. */
export const ONE: Identity = { parts: [], otherwise: undefined, address: undefined };

/** The `id` of rows, and the param in the path of a single row, if any. */
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

/** A part of a primary key. */
export interface KeyPart {
  /** The members down to the value: `['number']`, `['owner', 'login']`. Empty: only a request path has the value. */
  readonly member: readonly string[];
  /** The param of the path that has the same value. */
  readonly param: string | undefined;
}

type Params = DescribedOperation['params'];

/** Fields that an entity class must not declare, because methods that the library calls would be hidden. */
const METHODS = new Set(['pk', 'constructor', '__proto__', 'toJSON']);

/** Members that identify a record if the path has a param with the record's name: `/licenses/{license}`. */
const NAMING = 'key slug login username handle code name sha hash'.split(' ');

/** Members that identify a record without an `id`. */
const IDS = 'uuid _id guid gid sid uid'.split(' ');

/** Members with globally unique values. */
const GLOBAL = /(?:^|[_-])(?:id|uuid|guid|gid|sid|sha|hash)$|(?:Id|ID|Uuid|UUID|Gid|Sid|Sha|Hash)$/;

/*
 *   param                                    member
 *   todoId, todo_id                          todoId, else the ending: id
 *   issue_number, team_slug                  number, slug
 *   hash_or_number                           hash, else number
 *   index, issue_no (a number)               number, iid: a count within the parent
 *   customer (a text), and `id` is a text    id
 *   userId, and there is no `id`             gid, guid, sid, else key, slug, …; `name` only if alone
 *   repo (a text), and `id` is a number      key, slug, login, … name
 */
/** The member of a record that a param at the end of the path names; undefined if there is none. */
function namedMember(
  param: string,
  {
    record,
    type,
    noun,
  }: { readonly record: ObjectShape; readonly type: Shape; readonly noun: string },
  shapes: Shapes,
): string | undefined {
  const scalars = scalarsOf(record, shapes);
  const find = (name: string) =>
    scalars.find((each) => plainName(each.name) === plainName(name))?.name;
  const said = param.split(/_or_|Or(?=[A-Z])/).flatMap(endsOf);
  const exact =
    said.map(find).find((name) => name !== undefined) ??
    countOf(
      said,
      scalars.filter((each) => isLike(each.shape, type, shapes)),
    );
  const isRequired = scalars.some(({ name, required }) => name === exact && required);
  const own = scalars.find(({ name, required }) => name === 'id' && required);
  // an optional member does not identify the record if there is an alternative
  if (exact !== undefined)
    return isRequired || isIdentifying(exact) || own === undefined ? exact : 'id';
  const fits = (each: Member | undefined) => each !== undefined && isLike(each.shape, type, shapes);
  const id = ['id', `${noun}Id`, ...IDS].flatMap(
    (name) => scalars.find((each) => plainName(each.name) === plainName(name)) ?? [],
  )[0];
  if (fits(id)) return id?.name;
  // two records may have the same name: for an id, a name counts only if the record has no other member
  const isId = said.some((each) => each === 'id' || IDS.includes(each));
  const naming = NAMING.flatMap((name) => {
    const isNo = name === 'name' && isId && scalars.length > 1;
    return scalars.find((each) => each.name === name && !isNo) ?? [];
  });
  if (isNoun(param, noun)) return (naming.find(fits) ?? id)?.name;
  return id?.name;
}

/** The member that counts within the parent, if the param is this count under another name. */
function countOf(said: readonly string[], scalars: readonly Member[]): string | undefined {
  if (!said.some((name) => COUNTS.includes(name))) return undefined;
  return COUNTS.flatMap((name) => scalars.find((each) => plainName(each.name) === name) ?? [])[0]
    ?.name;
}

const COUNTS = 'number index iid no num'.split(' ');

/** True for a member that is present in every response, required or not. */
export const isIdentifying = (name: string): boolean => GLOBAL.test(name);

/** True for a param with the name of the records: `repo` of `repos`, `username` of `users`. */
function isNoun(param: string, noun: string): boolean {
  const first = plainName(param);
  const second = plainName(singular(noun));
  return first.startsWith(second) || second.startsWith(first);
}

/** The members of a record that may be in a path: texts and numbers. No response has a `writeOnly` member. */
export function scalarsOf(record: Shape, shapes: Shapes): readonly Member[] {
  if (record.is !== 'object') return [];
  return record.members.filter(
    ({ name, shape, writeOnly }) =>
      !writeOnly && !METHODS.has(name) && kindOf(shape, shapes) !== undefined,
  );
}

/** `string`, `number`, or both; undefined for types that cannot be in a path. */
function kindOf(shape: Shape, shapes: Shapes): string | undefined {
  const followed = shapes.follow(withoutNull(shape).shape);
  if (followed.is === 'choice') {
    const kinds = followed.of.map((each) => kindOf(each, shapes));
    if (kinds.includes(undefined)) return undefined;
    return new Set(kinds).size === 1 ? kinds[0] : 'any';
  }
  if (
    followed.is !== 'word' ||
    ['never', 'null', 'boolean', 'true', 'false'].includes(followed.keywordType)
  )
    return undefined;
  if (followed.keywordType === 'unknown') return undefined;
  return followed.keywordType === 'number' || /^-?\d/.test(followed.keywordType)
    ? 'number'
    : 'string';
}

function isLike(member: Shape, param: Shape, shapes: Shapes): boolean {
  const [first, second] = [kindOf(member, shapes), kindOf(param, shapes)];
  return first === second || second === undefined || first === 'any' || second === 'any';
}

/**
 * The parts of the primary key of a record at the end of this path, without the parts of records above if the last
 * member is globally unique; undefined if the record has no member that the path names.
 */
export function keyParts(
  record: ObjectShape,
  { segments, params }: Pick<DescribedOperation, 'segments' | 'params'>,
  shapes: Shapes,
): readonly KeyPart[] | undefined {
  const own = trailing(segments);
  const count = segments.filter((each) => each.length > 0).length;
  const noun = nounOf(segments);
  const member = (param: string) =>
    namedMember(param, { record, type: typeOf(params, param), noun }, shapes);
  const last = own.at(-1) as string;
  const name = member(last);
  if (name === undefined) return undefined;
  const end = { member: [name], param: last };
  const above = segments.slice(0, count - 1).flatMap((each) => paramOf(each) ?? []);
  const isAlone = own.length === 1 || !own.every((param) => hasMember(record, param));
  if (above.length === 0 || (isAlone && GLOBAL.test(name))) return [end];
  return [...above.map((param) => partAbove(record, { param, params }, shapes)), end];
}

/** The word before the params at the end of a path. */
const nounOf = (segments: Path): string =>
  segmentText(segments.filter((each) => each.length > 0).at(-1 - trailing(segments).length));

const typeOf = (params: Params, param: string): Shape => params.get(param) ?? ANY;
const ANY: Shape = { is: 'word', keywordType: 'unknown' };

const hasMember = (record: ObjectShape, param: string): boolean =>
  record.members.some(({ name }) => plainName(name) === plainName(param));

/** `userId` of `/users/{userId}/posts/{number}`, `owner.login` of `/repos/{owner}/{repo}`; else only in the path. */
function partAbove(
  record: ObjectShape,
  { param, params }: { readonly param: string; readonly params: Params },
  shapes: Shapes,
): KeyPart {
  const found = record.members.find(
    ({ name, writeOnly }) => !writeOnly && plainName(name) === plainName(param),
  );
  if (found === undefined) return { member: [], param };
  if (kindOf(found.shape, shapes) !== undefined) return { member: [found.name], param };
  const inner = shapes.follow(withoutNull(found.shape).shape);
  const type = typeOf(params, param);
  const name =
    inner.is === 'object'
      ? namedMember(param, { record: inner, type, noun: param }, shapes)
      : undefined;
  return { member: name === undefined ? [] : [found.name, name], param };
}
