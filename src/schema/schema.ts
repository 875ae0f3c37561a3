/** The interface of every schema kind, and the two ports through which kinds reach stored records. */
import type { NamedEndpoint } from './badDataError.ts';
import type { EntityKind } from './EntityKind.ts';
import { Comparable, equal } from './equal.ts';
import type { FilterValue, ListConditions } from './conditionsOf.ts';
import type { ListIdentity } from './ListIdentity.ts';
import type { StandardSchemaV1 } from './DecoderKind.ts';

/** Denormalize returns this for a record that is missing, deleted, or incomplete. */
export const INVALID: unique symbol = Symbol('signalbox.invalid');

/** A schema that is not a kind itself (an entity class) provides a kind under this name. */
export const KIND: unique symbol = Symbol('signalbox.kind');

/** Live objects give the underlying object under this name. */
export const LIVE: unique symbol = Symbol('signalbox.live');

/** A stored record, for `src/schema` an opaque identity. The records of the store extend this class. */
export abstract class Ref {
  declare protected readonly brand: 'Ref';
  abstract readonly pk: string;
  /**
   * True for an incomplete entity: a field that the class, or `kind`, requires was never received. A response to a
   * request for the entity itself (logical time `since`; -1: none) completes the entity, unless deleted after that.
   * @internal
   */
  lacksRequiredField?(since: number, kind?: Kind): boolean;
}

/** A node of a kind's own class that wraps another node. */
export abstract class Composite extends Comparable {
  abstract readonly inner: NormalizedNode;
  /** The same wrapper around another node. */
  withInner?(inner: NormalizedNode): Composite;
  /** A cache that makes the next read cheap, held only by readers. */
  derivedCache?(): object | undefined;
  /** True if different contents may give the same value, because a function derives the value. */
  declare readonly isDerived?: boolean;
}

/** A value without a schema: stored and compared, and never searched for records. */
export class OpaqueValue extends Composite {
  readonly inner = undefined;
  readonly value: object;

  constructor(value: object) {
    super();
    this.value = value;
  }

  equals(other: unknown): boolean {
    return other instanceof OpaqueValue && equal(this.value, other.value);
  }
}

/** Wraps objects of user data in `OpaqueValue`. Every other value is itself the node. */
export function wrapOpaque(value: unknown): NormalizedNode {
  return value !== null && typeof value === 'object' ? new OpaqueValue(value) : value;
}

export function unwrapOpaque(node: NormalizedNode): unknown {
  return node instanceof OpaqueValue ? node.value : node;
}

/**
 * The normalized form of a value under a schema: a `Ref` where the schema has an entity or a collection,
 * arrays and plain objects of nodes around them, raw values elsewhere. Only the kind that made a node reads the node.
 */
export type NormalizedNode = unknown;

/** The members of an object by name, as in JSON. */
export type Fields = Record<string, unknown>;
export type Args = readonly unknown[];

/** `fill`: the members are the complete list. `append`: the members are a further page of the list. */
export type ListFillMode = 'fill' | 'append';

/** Normalize stages results here, invisible to readers until the store commits the draft. */
export interface Sink {
  /** The record of this kind and identity, created empty if missing. `top`: no other entity contains the value. */
  ref(kind: StoredKind, pk: string, top?: boolean): Ref;
  /** Adds a temporary primary key to fields without a key. Absent if every entity must have a key from the server. */
  readonly addTempPk?: ((kind: EntityKind, fields: Fields, args: Args) => Fields) | undefined;
  /** Stages the fields of an entity; `nodes` are the nested members, in the order of the descriptor of `kind`. */
  put(ref: Ref, fields: Fields, nodes: readonly NormalizedNode[], kind: StoredKind): void;
  /** True for an entity that is confirmed as existing, regardless of optimistic writes. */
  exists(ref: Ref): boolean;
  /** Stages a deletion. */
  remove(ref: Ref): void;
  /** Stages the members of a list, in order; for a map, an object of members. `append`: behind the present ones. */
  fill(ref: Ref, members: NormalizedNode, mode?: ListFillMode): void;
  /** Stages the insertion, removal or move of members in the stored lists of `kind`. */
  stageListChange(kind: ListKind, entry: ListChangeOp): void;
}

