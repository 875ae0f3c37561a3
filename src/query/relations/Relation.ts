/** Relations between entities by foreign keys: to many rows, to a single row, and to many rows through links. */
import { checkArgument, DEV, warn } from '../../errors.ts';
import type { EntityKind } from '../../schema/EntityKind.ts';
import { dependsOnReader } from '../../schema/projectForReader.ts';
import type { Args, Denormalized, EntityClass, Fields } from '../../schema/schema.ts';
import type { EntityRecord } from '../../store/entities/EntityRecord.ts';
import type { EntityRelations } from '../../schema/EntityDescriptor.ts';
import type { EntityStatics } from '../../schema/EntityStatics.ts';
import { Pipeline, PipelinePlan } from '../engine/Pipeline.ts';
import type { Declaration, OnlyKnown, Outcome } from '../engine/Pipeline.ts';
import type { Compare } from '../engine/SortedList.ts';
import type { MemberRows, RowsQuery } from '../MemberRows.ts';
import { ClassRelations, collectRelations } from './ClassRelations.ts';
import type { IndexedKey, KeyFields, PkReference } from './ForeignKeyIndex.ts';
import { IncludedRows } from './IncludedRows.ts';
import { createRequestSource, valueIn } from './requestsIn.ts';
import type { Union } from '../../schema/Union.ts';
import type { ArgumentFields, CreateRequests, RelatedSource } from './requestsIn.ts';
import {
  classesOf,
  isUnion,
  kindOfRow,
  namedKind,
  classNamesIn,
  classPlaceIn,
} from './RelatedClasses.ts';
import type { RelatedClasses, RowSchema } from './RelatedClasses.ts';
import { RelatedRow } from './RelatedRow.ts';
import { RelatedRows } from './RelatedRows.ts';
import type { RowsByKey } from './RelatedRows.ts';
import { isConstant } from './RelationTree.ts';
import type { RelatedRecord, RelationPlace, RowRelations } from './RelationTree.ts';
import type { OwnKey } from './StoreRelations.ts';

type CreateRecord = (entity: EntityRecord, place: RelationPlace) => RelatedRecord;

interface RelationOptions {
  readonly isRequired?: boolean | undefined;
  readonly readsArgs?: boolean;
  readonly isConstant?: () => boolean;
  readonly createRequests?: CreateRequests | undefined;
  readonly createEmpty?: (() => unknown) | undefined;
  readonly ownKey?: OwnKey | undefined;
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
  /** The key in the rows with the relation, of `belongsTo`. @internal */
  readonly ownKey: OwnKey | undefined;
  readonly #createEmptyValue: (() => unknown) | undefined;
  #emptyValue: unknown;

