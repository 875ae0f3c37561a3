/** Lists that are found by their arguments and can grow. */
import type { Assigning } from './Assigning.ts';
import { Entering, isIdentity, textOf } from './Entering.ts';
import type { Change, Listing } from './Entering.ts';
import { kindOf } from './kindOf.ts';
import type {
  Args,
  Denormalized,
  EntityClass,
  Fields,
  Kind,
  ListKind,
  Node,
  Ref,
  Schema,
  Source,
  Walk,
} from './schema.ts';

/** How the lists of a `Collection` are told apart, and which of them a created row enters. Without any: by all arguments. */
export interface CollectionOptions {
  /** The part of the arguments that is the list's identity. Default: the first argument. */
  // any: a function of the user's own parameter types must fit
  readonly argsKey?: (...args: any[]) => Fields;
  /** The identity of a list inside of an entity: `(user) => ({userId: user.id})`. It meets the list of these arguments. */
  // any: as above
  readonly nestKey?: (parent: any, key: string) => Fields;
  /** True for arguments that only order or page: they do not decide what enters. Default: sort and order names. */
  readonly nonFilterArgumentKeys?: ((name: string) => boolean) | readonly string[] | RegExp;
  /** Which lists a creation with these arguments enters. Default: those whose filter arguments it meets. */
  // any: as above
  readonly createCollectionFilter?: (
    ...args: any[]
  ) => (collectionKey: Readonly<Record<string, string>>) => boolean;
}

const EMPTY: readonly never[] = Object.freeze([]);
/** Names of arguments that only order. */
export const ORDERING: RegExp = /^(?:order|sort)/i;

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

/** Maps have tables beside those of lists: an array and an object cannot be one stored thing. */
const mapped = new WeakMap<Kind, object>();

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

  constructor(schema: S, options: CollectionOptions = {}) {
    this.schema = schema;
    this.#options = options;
  }

  /** Collections of one entity share their lists, whoever declared them. */
  get table(): object {
    const member: Kind = (this.member as Partial<ListKind>).root ?? this.member;
    if (!this.keyed) return member;
    const table = mapped.get(member) ?? {};
    mapped.set(member, table);
    return table;
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
    const { nestKey, argsKey } = this.#options;
    // an envelope is no entity, but all there is to ask where the arguments are not
    const nested = parent !== undefined && (walk.within > 0 || argsKey === undefined);
    const pk = nested && nestKey ? textOf(nestKey(parent, key)) : this.pkOf(walk.args);
    const ref = walk.sink.ref(this, pk);
    walk.sink.fill(ref, this.membersIn(input, parent, key, walk));
    return ref;
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
    const { nonFilterArgumentKeys: keys = ORDERING } = this.#options;
    const all = JSON.parse(pk) as Record<string, string>;
    for (const name of Object.keys(all)) if (isAmong(name, keys)) delete all[name];
    return all;
  }
}

function isAmong(
  name: string,
  keys: NonNullable<CollectionOptions['nonFilterArgumentKeys']>,
): boolean {
  if (typeof keys === 'function') return keys(name);
  // search, not test: it knows no last index
  return keys instanceof RegExp ? name.search(keys) >= 0 : keys.includes(name);
}