/** Members that are inserted into, or removed from, the stored lists of a kind. */
export interface ListChangeOp {
  readonly members: readonly NormalizedNode[];
  /**
   * `start`, `end`: a member is inserted once, at that side, into each list with a matching filter. `out`: a member is
   * removed from each list that has the member, unless the arguments of the call contradict the filter of the list.
   * `move`: a member is removed from lists with a filter that no longer matches, and appended to lists with a filter
   * that now matches.
   */
  readonly op: 'start' | 'end' | 'out' | 'move';
  /** True for `start` and `end`: the members are created. */ readonly creates: boolean;
  /** Looks up the value of a filter argument, as text: `values[i]` belongs to `members[i]`. */
  readonly filterLookups: readonly ((name: string) => FilterValue)[];
  /** Decides by the filter arguments of a list alone; undefined: undecided. Replaces `filterLookups`. */
  readonly filter?:
    | ((filters: Readonly<Record<string, string>>) => boolean | undefined)
    | undefined;
  /** The address of the request, if the members enter the lists that are read at this address. */
  readonly listAddress?: string | object | undefined;
  /** The keys under which members enter maps: `keys[i]` belongs to `members[i]`. */
  readonly keys?: readonly string[] | undefined;
  /** Returns the new members of a list, replacing `start` and `end`. Takes arrays of refs, or objects of refs. */
  readonly merge?: ((existing: never, incoming: never) => unknown) | undefined;
}

/** Denormalize reads stored records through this interface. */
export interface Source {
  /** True if values are immutable: the same reference always has the same contents. @internal */
  readonly hasImmutableValues: boolean;
  /** The value of `ref` for readers, or INVALID. @internal */
  value(ref: Ref): unknown;
  /** @internal */ ref(kind: StoredKind, pk: string): Ref;
  /** The lookup of a value in the index of a field: a record that reads as the entity with this value. @internal */
  findByField(kind: StoredKind, field: string, value: string): Ref;
  /** The kind of `ref`. Defined only for reads in raw form, with primary keys instead of entities. @internal */
  kindOf?(ref: Ref): StoredKind;
  /** Defined only in raw form: called for a derived value, which has no raw form. @internal */
  rejectDerivedValue?(): unknown;
}

/** The context of a normalization. */
export interface NormalizeContext {
  /** @internal */ readonly sink: Sink;
  /** The arguments of the endpoint that returned the response. @internal */
  readonly args: Args;
  /** The endpoint, which messages name. @internal */
  readonly endpoint: NamedEndpoint | undefined;
  /** The depth of the call stack. Beyond a limit entities wait in `deferred`. @internal */
  callDepth: number;
  /** The innermost entity that contains the current value. @internal */
  enclosingEntity: Ref | undefined;
  /** True while the rows of a creation are normalized. @internal */ creates: boolean;
  /** True if the normalize() of the class has passed the input that is normalized next. @internal */
  isPassedByClass: boolean;
  /** @internal */ deferred: (() => void)[] | undefined;
  /** Inputs that were met beyond a small depth. Ends the walk of a cyclic input. @internal */
  seenInputs: Set<unknown> | undefined;
  /** Inputs that were normalized before, with their primary keys. Their fields are staged as given. */
  readonly knownPks: ReadonlyMap<unknown, string> | undefined;
  /** True if the input comes from the store or from `update`: primary keys may stand for entities, also at the top. */
  readonly mayHavePks: boolean | undefined;
}

