/** Lists that are identified by their arguments and can grow. */
import type { MapAssign } from './MapAssign.ts';
import type { EntityKind } from './EntityKind.ts';
import { ListMutation } from './ListMutation.ts';
import type { ListChangeOptions, CollectionPort } from './ListMutation.ts';
import { isCollectionKey } from './collectionKey.ts';
import type { ListConditions } from './ListPlace.ts';
import { ListIdentity } from './ListIdentity.ts';
import { kindOf } from './kindOf.ts';
import { conditionsOf, filtersOf } from './conditionsOf.ts';
import type { CollectionOptions, Deciding } from './conditionsOf.ts';
import type { ListEndpoint } from './ListEndpoint.ts';
import type {
  Args,
  Denormalized,
  EntityClass,
  Kind,
  ListKind,
  Node,
  Ref,
  Schema,
  Source,
  StoredKind,
  NormalizeContext,
} from './schema.ts';

const EMPTY: readonly never[] = Object.freeze([]);

/** A custom merge function. Members are opaque except for their `pk`. */
export type MergeFunction<T> = (existing: T, incoming: T) => T;
type Member = { readonly pk: string };
type MergeOf<S> = MergeFunction<
  // any: members of a map can be taken out and used elsewhere
  S extends readonly Schema[] ? readonly Member[] : Readonly<Record<string, any>>
>;
type Filter = CollectionOptions['createCollectionFilter'];

/** `new Values(Todo)`, as far as a collection of maps uses it. */
interface Maps<M = unknown> extends Kind {
  /** @internal */ readonly records?: ListKind['records'];
  /** @internal */ assigning?(collection: CollectionPort, change: ListChangeOptions): unknown;
  readonly schema: M;
  /** @internal */ readonly member: Kind;
}

/** The schemas a collection accepts: `[Todo]`, or maps. */
export type Listable = readonly Schema[] | Maps;

type Adding<S> = S extends readonly Schema[] ? ListMutation<S> : MapAssign<Denormalized<S>>;
type Taking<S> = S extends readonly Schema[]
  ? ListMutation<S>
  : S extends Maps<infer M>
    ? ListMutation<[M extends EntityClass ? M : M[keyof M]]>
    : never;

/**
 * `new Collection([Todo])`: a list entity with the arguments of its request as identity, so that a creation
 * (`collection.push`, `collection.unshift`) enters the stored lists with filter arguments that match the new member.
 * `new Collection(new Values(Todo))`: a map of this sort, which grows by `collection.assign`.
 */
export class Collection<S extends Listable> implements ListKind<Denormalized<S>> {
  declare readonly denormalized?: Denormalized<S>;
  readonly stores = 'list';
  readonly schema: S;
  readonly #options: CollectionOptions;
  /** @internal */ readonly at: ListIdentity;
  /** @internal */ readonly values: Maps | undefined;
  /** @internal */ readonly keyed: boolean;
  /** @internal */ readonly records: ListKind['records'];
  #member: Kind | undefined;
  /** A second set of lists, by parent alone, used when another member of the parent has the same identity. */
  #apart: Collection<S> | undefined;

  constructor(schema: S, options: CollectionOptions = {}) {
    this.schema = schema;
    this.#options = options;
    this.values = Array.isArray(schema) ? undefined : (schema as Maps);
    this.keyed = this.values !== undefined;
    this.records = this.values?.records;
    this.at = new ListIdentity(this, options);
  }

  get table(): object {
    return this.at.table;
  }

  /** @internal */ get holds(): readonly (string | object)[] {
    return entitiesIn(this.member);
  }

  /** This collection, bound to `endpoint`. @internal */
  readBy(endpoint: ListEndpoint, place: string): Collection<S> {
    const { at } = this;
    if (at.isReadBy(endpoint, place)) return this;
    const bound = at.home === undefined && !at.isByParent ? this : this.#copy(this.#options);
    bound.at.readBy(endpoint, place);
    return bound;
  }

  /** This collection as a member of an entity. @internal */
  boundTo(entity: EntityKind, name: string): Kind {
    const bound = this.at.isFree ? this : this.#copy(this.#options);
    if (this.#options.nestKey !== undefined) bound.at.home = this.at.home;
    bound.at.parent = { entity, name };
    return bound;
  }

  #copy(options: CollectionOptions): Collection<S> {
    // keeps the class of a subclass
    const Class = this.constructor as new (schema: S, options: CollectionOptions) => Collection<S>;
    return new Class(this.schema, options);
  }

  /** @internal */ get member(): Kind {
    const { schema, values } = this;
    return (this.#member ??=
      values?.member ?? kindOf((schema as readonly Schema[])[0], 'Collection', '[0]'));
  }

