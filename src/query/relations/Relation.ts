/** Relations between entities by foreign keys: to many rows, to a single row, and to many rows through links. */
import { checkArgument, DEV } from '../../errors.ts';
import type { EntityKind } from '../../schema/EntityKind.ts';
import { kindOf } from '../../schema/kindOf.ts';
import { dependsOnReader } from '../../schema/projectForReader.ts';
import { KIND } from '../../schema/schema.ts';
import type { Args, EntityClass } from '../../schema/schema.ts';
import type { EntityRecord } from '../../store/entities/EntityRecord.ts';
import type { EntityRelations } from '../../schema/EntityDescriptor.ts';
import type { EntityStatics } from '../../schema/EntityStatics.ts';
import { Pipeline, PipelinePlan } from '../engine/Pipeline.ts';
import type { Declaration, OnlyKnown, Outcome } from '../engine/Pipeline.ts';
import type { Compare } from '../engine/SortedList.ts';
import type { MemberRows, RowsQuery } from '../MemberRows.ts';
import { ClassRelations } from './ClassRelations.ts';
import type { KeyFields } from './ForeignKeyIndex.ts';
import { IncludedRows } from './IncludedRows.ts';
import { createRequestSource, pairFields } from './requestsIn.ts';
import type { CreateRequests, RelatedSource } from './requestsIn.ts';
import { RelatedRow } from './RelatedRow.ts';
import { RelatedRows } from './RelatedRows.ts';
import type { RowsByKey } from './RelatedRows.ts';
import { isConstant } from './RelationTree.ts';
import type { RelatedRecord, RelationPlace, RowRelations } from './RelationTree.ts';

type CreateRecord = (entity: EntityRecord, place: RelationPlace) => RelatedRecord;

interface RelationOptions {
  readonly isRequired?: boolean | undefined;
  readonly readsArgs?: boolean;
  readonly isConstant?: () => boolean;
  readonly createRequests?: CreateRequests | undefined;
  readonly createEmpty?: (() => unknown) | undefined;
}

/**
 * A relation from the rows of a query to other rows. `Value` is the type of the member that a row gets, `Parent` has the
 * fields that a row must have, `A` are the arguments that the functions of the relation read.
 */
export class Relation<Value, in Parent = unknown, A extends Args = Args> {
  /** Type only. */
  declare readonly relatedType?: () => Value;
  /** Type only. */
  declare readonly parentType?: (parent: Parent) => void;
  /** Type only. */
  declare readonly argsType?: A;
  /** The record of the related rows of an entity. @internal */
  readonly createRecord: CreateRecord;
  /** True if rows without a related row are left out. @internal */
  readonly isRequired: boolean;
  /** True if a function of the relation, or of a relation in its `include`, asks for the arguments of a query. @internal */
  readonly readsArgs: boolean;
  readonly #isConstant: (() => boolean) | undefined;
  /** @internal */ readonly createRequests: CreateRequests | undefined;
  readonly #createEmptyValue: (() => unknown) | undefined;
  #emptyValue: unknown;

  /** @internal */
  constructor(createRecord: CreateRecord, options: RelationOptions = {}) {
    this.createRecord = createRecord;
    this.#isConstant = options.isConstant;
    this.isRequired = options.isRequired ?? false;
    this.readsArgs = options.readsArgs ?? false;
    this.createRequests = options.createRequests;
    this.#createEmptyValue = options.createEmpty;
  }

  /** True if the related rows are the same for all queries of a store. @internal */
  get isConstant(): boolean {
    return this.#isConstant?.() ?? false;
  }

