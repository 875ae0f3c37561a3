/** The statics of an entity class that the library calls, and their default behavior. */
import type { EntityRelations } from './EntityDescriptor.ts';
import type { DepthLimit } from './ReaderDependentValue.ts';
import type { Args, EntityClass, Fields, NormalizedNode, Schema } from './schema.ts';
import type { StandardSchemaV1 } from './DecoderKind.ts';
import { isPlainObject, hasField } from './fieldOf.ts';
import { KIND } from './schema.ts';

/** The parameters of normalize; `next` continues with the input, or with another input, and returns the node. */
export type NormalizeParams = readonly [
  input: unknown,
  parent: unknown,
  key: string,
  args: Args,
  next: (input: unknown) => NormalizedNode,
];

/** The parameters of queryKey: the arguments, and three lookups. */
export type QueryKeyParams = readonly [
  args: Args,
  /** Finds the result of another schema by these arguments, or by others: an object with a `pk`. */
  queryKey: (schema: Schema, args?: Args) => { readonly pk: string } | undefined,
  /** The present value of an entity for readers, without a subscription to later changes. */
  getEntity: (schema: Schema, pk: string | number) => unknown,
  /** The entity with this value in an index. May be returned; changes of the index are followed. */
  getIndex: (field: string, value: unknown) => object,
];

/** When a record was known. `fetchedAt` is the order of issue; `date` and `expiresAt` are wall time in ms. */
export interface Meta {
  readonly fetchedAt: number;
  readonly date: number;
  readonly expiresAt: number;
}

/** The statics of an entity class; each may be overridden. */
export interface EntityStatics<T extends object = object> extends EntityClass<T> {
  readonly name: string;
  readonly prototype: T;
  /** A key that was written explicitly: in this class or a class above, or as an option. */
  readonly explicitKey: string | undefined;
  /** Further fields by which an entity can be found: `{username: 'ada'}`. */
  readonly indexes?: readonly string[];
  /** Related rows by foreign keys, as members. The code comes with the relation. */
  readonly relations?: Readonly<
    Record<string, { describeClass(Class: EntityStatics): EntityRelations }>
  >;
  /** The primary key of a record that may not be an instance yet. */
  pk(value: unknown, parent?: unknown, key?: string, args?: Args): unknown;
  /** May transform a record before the write; `undefined` deletes the entity. Must not change the input. */
  process(input: unknown, parent: unknown, key: string | undefined, args: Args): unknown;
  /** Merges a later record into the stored record; the returned fields are written. */
  merge(existing: Fields, incoming: Fields): Fields;
  /**
   * False: the response does not change the stored entity. Default: true. A class that overrides this bypasses
   * versioning.
   */
  shouldUpdate(existingMeta: Meta, incomingMeta: Meta, existing: Fields, incoming: Fields): boolean;
  /** True: the stored fields override the fields of the response. */
  shouldReorder(
    existingMeta: Meta,
    incomingMeta: Meta,
    existing: Fields,
    incoming: Fields,
  ): boolean;
  /** Makes the complete decision; calls the two methods above and `merge` unless overridden. */
  mergeWithStore(
    existingMeta: Meta,
    incomingMeta: Meta,
    existing: Fields,
    incoming: Fields,
  ): Fields;
  /** The times at which a stored entity was fetched and expires, after a merge with a later record. */
  mergeMetaWithStore(
    existingMeta: Meta,
    incomingMeta: Meta,
    existing: Fields,
    incoming: Fields,
  ): Meta;
  /**
   * An override makes the instance for readers from all fields; undefined: incomplete, so readers that require the
   * entity refetch. Default: `fromJS(fields)`, never undefined.
   */
  createIfValid(fields: Fields): unknown;
  /** Runs before all other processing of an input; returns the result of `next`. */
  normalize(...params: NormalizeParams): NormalizedNode;
  /** The value for readers in the place of the instance. */
  denormalize(entity: unknown): unknown;
  /** The primary key for arguments, or the result of an index; undefined: nothing is known before a response. */
  queryKey(...callArgs: QueryKeyParams): unknown;
  /** The greatest depth, the outermost entity being 1, at which nested entities are resolved, not only keys. */
  readonly maxEntityDepth?: DepthLimit | number;
  /** The default instance. */
  readonly defaults: object;
  /** A returned text rejects the complete response with status 400. */
  readonly validate: ((record: Fields) => string | undefined) | StandardSchemaV1;
}

type StaticsWithFromJS = EntityStatics & { fromJS(fields: Fields): Fields };
type Identified = { pk(this: unknown, ...params: unknown[]): unknown };

export const defaultStatics = {
  pk(this: StaticsWithFromJS, value: unknown, ...params: unknown[]): unknown {
    return (this.prototype as Identified).pk.apply(value, params);
  },

  /** A copy, so that an override that calls `super.process()` may change the result. */
  process: (input: unknown): unknown => (isPlainObject(input) ? { ...input } : input),

  validate: (): string | undefined => undefined,

  /** Fields of the incoming record override stored fields. */
  merge: (existing: Fields, incoming: Fields): Fields => ({ ...existing, ...incoming }),

  shouldUpdate: (): boolean => true,

  shouldReorder: (existing: Meta, incoming: Meta): boolean =>
    incoming.fetchedAt < existing.fetchedAt,

  /** Calls shouldUpdate, then shouldReorder, then merge. */
  mergeWithStore(this: StaticsWithFromJS, was: Meta, is: Meta, old: Fields, next: Fields): Fields {
    if (!this.shouldUpdate(was, is, old, next)) return old;
    return this.shouldReorder(was, is, old, next) ? this.merge(next, old) : this.merge(old, next);
  },

  mergeMetaWithStore(
    this: StaticsWithFromJS,
    was: Meta,
    is: Meta,
    old: Fields,
    next: Fields,
  ): Meta {
    return this.shouldReorder(was, is, old, next) ? was : is;
  },

  createIfValid(this: StaticsWithFromJS, fields: Fields): Fields | undefined {
    return this.fromJS(fields);
  },

  normalize: (...[input, , , , next]: NormalizeParams): NormalizedNode => next(input),

  denormalize: (entity: unknown): unknown => entity,

  /** The primary key in the arguments, else the first index that the arguments name. */
  queryKey(this: StaticsWithFromJS, ...[args, , , getIndex]: QueryKeyParams): unknown {
    const pk = (this[KIND] as unknown as { pkInArgs(args: Args): string | undefined }).pkInArgs(
      args,
    );
    const [first] = args as readonly Fields[];
    if (pk !== undefined || first === null || typeof first !== 'object') return pk;
    const field = this.indexes?.find((name) => hasField(first, name));
    return field && getIndex(field, first[field]);
  },
};

/** True if a class overrides the static. */
export function isOverridden(Class: object, name: keyof typeof defaultStatics): boolean {
  return Reflect.get(Class, name) !== defaultStatics[name];
}
