/** What every schema kind answers, and the two ports through which the walks reach stored things. */
import { Comparable, equal } from './equal.ts';
import type { ListConditions, ListPlace } from './ListPlace.ts';
import type { StandardSchemaV1 } from './StandardSchemaV1.ts';

/** What denormalize answers for a thing that is missing, deleted, or not whole. */
export const INVALID: unique symbol = Symbol('signalbox.invalid');

/** Under this name a schema that is not a kind itself (an entity class) gives its kind. */
export const KIND: unique symbol = Symbol('signalbox.kind');

/** A stored thing as this room knows it: an identity to hold, never to look into. The store's records extend it. */
export abstract class Ref {
  declare protected readonly brand: 'Ref';
  abstract readonly pk: string;
  /**
   * True for an entity that is not complete: a field that its class, or `kind`, demands was never received. An answer to
   * a request of its own (logical time `since`; -1: none) makes it complete, unless it was deleted after that.
   * @internal
   */
  isIncompleteFor?(since: number, kind?: Kind): boolean;
}

/** A node of a kind's own class around another one. */
export abstract class Composite extends Comparable {
  abstract readonly inner: Node;
  /** The same around another node. */
  over?(inner: Node): Composite;
  /** What makes the next reading cheap: nobody holds it but who reads. */
  kept?(): object | undefined;
  /** True where other contents may show the same value: a function derives it. */
  declare readonly derives?: boolean;
}

/** A value that no schema looks into: it is carried, compared, and never searched for stored things. */
export class Raw extends Composite {
  readonly inner = undefined;
  readonly value: object;

  constructor(value: object) {
    super();
    this.value = value;
  }

  equals(other: unknown): boolean {
    return other instanceof Raw && equal(this.value, other.value);
  }
}

/** Objects from outside are wrapped, all else is its own node. */
export function carry(value: unknown): Node {
  return value !== null && typeof value === 'object' ? new Raw(value) : value;
}

export function carried(node: Node): unknown {
  return node instanceof Raw ? node.value : node;
}

/**
 * The normalized form of a value under a schema: a `Ref` where the schema has an entity or a collection,
 * arrays and plain objects of nodes around them, raw values elsewhere. Only the kind that made it reads it.
 */
export type Node = unknown;

/** The members of an object by name, as JSON has them. */
export type Fields = Record<string, unknown>;
export type Args = readonly unknown[];

/** Whether members are all of a list, or more of it. */
export type Filling = 'fill' | 'append';

/** Where normalize lays what it found. Nothing is visible to readers until the floor above commits it. */
export interface Sink {
  /** The stored thing of this kind and identity, made empty if it is not there yet. `top`: it is in no other one. */
  ref(kind: StoredKind, pk: string, top?: boolean): Ref;
  /** A number to name an entity by that its server has not named yet; absent where all must be named. */
  readonly mint?: (() => number) | undefined;
  /** Lays the fields of an entity; `nodes` are its nested members, in the order in which `kind` names them. */
  put(ref: Ref, fields: Fields, nodes: readonly Node[], kind: StoredKind): void;
  /** True for an entity that is there, whatever is expected to happen to it. */
  stored(ref: Ref): boolean;
  /** Lays a deletion. */
  remove(ref: Ref): void;
  /** Lays the members of a list, in order; of a map, an object of them. `append`: of one page, behind those that are there. */
  fill(ref: Ref, members: Node, how?: Filling): void;
  /** Lays the entry of members into stored lists of `kind`. */
  enter(kind: ListKind, entry: Entry): void;
}

/** Members on their way into, or out of, the stored lists of one kind. */
export interface Entry {
  readonly members: readonly Node[];
  /**
   * `start`, `end`: each list whose filter a member meets takes it once, at that side. `out`: the lists that hold it,
   * and whose filter the call itself does not contradict, let go of it. `move`: lists whose filter it no longer meets let go of it,
   * those whose filter it meets now take it at their end.
   */
  readonly how: 'start' | 'end' | 'out' | 'move';
  /** What is said of a filter argument, as text: `values[i]` belongs to `members[i]`. */
  readonly values: readonly ((name: string) => string | undefined)[];
  /** Decides by a list's filter arguments alone, in the place of `values`. */
  readonly filter?: ((filters: Readonly<Record<string, string>>) => boolean) | undefined;
  /** The address of the request, where its members enter the lists that are read there. */
  readonly address?: string | object | undefined;
  /** Under which keys members enter maps: `keys[i]` belongs to `members[i]`. */
  readonly keys?: readonly string[] | undefined;
  /** Who is in a list then, in the place of `start` and `end`; arrays of refs, or objects of them. */
  readonly merge?: ((existing: never, incoming: never) => unknown) | undefined;
}

/** Where denormalize asks for stored things. */
export interface Source {
  /** Values are immutable: the same one says the same for ever. @internal */
  readonly stable: boolean;
  /** What readers get for `ref`, or INVALID. @internal */
  value(ref: Ref): unknown;
  /** @internal */ ref(kind: StoredKind, pk: string): Ref;
  /** The entity of this kind whose field has this value, whoever it is. @internal */
  find(kind: StoredKind, field: string, value: string): Ref;
  /** Only where values are asked for as they came, with primary keys in the place of entities: what `ref` is. @internal */
  kindOf?(ref: Ref): StoredKind;
  /** Then, too: told of a value that is made of others, in whose place nothing can be written. @internal */
  derives?(): unknown;
}

