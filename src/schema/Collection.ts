/** Lists that are found by their arguments and can grow. */
import type { Assigning } from './Assigning.ts';
import type { EntityKind } from './EntityKind.ts';
import { Entering, isIdentity, textOf } from './Entering.ts';
import type { Change, Listing } from './Entering.ts';
import { kindOf } from './kindOf.ts';
import { conditionsOf, filtersOf } from './ListConditions.ts';
import type { CollectionOptions, Deciding, ListConditions } from './ListConditions.ts';
import { listTable, noteList, ownTables, sameAddress } from './ListEndpoint.ts';
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
  Walk,
} from './schema.ts';

const EMPTY: readonly never[] = Object.freeze([]);

/** A merge function of one's own: members are opaque, what they are is their `pk`. */
export type Merge<T> = (existing: T, incoming: T) => T;
type Member = { readonly pk: string };
type MergeOf<S> = Merge<
  // any: what stands in a map may be taken out and put elsewhere
  S extends readonly Schema[] ? readonly Member[] : Readonly<Record<string, any>>
>;
type Filter = CollectionOptions['createCollectionFilter'];

/** `new Values(Todo)`, as far as a collection of maps knows it. */
interface Maps<M = unknown> extends Kind {
  readonly records?: ListKind['records'];
  assigning?(collection: Listing, change: Change): unknown;
  readonly schema: M;
  readonly member: Kind;
}

/** What a collection may be of: `[Todo]`, or maps. */
export type Listable = readonly Schema[] | Maps;

type Adding<S> = S extends readonly Schema[] ? Entering<S> : Assigning<Denormalized<S>>;
type Taking<S> = S extends readonly Schema[]
  ? Entering<S>
  : S extends Maps<infer M>
    ? Entering<[M extends EntityClass ? M : M[keyof M]]>
    : never;

/**
 * `new Collection([Todo])`: a list entity with the arguments of its request as identity, so that a creation
 * (`collection.push`, `collection.unshift`) enters the stored lists whose filter arguments match it.
 * `new Collection(new Values(Todo))`: a map of this sort, which grows by `collection.assign`.
 */
export class Collection<S extends Listable> implements ListKind<Denormalized<S>> {
  declare readonly denormalized?: Denormalized<S>;
  readonly stores = 'list';
  readonly schema: S;
  readonly #options: CollectionOptions;
  #member: Kind | undefined;
  #table: object | undefined;
  /** The endpoint that reads these lists, and where they stand in its responses. */
  #home: ListEndpoint | undefined;
  #place = '';
  /** The entity whose member these lists are, and the name of the member. */
  #parent: { readonly entity: EntityKind; readonly name: string } | undefined;
  #apart: Collection<S> | undefined;

  constructor(schema: S, options: CollectionOptions = {}) {
    this.schema = schema;
    this.#options = options;
  }