  /** @internal */
  constructor(createRecord: CreateRecord, options: RelationOptions = {}) {
    this.createRecord = createRecord;
    this.#isConstant = options.isConstant;
    this.isRequired = options.isRequired ?? false;
    this.readsArgs = options.readsArgs ?? false;
    this.createRequests = options.createRequests;
    this.ownKey = options.ownKey;
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

/** An entity class, or a union of classes; a function that returns it, if a class is defined later. */
export type ClassRef<E extends RowSchema> = E | (() => E);

/** The type of the rows. */
type RowOf<E extends RowSchema> = Denormalized<E>;

/** The field by which a row names its class of a union, beside the foreign key. */
type NamingField<E, K> =
  E extends Union<infer _S, infer C>
    ? C extends string
      ? WithFields<readonly [C, ...(K extends string ? [K] : K extends readonly string[] ? K : [])]>
      : WithFields<K>
    : WithFields<K>;

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
type OnlyRelated<E extends RowSchema, I, D, Known> = OnlyKnown<
  D,
  WithIncluded<RowOf<E>, NotInferred<I>>,
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
  E extends RowSchema,
  const K extends ForeignKey<RowOf<E>>,
  const I extends Include<RowOf<E>> = {},
  const D extends object = {},
  const R extends string | readonly string[] = never,
>(
  Entity: ClassRef<E>,
  foreignKey: K,
  declaration?: D &
    RelatedDeclaration<RowOf<E>, I> &
    References<R> &
    AnyRowSource &
    OnlyRelated<E, I, D, keyof Declaration<never> | 'references'>,
): Relation<Outcome<WithIncluded<RowOf<E>, NotInferred<I>>, D>, ParentOf<K, R>, ReadArgs<D, I>> {
  return toRows(Entity, foreignKey, declaration);
}

/** As `hasMany`, with the first row as the value, or undefined. */
export function hasOne<
  E extends RowSchema,
  const K extends ForeignKey<RowOf<E>>,
  const I extends Include<RowOf<E>> = {},
  const D extends object = {},
  const R extends string | readonly string[] = never,
  const Q extends boolean = false,
>(
  Entity: ClassRef<E>,
  foreignKey: K,
  declaration?: D &
    Pick<RelatedDeclaration<RowOf<E>, I>, 'filter' | 'sort' | 'include'> &
    References<R> &
    Requirement<Q> &
    AnyRowSource &
    OnlyRelated<E, I, D, 'filter' | 'sort' | 'references' | 'required'>,
): Relation<OneRow<WithIncluded<RowOf<E>, NotInferred<I>>, Q>, ParentOf<K, R>, ReadArgs<D, I>> &
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
  E extends RowSchema,
  const K extends string | readonly [string, ...string[]],
  const I extends Include<RowOf<E>> = {},
  const Q extends boolean = false,
>(
  Entity: ClassRef<E>,
  foreignKey: K,
  options: { readonly include?: I } & References<ForeignKey<RowOf<E>>> &
    Requirement<Q> &
    AnyRowSource = {},
): Relation<
  OneRow<WithIncluded<RowOf<E>, NotInferred<I>>, Q>,
  NamingField<E, K>,
  ArgsWith<IncludedArg<I>>
> &
  Requirement<Q> {
  const { include, required } = options;
  const fields = toFields(foreignKey);
  const references = options.references ?? (fields.length > 1 ? fields : undefined);
  const classes = once(() => classesOf(Entity));
  const ownKey: OwnKey = { fields, references: references && toFields(references), classes };
  if (references !== undefined)
    return toRows(
      Entity,
      references,
      { ...options, references: fields },
      { isSingle: true, ownKey },
    );
  const target = once(() => toReference(classes(), fields));
  const createRecord: CreateRecord = (entity, place) =>
    new RelatedRow({ ...target(), include }, entity, place);
  const kindFor = (row: Fields) => kindNamedBy(classes(), row);
  const createRequests = createRequestSource(
    options,
    (row) => {
      const kind = kindFor(row);
      if (kind === undefined) return undefined;
      const { declaredPkField, pkField = 'id' } = kind.descriptor;
      return [[declaredPkField?.field ?? pkField, valueIn(row, fields[0])]];
    },
    kindFor,
  );
  return new Relation(createRecord, {
    isRequired: required,
    readsArgs: readsArgs({ include }),
    isConstant: () => readsNoArgs(classes(), include),
    createRequests,
    ownKey,
  });
}

/** How a row names a row of these classes by primary key. */
function toReference(classes: RelatedClasses, fields: KeyFields): PkReference {
  const { union } = classes;
  return {
    fields,
    kindFor: ({ instance = {} }) => {
      const kind = kindNamedBy(classes, instance);
      if (DEV && kind === undefined && union && instance[String(union.choice)])
        warn('S11', union.title, { union: union.title, value: instance });
      return kind;
    },
  };
}

function kindNamedBy({ union, kinds }: RelatedClasses, row: Fields): EntityKind | undefined {
  return union === undefined ? kinds[0] : namedKind(union, row);
}

/**
 * `manyToMany(Tag, Tagging, 'postId', 'tagId')`: the tags that taggings link to the row. Of the two fields of a tagging,
 * the first has the primary key of the row, the second that of the tag. A tag with several links is shown once; without
 * `sort` the tags are in the order of their links.
 */
export function manyToMany<
  E extends RowSchema,
  L extends EntityClass,
  const I extends Include<RowOf<E>> = {},
  const D extends object = {},
>(
  Entity: ClassRef<E>,
  Link: ClassRef<L>,
  foreignKey: KeyName<InstanceType<L>>,
  targetKey: KeyName<InstanceType<L>>,
  declaration?: D &
    RelatedDeclaration<RowOf<E>, I> &
    AnyRowSource &
    OnlyRelated<E, I, D, keyof Declaration<never>>,
): Relation<Outcome<WithIncluded<RowOf<E>, NotInferred<I>>, D>, unknown, ReadArgs<D, I>> {
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
  readonly ownKey?: OwnKey;
}

function toRows(
  Entity: ClassRef<RowSchema>,
  foreignKey: string | KeyFields,
  declaration: object = {},
  { isSingle = false, Link, targetKey, ownKey }: RowsOptions = {},
): Relation<never, unknown, never> {
  const declared = declaration as Declared;
  const given = toFields(foreignKey);
  const classes = once(() => classesOf(Entity));
  // classes are described at the first read: circular imports have resolved by then
  const relation = once((): RowsByKey => {
    const { kinds } = Link === undefined ? classes() : classesOf(Link);
    const key = ownKey ? keyOfReferences(classes(), given) : findKey(kinds, given);
    const equalFields =
      declared.references ?? key.references ?? (given.length > 1 ? given : undefined);
    return {
      key,
      references: equalFields === undefined ? undefined : toFields(equalFields),
      target: targetKey === undefined ? undefined : toReference(classes(), [targetKey]),
      isSingle,
      declaration: isSingle ? { ...declared, limit: 1 } : declared,
      include: declared.include,
    };
  });
  const createRecord: CreateRecord = (entity, place) => new RelatedRows(relation(), entity, place);
  const createEmptyValue = () =>
    new Pipeline(new PipelinePlan(declared, [])).value(({ row }) => row);
  return new Relation(createRecord, {
    isRequired: declared.required,
    readsArgs: readsArgs(declared),
    isConstant: () =>
      ROW_MEMBERS.every((member) => isData(declared[member])) &&
      readsNoArgs(classes(), declared.include),
    createRequests: createRequestSource(
      declared,
      (row) => argumentFor(relation(), row),
      ownKey && ((row) => kindNamedBy(classes(), row)),
    ),
    createEmpty: isSingle ? undefined : createEmptyValue,
    ownKey,
  });
}

/** The foreign key in the argument of a request for the related rows of a row. */
function argumentFor({ key, references }: RowsByKey, row: Fields): ArgumentFields | undefined {
  const { fields, namesOf } = key;
  const values = (references ?? [undefined]).map((field) => valueIn(row, field));
  if (fields.length === values.length) return fields.map((name, at) => [name, values[at]]);
  const kind = kindOfRow(row);
  const [name] = (kind && namesOf?.(kind, row)) ?? [];
  return fields.map((field, at) => [field, at === 0 ? name : values[at - 1]]);
}

interface FoundKey extends IndexedKey {
  readonly references: KeyFields | undefined;
}

/**
 * The key of these classes that `given` names: fields, or a `belongsTo` of the class. If the key leads to a row of a union,
 * the field that names the class of the row is part of the key.
 */
function findKey(kinds: readonly EntityKind[], given: KeyFields): FoundKey {
  const found = kinds.map((kind) => findOwnKey(kind, given));
  const [first] = found;
  const { fields = given, references } = first ?? {};
  const unions = found.flatMap((own) => own?.classes().union ?? []);
  const nested = kinds.flatMap(({ descriptor: { nested, nestedIndexes } }) => {
    const kind: unknown = nested[nestedIndexes.get(given[0] as string) ?? -1]?.kind;
    return isUnion(kind) ? [kind] : [];
  });
  const choices = unions.map(({ choice }) => choice as unknown);
  if (DEV) {
    const isAlike =
      new Set(choices).size <= 1 &&
      found.every((own) => String(own?.fields) === String(first?.fields)) &&
      (unions.length === 0 || unions.length === kinds.length);
    checkArgument(isAlike, 'a relation', given, 'a foreign key that is the same in all classes');
    const takes = 'a foreign key whose union names a field, not a function';
    checkArgument(
      choices.every((choice) => typeof choice === 'string'),
      'a relation',
      given,
      takes,
    );
  }
  const naming = unions.length > 0 ? unions : nested;
  return {
    kinds,
    fields: unions.length > 0 ? [choices[0] as string, ...fields] : fields,
    references,
    namesOf:
      naming.length === 0
        ? undefined
        : (kind) => [...new Set(naming.flatMap((union) => classNamesIn(union, kind)))],
    isByClass: false,
  };
}

/** The key of the rows of `belongsTo` with `references`. */
function keyOfReferences({ kinds, union }: RelatedClasses, fields: KeyFields): FoundKey {
  const namesOf = (_: EntityKind, row: Fields) => {
    const kind = union && namedKind(union, row);
    return kind ? [classPlaceIn(kinds, kind)] : [];
  };
  const isByClass = union !== undefined;
  return {
    kinds,
    fields,
    references: undefined,
    namesOf: isByClass ? namesOf : undefined,
    isByClass,
  };
}

/** The key of the `belongsTo` of this name, or of the `belongsTo` of a union by these fields. */
function findOwnKey({ Class }: EntityKind, given: KeyFields): OwnKey | undefined {
  const relations = collectRelations(Class);
  const [only = ''] = given;
  const named = given.length === 1 ? relations[only]?.ownKey : undefined;
  const isOfUnion = ({ ownKey }: { readonly ownKey: OwnKey | undefined }) =>
    ownKey !== undefined &&
    String(ownKey.fields) === String(given) &&
    ownKey.classes().union !== undefined;
  return named ?? Object.values(relations).find(isOfUnion)?.ownKey;
}

/** The result of the first call, again at each call. */
function once<T extends object>(create: () => T): () => T {
  let created: T | undefined;
  return () => (created ??= create());
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
function readsNoArgs({ kinds }: RelatedClasses, include: RowRelations = {}): boolean {
  return !kinds.some(dependsOnReader) && isConstant(include);
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
