/** Which schemas are entities: records that a path identifies, and the members that are their primary key. */
import type { Definition, Document } from './Document.ts';
import type { Forms } from './Forms.ts';
import { begins, Homes, rowsIn } from './Homes.ts';
import type { Address, Home } from './Homes.ts';
import { scalarsOf } from './Keys.ts';
import type { KeyPart } from './Keys.ts';
import { paramOf } from './Operation.ts';
import type { Operation } from './Operation.ts';
import { inside, withoutNull } from './Shape.ts';
import type { Choice, Member, ObjectShape, Shape } from './Shape.ts';
import type { Shapes } from './Shapes.ts';

/** The primary key of a record. */
export interface Identity {
  /** Its parts in the order of the path; none: there is but one record of this kind. */
  readonly parts: readonly KeyPart[];
  /** The member that identifies a record where the request does not say all parts. */
  readonly otherwise: string | undefined;
  /** The member that holds the address of the record, where that says what the record does not. */
  readonly address?: Address | undefined;
}

/** A record that an answer brings, and the member in which it stands, if it is not the answer itself. */
export interface Found {
  readonly of: Definition;
  readonly within: string | undefined;
}

/*
 *   /todos/{id} answers Todo                         its field id
 *   /todos/{todoId}                                  todoId, else id
 *   /repos/{owner}/{name}                            owner and name, where it has both
 *   /users/{userId}/posts/{number}                   userId and number: of the record, else of the request
 *   two such paths with other params above           its field id
 *   /todos answers [Todo], and nothing names one     its field id
 *   /settings answers Settings, and PUT as well      there is one
 */
export class Identities {
  readonly #shapes: Shapes;
  readonly #homes: Homes;
  readonly #operations: readonly Operation[];
  readonly #known = new Map<Definition, Identity>();
  readonly #records = new Map<Definition, ObjectShape>();
  readonly #plain = new Map<Definition, string>();

