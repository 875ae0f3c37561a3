/** Decides which schemas are entities: records that a path identifies, with the members of their primary key. */
import type { Definition, ApiDocument } from './ApiDocument.ts';
import { isEnvelope, rowsIn, withoutNull } from './Shape.ts';
import { decideKey, keyOfRows, ONE, isIdentifying, scalarsOf } from './decideKey.ts';
import type { Identity } from './decideKey.ts';
import type { Forms } from './Forms.ts';
import { Homes } from './Homes.ts';
import type { RecordHome } from './Homes.ts';
import type { DescribedOperation } from './operationsOf.ts';
import { isSame } from './Path.ts';
import type { Path } from './Path.ts';
import { uniteForms, membersOf } from './Forms.ts';
import type { ChoiceShape, ObjectShape, Shape, Member } from './Shape.ts';
import { DEEPEST, isGeneric } from './ModuleNames.ts';
import type { Shapes } from './Shapes.ts';

/** A record in a response, and the containing members, outermost first; none if the record is the response itself. */
export interface FoundRecord {
  readonly of: Definition;
  readonly within: readonly string[];
  /** True for rows that are around the records: `{ cursor, node }`. */
  readonly isAround?: boolean;
}

/** True for a response that is the record itself, or the rows themselves. */
export const isWhole = ({ within, isAround }: FoundRecord): boolean =>
  within.length === 0 && isAround !== true;

/*
 *   /todos/{id} returns Todo                         the field id
 *   /todos/{todoId}                                  todoId, else id
 *   /repos/{owner}/{name}                            owner and name, where the record has both
 *   /users/{userId}/posts/{number}                   userId and number: of the record, else of the request
 *   two of these, with other params above            the field id
 *   /todos returns [Todo], without a path for each   the field id
 *   /settings returns Settings, and PUT as well      a single record
 */
export class Identities {
  readonly forms: Forms;
  readonly #shapes: Shapes;
  readonly #homes: Homes;
  readonly #operations: readonly DescribedOperation[];
  readonly #known = new Map<Definition, Identity>();
  /** The single records, by path. */
  readonly #singles: ReadonlyMap<string, Definition>;
  /** True once all entities are known. */
  #isDecided = false;
  readonly #records = new Map<Definition, ObjectShape>();
  readonly #plain = new Map<Definition, string>();

