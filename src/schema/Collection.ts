/** Lists that are identified by their arguments and can grow, by single members or by pages. */
import { checkOptions, DEV } from '../errors.ts';
import { collectTopEntities } from './EntityKind.ts';
import type { EntityKind } from './EntityKind.ts';
import { ListIdentity, isCollectionKey } from './ListIdentity.ts';
import { ListMutation } from './ListMutation.ts';
import type { ListChangeOptions } from './ListMutation.ts';
import type { MapAssign } from './ValuesKind.ts';
import { badDataError } from './badDataError.ts';
import type { ListEndpoint } from './bindTo.ts';
import { conditionsOf, filtersOf } from './conditionsOf.ts';
import type { CollectionOptions, ListConditions } from './conditionsOf.ts';
import { isPlainObject } from './fieldOf.ts';
import { kindOf } from './kindOf.ts';
import type {
  Args,
  Denormalized,
  EntityClass,
  Fields,
  Kind,
  ListKind,
  NormalizeContext,
  NormalizedNode,
  Ref,
  Schema,
  Source,
} from './schema.ts';
import { schemaChecks } from './schemaChecks.ts';

/** A custom merge function. Members are opaque except for their `pk`. */
export type MergeFunction<T> = (existing: T, incoming: T) => T;
type MergeMember = { readonly pk: string };
type CollectionMerge<S> = MergeFunction<
  // any: members of a map can be taken out and used elsewhere
  S extends readonly Schema[] ? readonly MergeMember[] : Readonly<Record<string, any>>
>;
type CollectionFilter = CollectionOptions['createCollectionFilter'];

/** The members of `new Values(Todo)` that a collection of maps uses. */
interface MapSchema<M = unknown> extends Kind {
  /** @internal */ readonly createRecord?: ListKind['createRecord'];
  /** @internal */ createAssign?(collection: ListKind, change: ListChangeOptions): unknown;
  readonly schema: M;
  /** @internal */ readonly member: Kind;
}

/** The schemas a collection accepts: `[Todo]`, or maps. */
export type CollectionSchema = readonly Schema[] | MapSchema;

type AddingSchema<S> = S extends readonly Schema[] ? ListMutation<S> : MapAssign<Denormalized<S>>;
type RemovingSchema<S> = S extends readonly Schema[]
  ? ListMutation<S>
  : S extends MapSchema<infer M>
    ? ListMutation<[M extends EntityClass ? M : M[keyof M]]>
    : never;

/**
 * `new Collection([Todo])`: a list entity with the arguments of the request as identity, so that a creation
 * (`collection.push`, `collection.unshift`) enters the stored lists with filter arguments that match the new member.
 * `new Collection(new Values(Todo))`: a map of this sort, which grows by `collection.assign`. `A`: the arguments that find a
 * list, for types only.
 */
export class Collection<S extends CollectionSchema, A extends Args = Args> implements ListKind<
  Denormalized<S>
