/** Which schemas are entities: records that a path identifies, and the fields that are their primary key. */
import type { Definition } from './Document.ts';
import { plain } from './Names.ts';
import { paramOf } from './Operation.ts';
import type { Operation } from './Operation.ts';
import { withoutNull } from './Shape.ts';
import type { Choice, Member, Shape } from './Shape.ts';
import type { Shapes } from './Shapes.ts';

/** The fields of the primary key; none: there is but one record of this kind. */
export interface Identity {
  readonly fields: readonly string[];
}

/** A record that an answer brings, and the member in which it stands, if it is not the answer itself. */
export interface Record {
  readonly of: Definition;
  readonly within: string | undefined;
}

/*
 *   /todos/{id} answers Todo                         its field id
 *   /todos/{todoId}                                  todoId, else id
 *   /repos/{owner}/{name}                            owner and name, where it has both
 *   /users/{userId}/posts/{number}                   userId and number where it has both, else id
 *   /todos answers [Todo], and nothing names one     its field id
 *   /settings answers Settings, and PUT as well      there is one
 */

/** Fields of an entity class that JSON must not have: they would hide what the library calls. */
const METHODS = new Set(['pk', 'constructor', '__proto__', 'toJSON']);

export class Identities {
  readonly #shapes: Shapes;
  readonly #known = new Map<Definition, Identity>();
  readonly #unclear = new Map<Definition, string>();

  constructor(operations: readonly Operation[], shapes: Shapes) {
    this.#shapes = shapes;
    for (const operation of operations) this.#byDetail(operation);
    for (const operation of operations) this.#byList(operation);
    this.#single(operations);
  }

  /** What could not be told, for people. */
  get notes(): string[] {
    return [...this.#unclear]
      .filter(([definition]) => !this.#known.has(definition))
      .map(
        ([{ name }, path]) => `${name} stays plain: nothing in it is what ${path} identifies it by`,
      );
  }

  of(definition: Definition): Identity | undefined {
    return this.#known.get(definition);
  }

  /** The entities that a name stands for: itself, or each of several that a member tells apart. */
  entitiesOf(definition: Definition): readonly Definition[] {
    if (this.#known.has(definition)) return [definition];
    const { shape } = withoutNull(this.#shapes.of(definition));
    return shape.is === 'choice' && this.isToldApart(shape) ? this.#entitiesIn(shape) : [];
  }

  /** True where each of several is an entity, and a member tells which. */
  isToldApart(shape: Choice): boolean {
    const found = shape.of.map((each) => this.#entitiesIn(each));
    return shape.by !== undefined && found.every(({ length }) => length > 0);
  }

  #entitiesIn(shape: Shape): readonly Definition[] {
    if (shape.is === 'choice') return shape.of.flatMap((each) => this.#entitiesIn(each));
    return shape.is === 'name' ? this.entitiesOf(shape.of) : [];
  }

  /** The one record that an answer brings. */
  recordIn(shape: Shape | undefined): Record | undefined {
    return this.#find(shape, (inner) => this.#entityIn(inner));
  }

  /** The rows that an answer brings. */
  rowsIn(shape: Shape | undefined): Record | undefined {
    return this.#find(shape, (inner) => {
      const followed = this.#shapes.follow(withoutNull(inner).shape);
      return followed.is === 'list' ? this.#entityIn(followed.of) : undefined;
    });
  }

  #entityIn(shape: Shape): Definition | undefined {
    const inner = this.#shapes.named(shape);
    return inner !== undefined && this.entitiesOf(inner).length > 0 ? inner : undefined;
  }

  #find(
    shape: Shape | undefined,
    test: (inner: Shape) => Definition | undefined,
  ): Record | undefined {
    if (shape === undefined) return undefined;
    const whole = test(shape);
    if (whole !== undefined) return { of: whole, within: undefined };
    if (this.#entityIn(shape) !== undefined) return undefined;
    for (const { name, shape: inner } of this.#membersOf(shape)) {
      const found = test(inner);
      if (found !== undefined) return { of: found, within: name };
    }
    return undefined;
  }

  #membersOf(shape: Shape): readonly Member[] {
    const followed = this.#shapes.follow(withoutNull(shape).shape);
    return followed.is === 'object' ? followed.members : [];
  }

  /** Names in a shape that may be records: itself, what a member tells apart, or what an envelope holds. */
  #candidates(shape: Shape | undefined, deep = true): readonly Definition[] {
    if (shape === undefined) return [];
    const { shape: inner } = withoutNull(shape);
    if (inner.is === 'choice') return inner.of.flatMap((each) => this.#candidates(each, deep));
    const own = inner.is === 'name' ? this.#variants(inner.of) : [];
    const held = deep
      ? this.#membersOf(inner).flatMap((each) => this.#candidates(each.shape, false))
      : [];
    return [...own, ...held];
  }

  #variants(definition: Definition): readonly Definition[] {
    const shape = this.#shapes.of(definition);
    if (shape.is === 'object') return [definition];
    return this.#candidates(shape, false);
  }