/** The interface of each kind of schema. Shared code uses nothing else. */
export interface Kind<T = unknown> {
  /** Type only: the type of the value for readers. */
  readonly denormalizedType?: T;
  /** The name in messages: `Todo`, `[Todo]`, `{results: [Todo]}`. Equal titles mean equal structure. */
  readonly title: string;
  /** As a member with a truthy default, the value must exist for the parent to be complete. @internal */
  readonly mustExist?: boolean;
  /** Values of this kind are always complete: missing parts are left out. @internal */
  readonly alwaysComplete?: boolean;
  /** Values show keys of entities and none of their fields. @internal */
  readonly readsKeysOnly?: boolean;
  /** The value depends on the reader's arguments, or on the depth within entities. @internal */
  readonly dependsOnReader?: boolean;
  /** As a member of an entity, normalize is called for absent values, too. @internal */
  readonly normalizesAbsent?: boolean;
  /** The kind that replaces this kind, if any, as a member of an entity; without `name`, within a member. @internal */
  bindToEntity?(entity: StoredKind, name?: string): Kind | undefined;
  /** The kinds directly inside. @internal */
  innerKinds?(): readonly Kind[];
  /** The classes of the entities that a response of this kind deletes. @internal */
  deletedEntities?(): readonly StoredKind[];
  /** The kind of this value, of several. @internal */
  chooseKind?(value: unknown): Kind | undefined;
  /** A copy with other kinds inside: only of kinds that may stand around a list that is read in pages. @internal */
  mapInner?(change: (inner: Schema) => Kind): Kind;
  normalize(input: unknown, parent: unknown, key: string, walk: NormalizeContext): NormalizedNode;
  denormalize(node: NormalizedNode, source: Source): unknown;
  /** The node that these arguments identify before any response; undefined: none. @internal */
  queryKey?(args: Args, source: Source): NormalizedNode | undefined;
  /** The node for primary keys in the shape of this kind. @internal */
  fromPks?(keys: unknown, source: Source): NormalizedNode | undefined;
  /** As `Ref.lacksRequiredField`, for the entities of a value, without the entities nested in these. @internal */
  hasIncomplete?(node: NormalizedNode, since: number): boolean;
  /** The stored lists that, concatenated, are the value of a node, if any. Not called for null. @internal */
  listRefs?(node: NormalizedNode): readonly Ref[] | undefined;
  /** The stored kind of a value, if the value is a single entity. @internal */
  storedKindOf?(value: unknown): StoredKind | undefined;
  /** The value for a reader with null arguments, and for a member absent from a response; absent: undefined. @internal */
  emptyValue?(): unknown;
}

/** A kind with a stored record per identity. */
export interface StoredKind<T = unknown> extends Kind<T> {
  /** The content of each record of the table. */
  readonly stores: 'entity' | 'list' | 'all';
  /** Identifies the table. All kinds with the same string share a table; a class or an object is unique. */
  readonly tableKey: string | object;
  /** The first of the kinds that share a table, each of which extends the previous kind. @internal */
  readonly rootKind?: StoredKind;
  /** Creates the table of a kind with a special table class; `tableOf` returns the tables of other kinds. @internal */
  readonly createTable?: (tableOf: (kind: StoredKind) => object) => object;
}

/** A kind that stores lists of members, identified by arguments. */
export interface ListKind<T = unknown> extends StoredKind<T> {
  readonly stores: 'list';
  /** Creates the record of a list, if lists of this kind need a record class of their own. @internal */
  readonly createRecord?: ((kind: ListKind, pk: string) => Ref) | undefined;
  // methods: applications without lists do not carry the rules
  /** The arguments of the list with this pk, as text, without arguments that only order. @internal */
  filterArgs(pk: string): Readonly<Record<string, string>>;
  /** The conditions by which these arguments decide on the members of the list. @internal */
  conditions(pk: string): ListConditions;
  /** Where the lists are read, and the identity of each. @internal */
  readonly listOrigin: ListIdentity;
  /** The schema of a list as a value of the parent. @internal */
  readonly schema: Schema;
  /** The kind of the members. @internal */
  readonly member: Kind;
  /** The kind of the maps, if the members have keys. @internal */
  readonly mapKind: Kind | undefined;
  /** True for maps. @internal */
  readonly isMap: boolean;
  /** The tables of the entities that can be members. @internal */
  readonly memberTableKeys: readonly (string | object)[];
}

/** An entity class, with the statics that types and messages need. */
export interface EntityClass<T extends object = object> {
  // any: a constructor's parameters are contravariant; only any accepts every entity class
  new (...args: any[]): T;
  readonly key: string;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly [KIND]: StoredKind;
}

/** Everything accepted as a schema: a kind, an entity class, a shorthand, a decoder, a literal. */
export type Schema = unknown;

/**
 * The type of a schema's value for readers: entities are instances, arrays and objects are followed, decoders give
 * their return type, literals are widened.
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