  /** The value without related rows. @internal */
  get emptyValue(): unknown {
    return (this.#emptyValue ??= this.#createEmptyValue?.());
  }

  /** All relations of a class. @internal */
  describeClass(Class: EntityStatics): EntityRelations {
    return new ClassRelations(Class);
  }

  /** The rows of a query with these relations. @internal */
  createRows(include: RowRelations, query: RowsQuery): MemberRows {
    return new IncludedRows(include, query);
  }

  /** The order of two rows of a query that its `sort` and the order of the members leave undecided. @internal */
  get compareKeys(): Compare<unknown> | undefined {
    return undefined;
  }
}

/**
 * The relations of a class: `static relations: Relations<Post> = { author: belongsTo(User, 'authorId') }`. Each is a
 * member that the class declares: `declare readonly author?: User`.
 */
export type Relations<T> = {
  readonly [K in keyof T as T[K] extends object | null | undefined ? K : never]?: MemberRelation<
    {} extends Pick<T, K> ? T[K] | undefined : T[K],
    T
  >;
};

/** A relation of rows `Parent` with the value `Value`: for all readers the same, since a class has no arguments. */
interface MemberRelation<Value, Parent> {
  readonly relatedType?: () => Value;
  readonly argsType?: readonly [];
  readonly required?: false;
  // a method: the relations of a class fit the extended class
  parentType?(parent: Parent): void;
}

/** The relations of a row, by the names of the members that the row gets. */
// any: values and arguments of all types must fit
export type Include<Row> = Readonly<Record<string, Relation<any, Row, any>>>;

/** A row with the members of the relations. */
export type WithIncluded<Row, I> = [keyof I] extends [never]
  ? Row
  : keyof I & keyof Row extends never
    ? Row & RelatedValues<I>
    : Omit<Row, keyof I> & RelatedValues<I>;

type RelatedValues<I> = { readonly [K in keyof I]: ValueOf<I[K]> };

// any: as above
type ValueOf<R> = R extends Relation<infer Value, any, any> ? Value : never;

/** The relations that a declaration includes, or joins. */
export type IncludedBy<D> = D extends { readonly include: infer I }
  ? I
  : D extends { readonly join: infer J }
    ? J
    : {};

/** The names of the fields of `T` that are neither functions nor lists. */
type KeyName<T> = {
  [K in keyof T]-?: T[K] extends ((...args: never) => unknown) | readonly unknown[] ? never : K;
}[keyof T] &
  string;

/** An entity class; a function that returns the class, if the class is defined later. */
export type ClassRef<E extends EntityClass> = E | (() => E);

/** How to fetch the related rows. A declaration does not know the type of the rows with the relation. */
// any: a function of the user's own row type must fit
type AnyRowSource = RelatedSource<any>;

/** A foreign key: a field, or several fields. */
type ForeignKey<T> = KeyName<T> | readonly [KeyName<T>, ...KeyName<T>[]];

/** The fields that a foreign key names. */
type NamesIn<K> = K extends readonly (infer N)[] ? N : K;

/** The fields of a key. A single field may be optional: TypeScript still refuses a row without a field of the name. */
type WithFields<K> = K extends string
  ? { readonly [N in K]?: unknown }
  : { readonly [N in NamesIn<K> & string]: unknown };

interface References<R> {
  /**
   * The field, or fields, of the row that the foreign key equals. Default: the primary key for a single field, the
   * fields of the same names for several.
   */
  readonly references?: R;
}

interface Requirement<Q> {
  /** True: rows without a related row are left out, as by an inner join. Default: these rows have `undefined`. */
  readonly required?: Q;
}

/** The type of a single related row: undefined if there may be none. */
type OneRow<Row, Q> = Q extends true ? Row : Row | undefined;

/** The rows to select, as in a query, and their relations. Functions get rows with their related rows. */
export type RelatedDeclaration<Row, I> = Declaration<WithIncluded<Row, NotInferred<I>>> & {
  readonly include?: I;
};

/** Refuses members of the declaration of a relation that have no effect. */
type OnlyRelated<E extends EntityClass, I, D, Known> = OnlyKnown<
  D,
  WithIncluded<InstanceType<E>, NotInferred<I>>,
  Known | 'include' | keyof RelatedSource<never>
>;

/** `T`, in a place without inference: rows would give relations of all names. */
type NotInferred<T> = [T][T extends unknown ? 0 : never];

/** The arguments that the functions of a declaration, and of nested relations, read: none, or the first. */
type ReadArgs<D, I> = ArgsWith<FirstArg<D> & IncludedArg<I>>;
type ArgsWith<X> = unknown extends X ? readonly [] : readonly [X];

// any begin: functions of the user's own argument types must fit
type FirstArg<D> = ArgIn<D, 'filter'> &
  ArgIn<D, 'groupBy'> &
  LimitArg<D, 'limit'> &
  LimitArg<D, 'offset'>;
type ArgIn<D, K extends string> =
  D extends Readonly<Record<K, (row: any, ...args: infer P) => unknown>> ? Typed<P> : unknown;
type LimitArg<D, K extends string> =
  D extends Readonly<Record<K, (...args: infer P) => unknown>> ? Typed<P> : unknown;
type Typed<P> = P extends readonly [infer X, ...unknown[]]
  ? 0 extends 1 & X
    ? unknown
    : X
  : unknown;

/** The intersection of the arguments of all relations. */
export type IncludedArg<I> = [keyof I] extends [never]
  ? unknown
  : { [K in keyof I]: (arg: ArgOf<I[K]>) => void }[keyof I] extends infer F
    ? (F extends unknown ? F : never) extends (arg: infer X) => void
      ? X
      : unknown
    : unknown;
type ArgOf<R> = R extends Relation<any, any, readonly [infer X]> ? X : unknown;
// any end

/**
 * `hasMany(Issue, 'projectId')`: the issues whose foreign key is the primary key of the row, in the order of arrival.
 * `declaration`: the rows to select, as in a query (`filter`, `sort`, `limit`, `offset`, `groupBy`, `aggregate`,
 * `include`), per row; functions get the arguments of the query.
 */
export function hasMany<
  E extends EntityClass,
  const K extends ForeignKey<InstanceType<E>>,
  const I extends Include<InstanceType<E>> = {},
  const D extends object = {},
  const R extends string | readonly string[] = never,
>(
  Entity: ClassRef<E>,
  foreignKey: K,
  declaration?: D &
    RelatedDeclaration<InstanceType<E>, I> &
    References<R> &
    AnyRowSource &
    OnlyRelated<E, I, D, keyof Declaration<never> | 'references'>,
): Relation<
  Outcome<WithIncluded<InstanceType<E>, NotInferred<I>>, D>,
  ParentOf<K, R>,
  ReadArgs<D, I>
> {
  return toRows(Entity, foreignKey, declaration);
}

/** As `hasMany`, with the first row as the value, or undefined. */
export function hasOne<
  E extends EntityClass,
  const K extends ForeignKey<InstanceType<E>>,
  const I extends Include<InstanceType<E>> = {},
  const D extends object = {},
  const R extends string | readonly string[] = never,
  const Q extends boolean = false,
>(
  Entity: ClassRef<E>,
  foreignKey: K,
  declaration?: D &
    Pick<RelatedDeclaration<InstanceType<E>, I>, 'filter' | 'sort' | 'include'> &
    References<R> &
    Requirement<Q> &
    AnyRowSource &
    OnlyRelated<E, I, D, 'filter' | 'sort' | 'references' | 'required'>,
): Relation<
  OneRow<WithIncluded<InstanceType<E>, NotInferred<I>>, Q>,
  ParentOf<K, R>,
  ReadArgs<D, I>
> &
  Requirement<Q> {
  return toRows(Entity, foreignKey, declaration, { isSingle: true });
}

/** The fields that a row needs for `hasMany`: none if the foreign key has the primary key of the row. */
type ParentOf<K, R> = [R] extends [never]
  ? K extends readonly unknown[]
    ? WithFields<K>
    : unknown
  : WithFields<R>;

/**
 * `belongsTo(User, 'authorId')`: the user whose primary key is the foreign key of the row, or undefined. `references`:
 * the fields of the user that the foreign key equals, if other than the primary key.
 */
export function belongsTo<
  E extends EntityClass,
  const K extends string | readonly [string, ...string[]],
  const I extends Include<InstanceType<E>> = {},
  const Q extends boolean = false,
>(
  Entity: ClassRef<E>,
  foreignKey: K,
  options: { readonly include?: I } & References<ForeignKey<InstanceType<E>>> &
    Requirement<Q> &
    AnyRowSource = {},
): Relation<
  OneRow<WithIncluded<InstanceType<E>, NotInferred<I>>, Q>,
  WithFields<K>,
  ArgsWith<IncludedArg<I>>
> &
  Requirement<Q> {
  const { include, required } = options;
  const fields = toFields(foreignKey);
  const references = options.references ?? (fields.length > 1 ? fields : undefined);
  if (references !== undefined)
    return toRows(Entity, references, { ...options, references: fields }, { isSingle: true });
  const createRecord: CreateRecord = (entity, place) =>
    new RelatedRow({ kind: entityKind(Entity), fields, include }, entity, place);
  const createRequests = createRequestSource(options, () => {
    const { declaredPkField, pkField = 'id' } = entityKind(Entity).descriptor;
    return pairFields([declaredPkField?.field ?? pkField], fields);
  });
  return new Relation(createRecord, {
    isRequired: required,
    readsArgs: readsArgs({ include }),
    isConstant: () => readsNoArgs(Entity, include),
    createRequests,
  });
}

/**
 * `manyToMany(Tag, Tagging, 'postId', 'tagId')`: the tags that taggings link to the row. Of the two fields of a tagging,
 * the first has the primary key of the row, the second that of the tag. A tag with several links is shown once; without
 * `sort` the tags are in the order of their links.
 */
export function manyToMany<
  E extends EntityClass,
  L extends EntityClass,
  const I extends Include<InstanceType<E>> = {},
  const D extends object = {},
>(
  Entity: ClassRef<E>,
  Link: ClassRef<L>,
  foreignKey: KeyName<InstanceType<L>>,
  targetKey: KeyName<InstanceType<L>>,
  declaration?: D &
    RelatedDeclaration<InstanceType<E>, I> &
    AnyRowSource &
    OnlyRelated<E, I, D, keyof Declaration<never>>,
): Relation<Outcome<WithIncluded<InstanceType<E>, NotInferred<I>>, D>, unknown, ReadArgs<D, I>> {
  return toRows(Entity, foreignKey, declaration, { Link, targetKey });
}

/** A declaration, without the types of the rows. */
// any: a declaration is contravariant in the rows
interface Declared extends Declaration<any>, RelatedSource<never> {
  readonly include?: Include<never> | undefined;
  readonly references?: string | KeyFields | undefined;
  readonly required?: boolean | undefined;
}

interface RowsOptions {
  readonly isSingle?: boolean;
  /** The class of the links, and their field with the primary key of a row. */
  readonly Link?: ClassRef<EntityClass>;
  readonly targetKey?: string;
}

function toRows(
  Entity: ClassRef<EntityClass>,
  key: string | KeyFields,
  declaration: object = {},
  { isSingle = false, Link, targetKey }: RowsOptions = {},
): Relation<never, unknown, never> {
  const declared = declaration as Declared;
  const fields = toFields(key);
  const given = declared.references ?? (fields.length > 1 ? fields : undefined);
  let relation: RowsByKey | undefined;
  // classes are described at the first read: circular imports have resolved by then
  const describe = (): RowsByKey => ({
    kind: entityKind(Entity),
    linkKind: entityKind(Link ?? Entity),
    fields,
    references: given === undefined ? undefined : toFields(given),
    target: targetKey === undefined ? undefined : [targetKey],
    isSingle,
    declaration: isSingle ? { ...declared, limit: 1 } : declared,
    include: declared.include,
  });
  const createRecord: CreateRecord = (entity, place) =>
    new RelatedRows((relation ??= describe()), entity, place);
  const createEmptyValue = () =>
    new Pipeline(new PipelinePlan(declared, [])).value(({ row }) => row);
  return new Relation(createRecord, {
    isRequired: declared.required,
    readsArgs: readsArgs(declared),
    isConstant: () =>
      ROW_MEMBERS.every((member) => isData(declared[member])) &&
      readsNoArgs(Entity, declared.include),
    createRequests: createRequestSource(declared, () =>
      pairFields(fields, given === undefined ? undefined : toFields(given)),
    ),
    createEmpty: isSingle ? undefined : createEmptyValue,
  });
}

/** True if a function of the declaration, or of a nested relation, asks for the arguments of a query. */
function readsArgs({ filter, groupBy, limit, offset, include = {} }: Declared): boolean {
  const asks = (part: unknown, own: number) => typeof part === 'function' && part.length > own;
  if (asks(filter, 1) || asks(groupBy, 1) || asks(limit, 0) || asks(offset, 0)) return true;
  return Object.values(include).some((relation) => relation.readsArgs);
}

/** The members of a declaration that decide which rows there are, and how. */
const ROW_MEMBERS = ['filter', 'sort', 'groupBy', 'aggregate', 'limit', 'offset'] as const;

/** True if neither the values of the class nor the relations below depend on the arguments of a query. */
function readsNoArgs(Entity: ClassRef<EntityClass>, include: RowRelations = {}): boolean {
  return !dependsOnReader(entityKind(Entity)) && isConstant(include);
}

/** True if there is no function in `value`. */
function isData(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return typeof value !== 'function';
  return Object.values(value).every(isData);
}

function toFields(key: string | KeyFields): KeyFields {
  const isText = typeof key === 'string';
  if (DEV) checkArgument(isText || Array.isArray(key), 'a relation', key, 'the names of fields');
  return isText ? [key] : key;
}

function entityKind(Entity: ClassRef<EntityClass>): EntityKind {
  checkRelated(Entity);
  const Class = KIND in Entity ? Entity : Entity();
  checkRelated(Class, KIND in Object(Class));
  return kindOf(Class, 'relation') as EntityKind;
}

function checkRelated(Entity: unknown, isClass = true): void {
  const takes = 'an entity class, or a function that returns one';
  if (DEV) checkArgument(isClass && typeof Entity === 'function', 'a relation', Entity, takes);
}