  get title(): string {
    return `Collection(${this.values?.title ?? `[${this.member.title}]`})`;
  }

  /** @internal */ inner(): readonly Kind[] {
    return [this.member];
  }

  /** A created member (or several) that enters the matching lists at their end. Lists only. */
  get push(): S extends readonly Schema[] ? ListMutation<S> : undefined {
    return (this.keyed ? undefined : this.#take('end')) as never;
  }

  /** A created member (or several) that enters the matching lists at their front. Lists only. */
  get unshift(): S extends readonly Schema[] ? ListMutation<S> : undefined {
    return (this.keyed ? undefined : this.#take('start')) as never;
  }

  /** Created members by key, which enter the matching maps and replace members under the same keys. Maps only. */
  get assign(): S extends readonly Schema[] ? undefined : MapAssign<Denormalized<S>> {
    return this.values?.assigning?.(this, this.#change('end')) as never;
  }

  /** A member (or several) that leaves the lists which contain it; the entity stays. */
  get remove(): Taking<S> {
    return this.#take('out');
  }

  /** A changed member (or several) that leaves the lists it no longer matches and enters the lists it now matches. */
  get move(): Taking<S> {
    return this.#take('move');
  }

  /**
   * As `push` (for maps: `assign`), but `merge(existing, incoming)` returns the members of each list, in order.
   * `incoming` are the members that the list does not contain yet. Throws S14 if it returns anything else.
   */
  addWith(merge: MergeOf<S>, createCollectionFilter?: Filter): Adding<S> {
    const change = this.#change('end', merge, createCollectionFilter);
    return (this.values?.assigning?.(this, change) ?? new ListMutation(this, change)) as never;
  }

  /** As `move`, but `merge(existing, incoming)` decides on the positions of members in the lists they enter. */
  moveWith(merge: MergeOf<S>, createCollectionFilter?: Filter): Taking<S> {
    return new ListMutation(this, this.#change('move', merge, createCollectionFilter)) as never;
  }

  #take(how: ListChangeOptions['how']): never {
    return new ListMutation(this, this.#change(how)) as never;
  }

  #change(
    how: ListChangeOptions['how'],
    merge?: MergeOf<S>,
    filter: Filter = this.#options.createCollectionFilter,
  ): ListChangeOptions {
    return { how, merge, filter };
  }

  normalize(input: unknown, parent: unknown, key: string, walk: NormalizeContext): Node {
    if (input === null || input === undefined) return input;
    const pk = this.at.pkIn(parent, key, walk);
    const isApart = walk.within > 0 && this.at.meetsAnother(parent as object, pk);
    if (isApart) return this.#alone.normalize(input, parent, key, walk);
    const ref = walk.sink.ref(this, pk);
    walk.sink.fill(ref, this.membersIn(input, parent, key, walk));
    return ref;
  }

  get #alone(): Collection<S> {
    this.#apart ??= this.#copy({});
    this.#apart.at.parent = this.at.parent;
    return this.#apart;
  }

  /** The nodes of the members in a response: an array, or an object of nodes. Throws S3 or S8. @internal */
  membersIn(input: unknown, parent: unknown, key: string, walk: NormalizeContext): Node {
    return kindOf(this.schema, 'Collection').normalize(input, parent, key, walk);
  }

  denormalize(node: Node, source: Source): unknown {
    return node === null || node === undefined ? node : source.value(node as Ref);
  }

  /** @internal */ queryKey(args: Args, source: Source): Node {
    return source.ref(this, this.at.pkOf(args));
  }

  /** @internal */ lists(node: Node): readonly Ref[] | undefined {
    return this.keyed ? undefined : [node as Ref];
  }

  /** @internal */ fromKeys(key: unknown, source: Source): Node | undefined {
    return typeof key === 'string' && isCollectionKey(key) ? source.ref(this, key) : undefined;
  }

  /** @internal */ emptyValue(): unknown {
    return this.values?.emptyValue() ?? EMPTY;
  }

  /** @internal */ filters(pk: string): Readonly<Record<string, string>> {
    return filtersOf(pk, this.#deciding);
  }

  /** @internal */ conditions(pk: string): ListConditions {
    return conditionsOf(pk, this.#deciding);
  }

  get #deciding(): Deciding {
    return { options: this.#options, home: this.at.home, member: this.member };
  }
}

/** The tables of the entities that a member can be. */
function entitiesIn(member: Kind): readonly (string | object)[] {
  const { stores, table } = member as Partial<StoredKind>;
  if (stores === 'entity') return [table as string | object];
  return (member.inner?.() ?? []).flatMap(entitiesIn);
}