  constructor(document: Document, operations: readonly Operation[], shapes: Shapes) {
    this.#shapes = shapes;
    this.#operations = operations;
    this.#homes = new Homes(document, shapes, operations);
    for (const main of this.#homes.records) this.#byHome(main);
    for (const operation of operations) this.#byList(operation);
    this.#single();
  }

  get forms(): Forms {
    return this.#homes.forms;
  }

  /** What could not be told, for people. */
  get notes(): string[] {
    const unclear = [...this.#homes.unclear]
      .filter(([definition]) => this.of(definition) === undefined)
      .map(
        ([{ name }, path]) => `${name} stays plain: nothing in it is what ${path} identifies it by`,
      );
    const lost = [...this.#plain].map(([{ name }, reason]) => `${name} stays plain: ${reason}`);
    return [...new Set([...unclear, ...lost])];
  }

  /** The identity of a record in any of its forms. */
  of(definition: Definition): Identity | undefined {
    return this.#known.get(this.forms.mainOf(definition));
  }

  /** The path that identifies a record. */
  homeOf(definition: Definition): Operation['segments'] | undefined {
    return this.#homes.of(this.forms.mainOf(definition))[0]?.segments;
  }

  /** Members of the record itself that are its primary key, or a part of it. */
  fieldsOf(definition: Definition): string[] {
    const { parts = [] } = this.of(definition) ?? {};
    return parts.flatMap(({ member: [name, inner] }) =>
      name === undefined || inner !== undefined ? [] : [name],
    );
  }

  /** The entities that a name stands for: itself, or each of several that a member tells apart. */
  entitiesOf(definition: Definition): readonly Definition[] {
    const main = this.forms.mainOf(definition);
    if (this.#known.has(main)) return [main];
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

  /** The one entity that a shape is, in whatever form. */
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

  /** The one record that an answer brings. */
  recordIn(shape: Shape | undefined): Found | undefined {
    return this.#find(shape, (inner) => this.oneIn(inner));
  }

  /** The rows that an answer brings. */
  rowsIn(shape: Shape | undefined): Found | undefined {
    return this.#find(shape, (inner) => {
      const followed = this.#shapes.follow(withoutNull(inner).shape);
      return followed.is === 'list' ? this.oneIn(followed.of) : undefined;
    });
  }

  #find(
    shape: Shape | undefined,
    test: (inner: Shape) => Definition | undefined,
  ): Found | undefined {
    if (shape === undefined) return undefined;
    const whole = test(shape);
    if (whole !== undefined) return { of: whole, within: undefined };
    if (this.oneIn(shape) !== undefined) return undefined;
    const followed = this.#shapes.follow(withoutNull(shape).shape);
    for (const { name, shape: inner } of followed.is === 'object' ? followed.members : []) {
      const found = test(inner);
      if (found !== undefined) return { of: found, within: name };
    }
    return undefined;
  }

  /** The members of a record, of all its forms together. */
  recordOf(definition: Definition): ObjectShape {
    const main = this.forms.mainOf(definition);
    let record = this.#records.get(main);
    if (record === undefined) {
      const whole = this.forms.of(main).filter((form) => this.#homes.whole.has(form));
      this.#records.set(main, (record = this.forms.merged(main, whole)));
    }
    return record;
  }

  /** The members of a record that may be in a path: texts and numbers. */
  scalarsOf(definition: Definition): string[] {
    return scalarsOf(this.recordOf(definition), this.#shapes).map(({ name }) => name);
  }

  #byHome(main: Definition): void {
    const [home, ...others] = this.#homes.of(main);
    if (home === undefined) return;
    const scalars = this.scalarsOf(main);
    const otherwise = ['id', 'uuid', '_id'].find((name) => scalars.includes(name));
    const isOwn = home.parts.every(({ member }) => member.length > 0);
    const reason = isOwn ? undefined : this.#whyNot(main, home, others);
    if (reason === undefined) {
      const own = home.parts.length > 1 && !isAllScalar(home.parts) ? otherwise : undefined;
      this.#known.set(main, {
        parts: home.parts,
        otherwise: own,
        address: isOwn ? undefined : home.address,
      });
    } else if (otherwise === undefined) this.#plain.set(main, reason);
    else
      this.#known.set(main, {
        parts: [partOf(otherwise, [home, ...others])],
        otherwise: undefined,
      });
  }

  /** Why what the path of a request says cannot be a part of the primary key; undefined where it can. */
  #whyNot(main: Definition, home: Home, others: readonly Home[]): string | undefined {
    const other = others.find(
      (each) =>
        pathOf(each) !== pathOf(home) &&
        each.weight >= 3 &&
        each.parts.some(({ member }) => member.length === 0),
    );
    if (other !== undefined) return `${pathOf(home)} and ${pathOf(other)} would mix under one key`;
    const scalars = this.scalarsOf(main);
    if (['id', 'uuid', '_id'].some((name) => scalars.includes(name))) return undefined;
    const params = home.parts.flatMap(({ member, param }) => (member.length === 0 ? [param] : []));
    const above = home.segments.slice(0, -1);
    const lost = this.#operations.find(
      ({ segments, answer }) =>
        this.#brings(answer.shape, main, new Set()) &&
        !(
          begins(segments, above) &&
          params.every((param) => segments.some((each) => paramOf(each) === param))
        ),
    );
    return lost && `${lost.method} ${lost.path} brings it and does not say ${params.join(', ')}`;
  }

  #brings(shape: Shape | undefined, main: Definition, seen: Set<Definition>): boolean {
    if (shape === undefined) return false;
    if (shape.is === 'name') {
      if (this.forms.mainOf(shape.of) === main) return true;
      if (seen.has(shape.of)) return false;
      seen.add(shape.of);
      return this.#brings(this.#shapes.of(shape.of), main, seen);
    }
    return inside(shape).some((each) => this.#brings(each, main, seen));
  }

  /** Rows with an `id`. */
  #byList({ method, answer }: Operation): void {
    if (method !== 'GET') return;
    for (const each of rowsIn(answer.shape, this.#shapes)) {
      const main = this.forms.mainOf(each);
      if (this.#known.has(main) || this.#plain.has(main)) continue;
      if (scalarsOf(this.forms.merged(main, []), this.#shapes).some(({ name }) => name === 'id'))
        this.#known.set(main, {
          parts: [{ member: ['id'], param: undefined }],
          otherwise: undefined,
        });
    }
  }

  /** What one path alone reads, and changes: a change is then seen by who reads. */
  #single(): void {
    const read = this.#operations.filter(({ method }) => method === 'GET');
    for (const { path, segments, answer } of read) {
      const of = this.#whole(answer.shape);
      if (of === undefined || segments.some((each) => each.some((step) => 'param' in step)))
        continue;
      const changes = this.#operations.some(
        (other) =>
          other.path === path &&
          other.method.startsWith('P') &&
          this.#whole(other.answer.shape) === of,
      );
      const others = read.filter((other) => this.#whole(other.answer.shape) === of);
      if (changes && others.length === 1) this.#known.set(of, { parts: [], otherwise: undefined });
    }
  }

  #whole(shape: Shape | undefined): Definition | undefined {
    if (shape?.is !== 'name' || this.of(shape.of) !== undefined || shape.of.inline)
      return undefined;
    const { members } = this.#shapes.of(shape.of) as { members?: readonly Member[] };
    const plainAlone = members?.every(
      (each) => this.recordIn(each.shape) === undefined && this.rowsIn(each.shape) === undefined,
    );
    return members !== undefined && members.length > 0 && plainAlone === true
      ? shape.of
      : undefined;
  }
}

const isAllScalar = (parts: readonly KeyPart[]): boolean =>
  parts.every(({ member }) => member.length === 1);

/** The key of one member, and what the path of one of its homes calls it. */
function partOf(name: string, homes: readonly Home[]): KeyPart {
  const parts = homes.flatMap((home) => home.parts);
  return parts.find(({ member }) => member[0] === name) ?? { member: [name], param: undefined };
}

const pathOf = ({ segments }: Home): string =>
  `/${segments.map((each) => each.map((step) => ('text' in step ? step.text : `{${step.param}}`)).join('')).join('/')}`;