  #byDetail({ method, path, segments, answer }: Operation): void {
    const params = trailing(segments);
    if (params.length === 0 || method === 'POST' || answer.form !== 'json') return;
    const [first, ...others] = this.#candidates(answer.shape);
    const earlier = segments.slice(0, -params.length).flatMap((each) => paramOf(each) ?? []);
    for (const definition of first === undefined ? [] : [first, ...others]) {
      const names = this.#keyOf(definition, params, earlier);
      if (names === undefined) {
        if (definition === first && others.length === 0) {
          this.#unclear.set(definition, path);
        }
        continue;
      }
      const known = this.#known.get(definition);
      if (known === undefined || names[0] === 'id') this.#known.set(definition, { fields: names });
      // an envelope around a record is none itself
      if (definition === first && answer.shape?.is === 'name' && answer.shape.of === first) return;
    }
  }

  #keyOf(
    definition: Definition,
    params: readonly string[],
    earlier: readonly string[],
  ): readonly string[] | undefined {
    const scalars = this.scalarsOf(definition);
    const find = (name: string) => scalars.find((each) => plain(each) === plain(name));
    const all = params.map(find);
    const last = all.at(-1);
    if (all.length > 1 && all.every((name) => name !== undefined)) return all;
    const id = find('id');
    if (last !== undefined && (earlier.length === 0 || /(?:id|uuid|guid)$/i.test(last)))
      return [last];
    const above = earlier.map(find);
    if (last !== undefined && above.every((name) => name !== undefined)) return [...above, last];
    const own = find(`${definition.name}Id`) ?? find('uuid') ?? find('_id');
    if (id !== undefined) return [id];
    return own === undefined ? undefined : [own];
  }

  /** The members of a record that may be in a path: texts and numbers. */
  scalarsOf(definition: Definition): string[] {
    const shape = this.#shapes.own(definition);
    if (shape.is !== 'object') return [];
    const scalar = ({ name, shape: inner }: Member) =>
      !METHODS.has(name) && isScalar(this.#shapes.follow(withoutNull(inner).shape));
    return shape.members.filter(scalar).map(({ name }) => name);
  }

  /** Rows with an `id`. */
  #byList({ method, answer }: Operation): void {
    if (method !== 'GET') return;
    const whole = [
      answer.shape,
      ...(answer.shape ? this.#membersOf(answer.shape).map(({ shape }) => shape) : []),
    ];
    for (const each of whole) {
      const followed = each && this.#shapes.follow(withoutNull(each).shape);
      if (followed?.is !== 'list') continue;
      for (const definition of this.#candidates(followed.of, false)) {
        const fits = this.scalarsOf(definition).includes('id');
        if (fits && !this.#known.has(definition)) this.#known.set(definition, { fields: ['id'] });
      }
    }
  }

  /** What one path alone reads, and changes: a change is then seen by who reads. */
  #single(operations: readonly Operation[]): void {
    const read = operations.filter(({ method }) => method === 'GET');
    for (const { path, segments, answer } of read) {
      const of = this.#whole(answer.shape);
      if (of === undefined || segments.some((each) => each.some((step) => 'param' in step)))
        continue;
      const changes = operations.some(
        (other) =>
          other.path === path &&
          other.method.startsWith('P') &&
          this.#whole(other.answer.shape) === of,
      );
      const others = read.filter((other) => this.#whole(other.answer.shape) === of);
      if (changes && others.length === 1) this.#known.set(of, { fields: [] });
    }
  }

  #whole(shape: Shape | undefined): Definition | undefined {
    if (shape?.is !== 'name' || this.#known.has(shape.of)) return undefined;
    const { members } = this.#shapes.of(shape.of) as { members?: readonly Member[] };
    const plainAlone = members?.every(
      (each) => this.recordIn(each.shape) === undefined && this.rowsIn(each.shape) === undefined,
    );
    return members !== undefined && members.length > 0 && plainAlone === true
      ? shape.of
      : undefined;
  }
}

function isScalar(shape: Shape): boolean {
  if (shape.is === 'choice') return shape.of.every(isScalar);
  return shape.is === 'word' && !['unknown', 'never', 'null', 'boolean'].includes(shape.word);
}

/** The params at the end of a path, with nothing between them. */
export function trailing(segments: readonly Operation['segments'][number][]): string[] {
  const params: string[] = [];
  const last = segments.at(-1)?.length === 0 ? segments.slice(0, -1) : segments;
  for (const segment of [...last].reverse()) {
    const param = paramOf(segment);
    if (param === undefined) break;
    params.unshift(param);
  }
  return params;
}
