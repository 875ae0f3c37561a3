/** Finds the members of a record that its path names: the parts of its primary key. */
import { endsOf, plainName, singular } from './ModuleNames.ts';
import type { DescribedOperation } from './DescribedOperation.ts';
import { paramOf, segmentText, trailing } from './Path.ts';
import { withoutNull } from './Shape.ts';
import type { Member, ObjectShape, Shape } from './Shape.ts';
import type { Shapes } from './Shapes.ts';

/** A part of a primary key. */
export interface KeyPart {
  /** The path of members to the value: `['number']`, `['owner', 'login']`. Empty: only the path of a request has it. */
  readonly member: readonly string[];
  /** The param of the path that has the same value. */
  readonly param: string | undefined;
}

type Params = DescribedOperation['params'];

/** Fields that an entity class must not declare: they would hide methods that the library calls. */
const METHODS = new Set(['pk', 'constructor', '__proto__', 'toJSON']);

/** Members that identify a record if its path has a param with the record's name: `/licenses/{license}`. */
const NAMING = 'key slug login username handle code name sha hash'.split(' ');

/** Members with globally unique values. */
const GLOBAL = /(?:^|[_-])(?:id|uuid|guid|sid|sha|hash)$|(?:Id|ID|Uuid|UUID|Sid|Sha|Hash)$/;

/*
 *   param                                    member
 *   todoId, todo_id                          todoId, else its ending: id
 *   issue_number, team_slug                  number, slug
 *   hash_or_number                           hash, else number
 *   customer (a text), and `id` is a text    id
 *   repo (a text), and `id` is a number      key, slug, login, … name
 */
/** The member of a record that a param at the end of its path names; undefined if there is none. */
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
  const exact = said.map(find).find((name) => name !== undefined);
  const isRequired = scalars.some(({ name, required }) => name === exact && required);
  const own = scalars.find(({ name, required }) => name === 'id' && required);
  // an optional member does not identify the record if there is an alternative
  if (exact !== undefined)
    return isRequired || isIdentifying(exact) || own === undefined ? exact : 'id';
  const fits = (each: Member | undefined) => each !== undefined && isLike(each.shape, type, shapes);
  const id = ['id', `${noun}Id`, 'uuid', '_id'].flatMap(
    (name) => scalars.find((each) => plainName(each.name) === plainName(name)) ?? [],
  )[0];
  if (fits(id)) return id?.name;
  const naming = NAMING.flatMap((name) => scalars.find((each) => each.name === name) ?? []);
  if (isNoun(param, noun)) return (naming.find(fits) ?? id)?.name;
  return id?.name;
}

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
  const noun = segmentText(segments[count - own.length - 1]);
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

const typeOf = (params: Params, param: string): Shape => params.get(param) ?? ANY;
const ANY: Shape = { is: 'word', keywordType: 'unknown' };

const hasMember = (record: ObjectShape, param: string): boolean =>
  record.members.some(({ name }) => plainName(name) === plainName(param));

/**
 * `userId` of `/users/{userId}/posts/{number}`, `owner.login` of `/repos/{owner}/{repo}`; else only the path has it.
 */
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