  /**
   * Lists of one member at one address are in one table, whichever Collection reads them:
   *
   *   read by an endpoint           its address, and their place in its responses
   *   nested, without `nestKey`     the Collection itself: the parent identifies each list
   *   all others                    the member's own list, where only one can be meant; else the Collection itself
   */
  get table(): object {
    return (this.#table ??= this.#findTable());
  }

  #findTable(): object {
    const { address, keyed } = this;
    if (address !== undefined)
      return listTable(this.member, address, keyed ? `${this.#place}{}` : this.#place);
    if (keyed || this.#isByParent) return this;
    const tables = ownTables(this.member);
    return (tables.length === 1 && tables[0]) || this;
  }

  get #isByParent(): boolean {
    return this.#parent !== undefined && this.#options.nestKey === undefined;
  }

  get address(): string | object | undefined {
    return this.#home?.listAddress;
  }

  get owned(): boolean {
    return this.#home?.ownsList === true;
  }

  get nested(): boolean {
    return this.#parent !== undefined && this.table === this;
  }

  get revalidates(): boolean {
    return this.#home?.revalidateLists !== false;
  }

  get holds(): readonly (string | object)[] {
    return entitiesIn(this.member);
  }

  /** As `endpoint` reads it. */
  readBy(endpoint: ListEndpoint, place: string): Collection<S> {
    const home = this.#home;
    if (home !== undefined && this.#place === place && sameAddress(home, endpoint)) return this;
    const bound = home === undefined && !this.#isByParent ? this : this.#copy();
    bound.#home = endpoint;
    bound.#place = place;
    bound.#table = undefined;
    noteList(bound, this.schema, place);
    return bound;
  }

  /** As a member of an entity. */
  boundTo(entity: EntityKind, name: string): Kind {
    const { nestKey } = this.#options;
    const isFree =
      this.#parent === undefined && (this.#home === undefined || nestKey !== undefined);
    const bound = isFree ? this : this.#copy();
    if (nestKey !== undefined) bound.#home = this.#home;
    bound.#parent = { entity, name };
    bound.#table = undefined;
    return bound;
  }

  /** Lists of the same identity in another member of the parent are not these: they are known by the parent alone. */
  #apartFrom(parent: object, pk: string, args: Args): [Collection<S>, string] {
    if (this.#home !== undefined || this.#parent === undefined) return [this, pk];
    const { entity, name } = this.#parent;
    const meets = Object.entries(entity.Class.schema).some(
      ([other, schema]) =>
        other !== name &&
        schema instanceof Collection &&
        schema.member === this.member &&
        schema.#home === undefined &&
        schema.#options.nestKey !== undefined &&
        textOf(schema.#options.nestKey(parent, other)) === pk,
    );
    if (!meets) return [this, pk];
    this.#apart ??= new Collection(this.schema);
    this.#apart.#parent = this.#parent;
    return [this.#apart, textOf(entity.pkIn(parent, args))];
  }

  #copy(): Collection<S> {
    // a subclass stays one
    const Class = this.constructor as new (schema: S, options: CollectionOptions) => Collection<S>;
    return new Class(this.schema, this.#options);
  }

  get keyed(): boolean {
    return this.values !== undefined;
  }

  get records(): ListKind['records'] {
    return this.values?.records;
  }

  get values(): Maps | undefined {
    return Array.isArray(this.schema) ? undefined : (this.schema as Maps);
  }

  get member(): Kind {
    const { schema, values } = this;
    return (this.#member ??=
      values?.member ?? kindOf((schema as readonly Schema[])[0], 'Collection', '[0]'));
  }

  get title(): string {
    return `Collection(${this.values?.title ?? `[${this.member.title}]`})`;
  }

  inner(): readonly Kind[] {
    return [this.member];
  }

  /** A created member (or several) that enters the matching lists at their end. Lists only. */
  get push(): S extends readonly Schema[] ? Entering<S> : undefined {
    return (this.keyed ? undefined : this.#take('end')) as never;
  }

  /** A created member (or several) that enters the matching lists at their front. Lists only. */
  get unshift(): S extends readonly Schema[] ? Entering<S> : undefined {
    return (this.keyed ? undefined : this.#take('start')) as never;
  }

  /** Created members by key, which enter the matching maps, over what has their keys there. Maps only. */
  get assign(): S extends readonly Schema[] ? undefined : Assigning<Denormalized<S>> {
    return this.values?.assigning?.(this, this.#change('end')) as never;
  }

  /** A member (or several) that leaves the lists which hold it; the entity stays. */
  get remove(): Taking<S> {
    return this.#take('out');
  }

  /** A changed member (or several) that leaves the lists which it no longer matches and enters those it now matches. */
  get move(): Taking<S> {
    return this.#take('move');
  }

  /**
   * As `push` (for maps: `assign`), but `merge(existing, incoming)` says who is in a list then, and in what order.
   * `incoming` are members that are not in it yet. Throws S14 where it gives anything else.
   */
  addWith(merge: MergeOf<S>, createCollectionFilter?: Filter): Adding<S> {
    const change = this.#change('end', merge, createCollectionFilter);
    return (this.values?.assigning?.(this, change) ?? new Entering(this, change)) as never;
  }

  /** As `move`, but `merge(existing, incoming)` says where members stand in the lists that they enter. */
  moveWith(merge: MergeOf<S>, createCollectionFilter?: Filter): Taking<S> {
    return new Entering(this, this.#change('move', merge, createCollectionFilter)) as never;
  }

  #take(how: Change['how']): never {
    return new Entering(this, this.#change(how)) as never;
  }

  #change(
    how: Change['how'],
    merge?: MergeOf<S>,
    filter: Filter = this.#options.createCollectionFilter,
  ): Change {
    return { how, merge, filter };
  }

  normalize(input: unknown, parent: unknown, key: string, walk: Walk): Node {
    if (input === null || input === undefined) return input;
    const [list, pk] = this.#listIn(parent, key, walk);
    const ref = walk.sink.ref(list, pk);
    walk.sink.fill(ref, this.membersIn(input, parent, key, walk));
    return ref;
  }

  #listIn(parent: unknown, key: string, { args, within }: Walk): [Collection<S>, string] {
    const { nestKey, argsKey } = this.#options;
    const entity = within > 0 ? this.#parent?.entity : undefined;
    // an envelope is no entity, but all there is to ask where the arguments are not
    if (parent === undefined || (within === 0 && argsKey !== undefined))
      return [this, this.pkOf(args)];
    if (nestKey !== undefined) {
      const pk = textOf(nestKey(parent, key));
      return entity === undefined ? [this, pk] : this.#apartFrom(parent as object, pk, args);
    }
    return [this, entity ? textOf(entity.pkIn(parent as object, args)) : this.pkOf(args)];
  }

  /** The nodes of an answer's members: an array, or an object of them. Throws S3 or S8. */
  membersIn(input: unknown, parent: unknown, key: string, walk: Walk): Node {
    return kindOf(this.schema, 'Collection').normalize(input, parent, key, walk);
  }

  denormalize(node: Node, source: Source): unknown {
    return node === null || node === undefined ? node : source.value(node as Ref);
  }

  infer(args: Args, source: Source): Node {
    return source.ref(this, this.pkOf(args));
  }

  lists(node: Node): readonly Ref[] | undefined {
    return this.keyed ? undefined : [node as Ref];
  }

  recall(key: unknown, source: Source): Node | undefined {
    return typeof key === 'string' && isIdentity(key) ? source.ref(this, key) : undefined;
  }

  empty(): unknown {
    return this.values?.empty() ?? EMPTY;
  }

  /** Identity of the list that these arguments describe: its members sorted, numbers and strings alike. */
  pkOf(args: Args): string {
    const { argsKey } = this.#options;
    return textOf(argsKey === undefined ? args[0] : argsKey(...args));
  }

  filters(pk: string): Readonly<Record<string, string>> {
    return filtersOf(pk, this.#deciding);
  }

  conditions(pk: string): ListConditions {
    return conditionsOf(pk, this.#deciding);
  }

  get #deciding(): Deciding {
    return { options: this.#options, home: this.#home, member: this.member };
  }

  isPathParam(name: string): boolean {
    return this.#home?.pathParams?.has(name) === true;
  }
}

/** The tables of the entities that a member may be. */
function entitiesIn(member: Kind): readonly (string | object)[] {
  const { stores, table } = member as Partial<StoredKind>;
  if (stores === 'entity') return [table as string | object];
  return (member.inner?.() ?? []).flatMap(entitiesIn);
}
