/** The statics of an entity class, as the library asks them. */
import type { DepthLimit } from './depthLimit.ts';
import type { Args, EntityClass, Fields, Node, Schema } from './schema.ts';
import type { StandardSchemaV1 } from './StandardSchemaV1.ts';

/** What normalize is told; `next` goes on with the input, or with another one, and gives its node. */
export type ToNormalize = readonly [
  input: unknown,
  parent: unknown,
  key: string,
  args: Args,
  next: (input: unknown) => Node,
];

/** What queryKey is told: the arguments, and three ways to look further. */
export type ToQuery = readonly [
  args: Args,
  /** What another schema finds by these arguments, or by others: something with a `pk`. */
  queryKey: (schema: Schema, args?: Args) => { readonly pk: string } | undefined,
  /** An entity as readers see it now; what becomes of it later is not followed. */
  getEntity: (schema: Schema, pk: string | number) => unknown,
  /** Who has this value in one of the indexes; it may be returned, and is followed. */
  getIndex: (field: string, value: unknown) => object,
];

/** When a record was known to be so. `fetchedAt` is the order of issue; `date` and `expiresAt` are wall time in ms. */
export interface Meta {
  readonly fetchedAt: number;
  readonly date: number;
  readonly expiresAt: number;
}

/** The statics of an entity class; each may be overridden. */
export interface EntityStatics<T extends object = object> extends EntityClass<T> {
  readonly name: string;
  readonly prototype: T;
  readonly explicitKey: string | undefined;
  /** Fields by which an entity can be found, too: `{username: 'ada'}`. */
  readonly indexes?: readonly string[];
  /** The primary key of a record that may not be an instance yet. */
  pk(value: unknown, parent?: unknown, key?: string, args?: Args): unknown;
  /** May transform a record before it is written; `undefined` deletes the entity. Must not change its input. */
  process(input: unknown, parent: unknown, key: string, args: Args): unknown;
  /** How a later record meets the stored one; the fields it returns are written. */
  merge(existing: Fields, incoming: Fields): Fields;
  /** False: an answer changes nothing of a stored entity. */
  shouldUpdate(existingMeta: Meta, incomingMeta: Meta, existing: Fields, incoming: Fields): boolean;
  /** True: the stored fields go over those of the answer. */
  shouldReorder(
    existingMeta: Meta,
    incomingMeta: Meta,
    existing: Fields,
    incoming: Fields,
  ): boolean;
  /** All of the decision at once; asks the two above and `merge` unless it is overridden. */
  mergeWithStore(
    existingMeta: Meta,
    incomingMeta: Meta,
    existing: Fields,
    incoming: Fields,
  ): Fields;
  /** From when, and until when, a stored entity counts as known after a later record met it. */
  mergeMetaWithStore(
    existingMeta: Meta,
    incomingMeta: Meta,
    existing: Fields,
    incoming: Fields,
  ): Meta;
  /** The instance for readers, from all fields; undefined: the entity is not whole, whoever needs it asks again. */
  createIfValid(fields: Fields): unknown;
  /** Stands before everything else that is done with an input; gives what `next` gives. */
  normalize(...told: ToNormalize): Node;
  /** What readers get in the place of the instance. */
  denormalize(entity: unknown): unknown;
  /** The primary key that arguments stand for, or what an index finds; undefined: nothing is known before an answer. */
  queryKey(...told: ToQuery): unknown;
  /** How many entities deep, the outermost being 1, one may stand and still show more than keys of those inside of it. */
  readonly maxEntityDepth?: DepthLimit | number;
  /** The default instance. */
  readonly defaults: object;
  /** Text rejects the whole response with status 400. */
  readonly validate: ((record: Fields) => string | undefined) | StandardSchemaV1;
}