/** One normalization on its way down. */
export interface Walk {
  /** @internal */ readonly sink: Sink;
  /** The arguments of the endpoint whose answer this is. @internal */
  readonly args: Args;
  /** The endpoint, as messages name it. @internal */
  readonly endpoint: string | undefined;
  /** How deep the call stack is; past a limit entities wait in `later`. @internal */
  depth: number;
  /** How many entities the value is in. @internal */
  within: number;
  /** @internal */ later: (() => void)[] | undefined;
  /** Inputs that went to `later` once: a cyclic input comes to an end. @internal */
  seen: Set<unknown> | undefined;
  /** Inputs that were normalized before, by their primary key: they are laid as they are. */
  readonly planted: ReadonlyMap<unknown, string> | undefined;
  /** Primary keys stand in the place of entities. */
  readonly keyed: boolean | undefined;
}

/** What each kind of schema answers for itself. Shared code asks only this. */
export interface Kind<T = unknown> {
  /** Type only: what a reader gets. */
  readonly denormalized?: T;
  /** How messages call it: `Todo`, `[Todo]`, `{results: [Todo]}`. Equal titles: equal structure. */
  readonly title: string;
  /** As a member whose default is truthy, it must be there for its parent to be whole. @internal */
  readonly needed?: boolean;
  /** Its values are always whole: what is missing in them is left out. @internal */
  readonly whole?: boolean;
  /** It shows keys of entities, and none of their fields. @internal */
  readonly shallow?: boolean;
  /** What readers get depends on their arguments, or on how deep it stands. @internal */
  readonly projected?: boolean;
  /** As a member of an entity it is asked for absent values, too. @internal */
  readonly always?: boolean;
  /** The kind to stand in its place as a member of an entity. @internal */
  boundTo?(entity: StoredKind, name: string): Kind;
  /** The kinds directly inside. @internal */
  inner?(): readonly Kind[];
  normalize(input: unknown, parent: unknown, key: string, walk: Walk): Node;
  denormalize(node: Node, source: Source): unknown;
  /** The node that these arguments alone point to, before any answer; undefined: they point to nothing. @internal */
  infer?(args: Args, source: Source): Node | undefined;
  /** The node that primary keys in the shape of this kind stand for. @internal */
  recall?(keys: unknown, source: Source): Node | undefined;
  /** As `Ref.lacks`, of the entities that a value is made of, not of those nested in them. @internal */
  lacks?(node: Node, since: number): boolean;
  /** The stored lists whose members, one list after the other, are the value of a node, if it has any; not asked of null. @internal */
  lists?(node: Node): readonly Ref[] | undefined;
  /** The stored kind that a value belongs to, where the value is one entity. @internal */
  target?(value: unknown): StoredKind | undefined;
  /** What a reader of null arguments gets, and what a member absent from a response reads as. @internal */
  empty(): unknown;
  /** What `useCache` gives where nothing is stored; absent: undefined. @internal */
  blank?(): unknown;
}

/** A kind whose values are stored once per identity. */
export interface StoredKind<T = unknown> extends Kind<T> {
  readonly stores: 'entity' | 'list' | 'all';
  /** Names the table. A string is shared by all who name it; a class or an object is an identity of its own. */
  readonly table: string | object;
  /** Of the kinds that share a table, each of which extends the one before: the first. @internal */
  readonly root?: StoredKind;
  /** Makes the table of a kind that brings its own; `tableOf` gives those that it rests on. @internal */
  readonly opens?: (tableOf: (kind: StoredKind) => object) => object;
}

/** A kind that stores lists of members found by arguments. */
export interface ListKind<T = unknown> extends StoredKind<T> {
  readonly stores: 'list';
  /** Makes the record of one list, where lists of this kind need records of their own. @internal */
  readonly records?: ((kind: ListKind, pk: string) => Ref) | undefined;
  /** The arguments of the list with this pk that do not only order, as text. @internal */
  filters(pk: string): Readonly<Record<string, string>>;
  /** How they decide on the members of the list. @internal */
  conditions(pk: string): ListConditions;
  /** Where the lists are read. @internal */
  readonly at: ListPlace;
  /** Of one list, as a value of its parent. @internal */
  readonly schema: Schema;
  /** True for maps. @internal */
  readonly keyed: boolean;
  /** The tables of the entities that members may be. @internal */
  readonly holds: readonly (string | object)[];
}

/** An entity class, as far as types and messages need it. */
export interface EntityClass<T extends object = object> {
  // any: a constructor's parameters are contravariant; only any accepts every entity class
  new (...args: any[]): T;
  readonly key: string;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly [KIND]: StoredKind;
}

/** Everything that may stand where a schema is expected: a kind, an entity class, a shorthand, a decoder, a literal. */
export type Schema = unknown;

/**
 * What a reader gets for a schema: entities are instances, arrays and objects are followed, decoders give what they
 * return, literals are widened.
 */
export type Denormalized<S> =
  S extends EntityClass<infer T>
    ? T
    : S extends StandardSchemaV1<unknown, infer Out>
      ? Out
      : S extends Kind<infer T>
        ? T
        : S extends readonly (infer M)[]
          ? [M] extends [never]
            ? unknown[]
            : Denormalized<M>[]
          : S extends abstract new (...args: never) => infer I
            ? I
            : S extends (...args: never) => infer R
              ? R
              : S extends string
                ? string
                : S extends number
                  ? number
                  : S extends boolean
                    ? boolean
                    : S extends object
                      ? { -readonly [K in keyof S]: Denormalized<S[K]> }
                      : S;