  constructor(document: ApiDocument, operations: readonly DescribedOperation[], shapes: Shapes) {
    this.#shapes = shapes;
    this.#operations = operations;
    this.#homes = new Homes(shapes, operations);
    this.forms = uniteForms(document, shapes, this.#homes);
    const mains = this.#homes.all.map(({ of }) => this.forms.mainOf(of));
    for (const main of new Set(mains)) this.#byHome(main);
    for (const operation of operations) this.#byList(operation);
    this.#singles = singleRecords(operations, shapes, this);
    for (const of of this.#singles.values()) this.#known.set(of, ONE);
    this.#isDecided = true;
  }

  /** Notes for the user about records without a clear identity. */
  get notes(): string[] {
    const unclear = [...this.#homes.unclear]
      .filter(([of]) => !this.#holdsRecords({ is: 'name', of }))
      .map(
        ([{ name }, path]) => `${name} is plain data: no member matches the last param of ${path}`,
      );
    const lost = [...this.#plain].map(([{ name }, reason]) => `${name} is plain data: ${reason}`);
    return [...new Set([...unclear, ...lost])];
  }

  /** True for a record, and for an envelope of records. */
  #holdsRecords(shape: Shape): boolean {
    return this.recordIn(shape) !== undefined || this.rowsIn(shape) !== undefined;
  }

  /** The identity of a record in any form. */
  of(definition: Definition): Identity | undefined {
    return this.#known.get(this.forms.mainOf(definition));
  }

  /** True for a further form of an entity, which is read as that entity. */
  isForm(definition: Definition): boolean {
    return this.of(definition) !== undefined && this.forms.mainOf(definition) !== definition;
  }

  /** True for an inline schema that is no entity: the type is written inline as well. */
  isInPlace(definition: Definition): boolean {
    return definition.inline && this.entitiesOf(definition).length === 0;
  }

  /** The single record that an operation changes without a response. */
  singleChangedBy({ method, path, response }: DescribedOperation): Definition | undefined {
    return method.startsWith('P') && isSilent(response) ? this.#singles.get(path) : undefined;
  }

  /** The path that identifies a record. */
  homeOf(definition: Definition): Path | undefined {
    return this.#homesOf(this.forms.mainOf(definition))[0]?.segments;
  }

  /** The homes of a record in all forms, sorted by weight, largest first. */
  #homesOf(main: Definition): RecordHome[] {
    const found = this.#homes.all.filter(({ of }) => this.forms.mainOf(of) === main);
    return found.sort((a, b) => b.weight - a.weight);
  }

  /** Members of the record itself that belong to the primary key. */
  fieldsOf(definition: Definition): string[] {
    const { parts = [] } = this.of(definition) ?? {};
    return parts.flatMap(({ member: [name, inner] }) =>
      name === undefined || inner !== undefined ? [] : [name],
    );
  }

  /** The entities that a name represents: itself, or each member of a discriminated union. */
  entitiesOf(definition: Definition): readonly Definition[] {
    const main = this.forms.mainOf(definition);
    if (this.#known.has(main)) return [main];
    const { shape } = withoutNull(this.#shapes.of(definition));
    return shape.is === 'choice' && this.isToldApart(shape) ? this.entitiesIn(shape) : [];
  }

  /** True if each variant is an entity, and a discriminator distinguishes the variants. */
  isToldApart(shape: ChoiceShape): boolean {
    const found = shape.of.map((each) => this.entitiesIn(each));
    const isOne = shape.of.length > 1 && new Set(found.flat()).size === 1;
    if (isOne || found.some(({ length }) => length === 0)) return false;
    return shape.by !== undefined || this.telling(shape) !== undefined;
  }

  /** For several entities without a discriminator: the members that distinguish the entities. */
  telling(shape: ChoiceShape): DistinctMembers | undefined {
    const records = shape.of.flatMap((each) => (each.is === 'name' ? [each.of] : []));
    const mains = new Set(records.map((each) => this.forms.mainOf(each)));
    const isPlain = shape.by === undefined && [...mains].every((each) => this.#known.has(each));
    const isEach = mains.size > 1 && mains.size === shape.of.length;
    return isPlain && isEach ? byMembers(records, this.#shapes) : undefined;
  }

  /** The entities of a name, or of a union. */
  entitiesIn(shape: Shape): readonly Definition[] {
    if (shape.is === 'choice') return shape.of.flatMap((each) => this.entitiesIn(each));
    return shape.is === 'name' ? this.entitiesOf(shape.of) : [];
  }

  /** The only entity of a shape, in any form. */
  oneIn(shape: Shape): Definition | undefined {
    const { shape: inner } = withoutNull(shape);
    if (inner.is === 'choice') {
      const [first, ...others] = inner.of.map((each) => this.oneIn(each));
      return others.every((each) => each === first) ? first : undefined;
    }
    const named = this.#shapes.named(inner);
    if (named === undefined || this.entitiesOf(named).length === 0) {
      const followed = inner.is === 'name' ? this.#shapes.follow(inner) : inner;
      return followed.is === 'choice' ? this.oneIn(followed) : undefined;
    }
    return this.forms.mainOf(named);
  }

  /** The single record in a response. */
  recordIn(shape: Shape | undefined): FoundRecord | undefined {
    const find = (inner: Shape): FoundRecord | undefined => {
      const of = this.oneIn(inner);
      return of && { of, within: [] };
    };
    return this.#find(shape, find, (each) => isEnvelope(each, this.#shapes));
  }

  /** The rows in a response. */
  rowsIn(shape: Shape | undefined): FoundRecord | undefined {
    const find = (inner: Shape) => {
      const followed = this.#shapes.follow(withoutNull(inner).shape);
      return followed.is === 'list' ? this.#rowOf(followed.of) : undefined;
    };
    return this.#find(shape, find, ({ name }) => isGeneric(name));
  }

  /** The rows that an operation brings; lists beside the record that the path names are no such rows. */
  rowsOf({ segments, response }: DescribedOperation): FoundRecord | undefined {
    const record = this.recordIn(response.shape);
    const isHome =
      record && this.#homesOf(record.of).some((each) => isSame(each.segments, segments));
    return isHome === true ? undefined : this.rowsIn(response.shape);
  }

  #rowOf(row: Shape): FoundRecord | undefined {
    const whole = this.oneIn(row);
    if (whole !== undefined) return { of: whole, within: [] };
    const around = this.#membersOf(row)
      .filter(({ name }) => isGeneric(name))
      .flatMap((each) => this.oneIn(each.shape) ?? []);
    return around[0] && { of: around[0], within: [], isAround: true };
  }

  #membersOf(shape: Shape): readonly Member[] {
    const followed = this.#shapes.follow(withoutNull(shape).shape);
    return followed.is === 'object' ? followed.members : [];
  }

  /** The first in the response, in a member, or deeper behind members that are `open`. */
  #find(
    shape: Shape | undefined,
    test: (inner: Shape) => FoundRecord | undefined,
    isOpen: (member: Member) => boolean,
    level = 0,
  ): FoundRecord | undefined {
    if (shape === undefined || level > DEEPEST) return undefined;
    const whole = test(shape);
    if (whole !== undefined || this.oneIn(shape) !== undefined) return whole;
    const members = this.#membersOf(shape);
    const inMember = ({ name, shape: inner }: Member, found = test(inner)) =>
      found === undefined ? [] : [{ ...found, within: [name, ...found.within] }];
    const deeper = ({ shape: inner }: Member) => this.#find(inner, test, isOpen, level + 1);
    return (
      members.flatMap((each) => inMember(each))[0] ??
      members.filter(isOpen).flatMap((each) => inMember(each, deeper(each)))[0]
    );
  }

  /** The members of a record, merged from all forms. */
  recordOf(definition: Definition): ObjectShape {
    const main = this.forms.mainOf(definition);
    const known = this.#records.get(main);
    if (known !== undefined) return known;
    const whole = this.forms.of(main).filter((form) => this.#homes.whole.has(form));
    const record = this.forms.merged(main, whole, (first, second) => this.#fits(first, second));
    if (this.#isDecided) this.#records.set(main, record);
    return record;
  }

  /** False if the first shape holds an entity and the second, in that place, a value that may lack the entity's key. */
  #fits(first: Shape, second: Shape, depth = 0): boolean {
    const [firstShape, secondShape] = [withoutNull(first).shape, withoutNull(second).shape];
    const entity = this.oneIn(firstShape);
    const followed = this.#shapes.follow(secondShape);
    if (entity !== undefined) {
      if (this.oneIn(secondShape) === entity) return true;
      return followed.is === 'object' && this.#hasKey(followed, entity);
    }
    const followedFirst = this.#shapes.follow(firstShape);
    if (depth > 4) return true;
    if (followedFirst.is === 'list')
      return followed.is !== 'list' || this.#fits(followedFirst.of, followed.of, depth + 1);
    if (followedFirst.is !== 'object' || followed.is !== 'object') return true;
    const members = new Map(followed.members.map((each) => [each.name, each.shape]));
    return followedFirst.members.every(({ name, shape }) =>
      this.#fits(shape, members.get(name) ?? shape, depth + 1),
    );
  }

  #hasKey({ members }: ObjectShape, entity: Definition): boolean {
    return this.fieldsOf(entity).every((name) =>
      members.some((each) => each.name === name && (each.required || isIdentifying(name))),
    );
  }

  /** The members of a record that may be in a path: texts and numbers. */
  scalarsOf(definition: Definition): string[] {
    return scalarsOf(this.recordOf(definition), this.#shapes).map(({ name }) => name);
  }

  #byHome(main: Definition): void {
    const [home, ...others] = this.#homesOf(main);
    if (home === undefined) return;
    const decided = decideKey(main, {
      homes: [home, ...others],
      scalars: this.scalarsOf(main),
      operations: this.#operations,
      forms: this.forms,
      shapes: this.#shapes,
    });
    if (typeof decided === 'string') this.#plain.set(main, decided);
    else this.#known.set(main, decided);
  }

  /** Rows with an `id`. */
  #byList({ method, response, segments }: DescribedOperation): void {
    if (method !== 'GET') return;
    for (const each of rowsIn(response.shape, this.#shapes)) {
      const main = this.forms.mainOf(each);
      if (this.#known.has(main) || this.#plain.has(main)) continue;
      const record = this.recordOf(main);
      const hasId = scalarsOf(record, this.#shapes).some(({ name }) => name === 'id');
      if (!hasId) continue;
      this.#known.set(main, keyOfRows(record, segments, this.#operations, this.#shapes));
    }
  }
}

/** The identities of records from paths and lists. */
interface Known {
  of(definition: Definition): unknown;
  recordIn(shape: Shape | undefined): unknown;
  rowsIn(shape: Shape | undefined): unknown;
}

/** True for an operation whose responses have no content. */
export const isSilent = ({ successes }: DescribedOperation['response']): boolean =>
  successes.every(({ content }) => content === undefined);

/** Records that only a single path reads and changes, by this path: as entities, readers see the change. */
function singleRecords(
  operations: readonly DescribedOperation[],
  shapes: Shapes,
  known: Known,
): Map<string, Definition> {
  const wholeOf = ({ response }: DescribedOperation) => whole(response.shape, shapes, known);
  const read = operations.filter(({ method }) => method === 'GET');
  const found = read.flatMap((operation): [string, Definition][] => {
    const { path, segments } = operation;
    const of = wholeOf(operation);
    const hasParams = segments.some((each) => each.some((step) => 'param' in step));
    if (of === undefined || hasParams) return [];
    const isChange = (other: DescribedOperation) =>
      wholeOf(other) === of || (other.method !== 'POST' && isSilent(other.response));
    const changes = operations.some(
      (other) => other.path === path && other.method.startsWith('P') && isChange(other),
    );
    const others = read.filter((other) => wholeOf(other) === of);
    return changes && others.length === 1 ? [[path, of]] : [];
  });
  return new Map(found);
}

/** The name of a response that contains no record. */
function whole(shape: Shape | undefined, shapes: Shapes, known: Known): Definition | undefined {
  if (shape?.is !== 'name' || known.of(shape.of) !== undefined || shape.of.inline) return undefined;
  const { members } = shapes.of(shape.of) as { members?: readonly Member[] };
  const isPlain = members?.every(
    (each) => known.recordIn(each.shape) === undefined && known.rowsIn(each.shape) === undefined,
  );
  return members !== undefined && members.length > 0 && isPlain === true ? shape.of : undefined;
}

/** Each record with a required member that no later record has; the last record needs none. */
export type DistinctMembers = readonly (readonly [
  record: Definition,
  member: string | undefined,
])[];

/** Undefined if several records have no distinct member, also without those that have. */
function byMembers(records: readonly Definition[], shapes: Shapes): DistinctMembers | undefined {
  const distinctMember = (record: Definition) => {
    const others = records
      .filter((each) => each !== record)
      .flatMap((each) => membersOf(each, shapes));
    return membersOf(record, shapes).find(
      ({ name, required }) => required && others.every((each) => each.name !== name),
    )?.name;
  };
  const pairs = records.map((record) => [record, distinctMember(record)] as const);
  const withMember = pairs.filter(([, member]) => member !== undefined);
  const without = pairs.filter(([, member]) => member === undefined);
  if (without.length < 2) return [...withMember, ...without];
  if (withMember.length === 0) return undefined;
  const others = without.map(([record]) => record);
  const rest = byMembers(others, shapes);
  return rest && [...withMember, ...rest];
}