> {
  declare readonly denormalizedType?: Denormalized<S>;
  /** Type only: the arguments that find a list. */
  declare readonly queryArgs?: A;
  readonly stores = 'list';
  readonly schema: S;
  /** @internal */ readonly listOrigin: ListIdentity;
  /** @internal */ readonly mapKind: MapSchema | undefined;
  /** @internal */ readonly isMap: boolean;
  /** @internal */ readonly createRecord: ListKind['createRecord'];
  #member: Kind | undefined;
  #memberTableKeys: readonly (string | object)[] | undefined;
  /** The option of this name, as a method of a subclass. */
  nonFilterArgumentKeys?(name: string): boolean;

  constructor(schema: S, options: CollectionOptions = {}) {
    if (DEV && !Array.isArray(schema) && !('member' in Object(schema)))
      throw badDataError('S19', { value: schema });
    if (DEV) checkOptions(options, this);
    this.schema = schema;
    this.mapKind = Array.isArray(schema) ? undefined : (schema as MapSchema);
    this.isMap = this.mapKind !== undefined;
    this.createRecord = this.mapKind?.createRecord;
    const keys = options.nonFilterArgumentKeys ?? this.nonFilterArgumentKeys?.bind(this);
    this.listOrigin = new ListIdentity(this, { ...options, nonFilterArgumentKeys: keys });
  }

  get tableKey(): object {
    return this.listOrigin.tableKey;
  }

  /** @internal */ get memberTableKeys(): readonly (string | object)[] {
    try {
      this.#memberTableKeys ??= collectTopEntities(this.member).map(({ tableKey }) => tableKey);
    } catch {
      // a Collection of nothing throws when the lists are read or written, not when other data are
    }
    return this.#memberTableKeys ?? [];
  }

  /** This collection, bound to `endpoint`. @internal */
  bindTo(endpoint: ListEndpoint, place: string): Collection<S> {
    const { listOrigin } = this;
    const { listEndpoint } = listOrigin;
    if (listEndpoint && listOrigin.isBoundTo(endpoint, place)) return this;
    const bound = listEndpoint || listOrigin.isIdentifiedByParent ? this.#copy() : this;
    bound.listOrigin.bindTo(endpoint, place);
    return bound;
  }

  /** This collection as a member of an entity. @internal */
  bindToEntity(entity: EntityKind, name?: string): Kind | undefined {
    const { listOrigin } = this;
    const { nestKey } = listOrigin.options;
    if (nestKey && name === undefined) return undefined;
    const bound = listOrigin.canBindInPlace ? this : this.#copy();
    if (nestKey) bound.listOrigin.copyEndpointOf(listOrigin);
    bound.listOrigin.parent = { entity, name };
    listOrigin.memberName = (listOrigin.memberName ?? name) === name ? name : '';
    return bound;
  }

  #copy(): Collection<S> {
    // keeps the class of a subclass
    const Class = this.constructor as new (schema: S, options: CollectionOptions) => Collection<S>;
    return new Class(this.schema, this.listOrigin.options);
  }

  /** @internal */ get member(): Kind {
    const { schema, mapKind } = this;
    return (this.#member ??=
      mapKind?.member ?? kindOf((schema as readonly Schema[])[0], 'Collection', '[0]'));
  }

  /** The kind of the members of a list or map. */
  get #contents(): Kind {
    return kindOf(this.schema, 'Collection');
  }

  get title(): string {
    return `Collection(${this.#contents.title})`;
  }

  /** @internal */ innerKinds(): readonly Kind[] {
    return [this.member];
  }

  /** A created member (or several) that enters the matching lists at their end. Lists only. */
  get push(): S extends readonly Schema[] ? ListMutation<S> : undefined {
    return (this.isMap ? undefined : this.#createChange('end')) as never;
  }

  /** A created member (or several) that enters the matching lists at their front. Lists only. */
  get unshift(): S extends readonly Schema[] ? ListMutation<S> : undefined {
    return (this.isMap ? undefined : this.#createChange('start')) as never;
  }

  /** Created members by key, which enter the matching maps and replace members under the same keys. Maps only. */
  get assign(): S extends readonly Schema[] ? undefined : MapAssign<Denormalized<S>> {
    return (this.isMap ? this.#createChange('end') : undefined) as never;
  }

  /** A member (or several) that leaves all lists with this member; the entity stays. */
  get remove(): RemovingSchema<S> {
    return this.#createChange('out');
  }

  /** A changed member (or several), which leaves lists that no longer match and enters lists that now match. */
  get move(): RemovingSchema<S> {
    return this.#createChange('move');
  }

  /**
   * As `push` (for maps: `assign`), but `merge(existing, incoming)` returns the members of each list, in order.
   * `incoming` are the members that the list does not contain yet. Throws S14 for any other result.
   */
  addWith(merge: CollectionMerge<S>, createCollectionFilter?: CollectionFilter): AddingSchema<S> {
    return this.#createChange('end', merge, createCollectionFilter);
  }

  /** As `move`, but `merge(existing, incoming)` decides on the positions of entering members in each list. */
  moveWith(
    merge: CollectionMerge<S>,
    createCollectionFilter?: CollectionFilter,
  ): RemovingSchema<S> {
    return this.#createChange('move', merge, createCollectionFilter);
  }

  #createChange(
    op: ListChangeOptions['op'],
    merge?: CollectionMerge<S>,
    filter: CollectionFilter = this.listOrigin.options.createCollectionFilter,
  ): never {
    const change = { op, merge, filter };
    if (op === 'start') this.listOrigin.creationSide = op;
    else if (op === 'end') this.listOrigin.creationSide ??= op;
    const assign = op === 'end' ? this.mapKind?.createAssign?.(this, change) : undefined;
    return (assign ?? new ListMutation(this, change)) as never;
  }

  normalize(input: unknown, parent: unknown, key: string, walk: NormalizeContext): NormalizedNode {
    // a new entity has an empty list, which the first read replaces
    const members = input === undefined && walk.creates ? this.emptyValue() : input;
    if (members === null || members === undefined) return members;
    const ref = walk.sink.ref(this, this.listOrigin.pkInResponse(parent, key, walk));
    const nodes = this.normalizeMembers(members, parent, key, walk);
    walk.sink.fill(ref, nodes, input ? 'fill' : 'append');
    if (DEV) schemaChecks?.warnOfSharedList(this, ref, { input, parent, walk });
    return ref;
  }

  /** The nodes of the members in a response: an array, or an object of nodes. Throws S3 or S8. @internal */
  normalizeMembers(
    input: unknown,
    parent: unknown,
    key: string,
    walk: NormalizeContext,
  ): NormalizedNode {
    // throws S4: without a member schema, `[]` would be a literal
    if ((this.schema as { readonly length?: number }).length === 0) void this.member;
    return kindOf(this.schema, 'Collection').normalize(input, parent, key, walk);
  }

  denormalize(node: NormalizedNode, source: Source): unknown {
    return node === null || node === undefined ? node : source.value(node as Ref);
  }

  /** @internal */ queryKey(args: Args, source: Source): NormalizedNode {
    return source.ref(this, this.listOrigin.pkForArgs(args));
  }

  /** @internal */ listRefs(node: NormalizedNode): readonly Ref[] | undefined {
    return this.isMap ? undefined : [node as Ref];
  }

  /** @internal */ fromPks(key: unknown, source: Source): NormalizedNode | undefined {
    return typeof key === 'string' && isCollectionKey(key) ? source.ref(this, key) : undefined;
  }

  /** @internal */ emptyValue(): unknown {
    return this.#contents.emptyValue?.();
  }

  /** @internal */ filterArgs(pk: string): Readonly<Record<string, string>> {
    return filtersOf(pk, this.listOrigin);
  }

  /** @internal */ conditions(pk: string): ListConditions {
    return conditionsOf(pk, this.listOrigin);
  }
}

/**
 * Replaces `collection` in the schema of the list. The members of the response are appended to the list of the
 * arguments that `listArgs` returns, without members that the list contains already, regardless of the page's address.
 * The value for readers is the complete list.
 */
export class Pages<S extends CollectionSchema> implements Kind<Denormalized<S>> {
  declare readonly denormalizedType?: Denormalized<S>;
  readonly collection: Collection<S>;
  readonly #listArgs: (args: Args) => Args;

  constructor(collection: Collection<S>, listArgs: (args: Args) => Args) {
    this.collection = collection;
    this.#listArgs = listArgs;
  }

  get title(): string {
    return `${this.collection.title}, pages`;
  }

  innerKinds(): readonly Kind[] {
    return [this.collection];
  }

  normalize(input: unknown, parent: unknown, key: string, walk: NormalizeContext): NormalizedNode {
    if (input === null || input === undefined) return input;
    const { collection } = this;
    const ref = walk.sink.ref(
      collection,
      collection.listOrigin.pkForArgs(this.#listArgs(walk.args)),
    );
    walk.sink.fill(ref, collection.normalizeMembers(input, parent, key, walk), 'append');
    return ref;
  }

  denormalize(node: NormalizedNode, source: Source): unknown {
    return this.collection.denormalize(node, source);
  }

  emptyValue(): unknown {
    return this.collection.emptyValue();
  }
}

// any: collections of any type
type AnyCollection = Collection<any>;

/** The first Collection in a schema. Searches nested schemas without a table of their own, in order. */
export function collectionIn(schema: unknown): AnyCollection | undefined {
  if (schema instanceof Collection) return schema;
  if (typeof schema !== 'object' || schema === null || 'stores' in schema) return undefined;
  const isPlainly = Array.isArray(schema) || isPlainObject(schema);
  for (const member of isPlainly
    ? Object.values(schema)
    : ((schema as Kind).innerKinds?.() ?? [])) {
    const found = collectionIn(member);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The schema of a list change; undefined if `schema` has no collection with this change. */
export function changeIn(schema: unknown, name: string): unknown {
  return (collectionIn(schema) as Fields | undefined)?.[name];
}
