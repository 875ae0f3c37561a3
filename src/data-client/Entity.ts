/** Entity classes with the signatures of Data Client: statics that override each other, lookups of `queryKey`. */
import { EntityMixin as createOwnEntity } from '../schema/Entity.ts';
import type { EntityInstance, EntityOptions as OwnEntityOptions, Mixed } from '../schema/Entity.ts';
import { defaultStatics } from '../schema/EntityStatics.ts';
import type { QueryKeyParams } from '../schema/EntityStatics.ts';
import type { DefaultArgs } from '../schema/SchemaArgs.ts';
import { defineOwn, hasField } from '../schema/fieldOf.ts';
import { KIND, INVALID } from '../schema/schema.ts';
import type { Args, Fields } from '../schema/schema.ts';
import type { AbstractInstanceType } from './EndpointInterface.ts';
import { lenientKindOf } from './lenientKindOf.ts';

// any begin: overrides declare the types of records, arguments and lookups themselves
/** The statics of an entity class; each may be overridden. */
export interface OverridableStatics extends Omit<
  Mixed<object>,
  'denormalize' | 'fromJS' | 'process' | 'queryKey' | 'validate'
> {
  process(input: any, parent: any, key: string | undefined, args?: any): any;
  /** The value for readers in the place of the instance. Further parameters of older versions are undefined. */
  denormalize(entity: any, ...older: any[]): any;
  /** The primary key for arguments; undefined: nothing is known before a response. */
  queryKey(args: DefaultArgs, ...lookups: any[]): any;
  /** `queryKey` in older versions, with the tables of the store as parameters. */
  infer(args: DefaultArgs, ...tables: any[]): any;
  /** `shouldUpdate` in older versions. */
  useIncoming(existingMeta: any, incomingMeta: any, existing: any, incoming: any): boolean;
  /** Wall time in milliseconds. Has no effect: an entity expires with the response. */
  expiresAt?(meta: any, input: any): number;
  validate(record: any): any;
  // twice: with overloads, TypeScript compares an override without the type parameter
  fromJS<T extends abstract new (...args: any) => object>(
    this: T,
    fields?: Partial<AbstractInstanceType<T>>,
  ): AbstractInstanceType<T>;
  fromJS<T extends abstract new (...args: any) => object>(
    this: T,
    fields?: Partial<AbstractInstanceType<T>>,
  ): AbstractInstanceType<T>;
}

/** The class that entities extend, and each entity class. */
export type EntityConstructor = (new (...args: any[]) => EntityInstance) & OverridableStatics;

/** The lifecycle of entities as options of `EntityMixin`. */
type Lifecycle = Partial<
  Pick<
    OverridableStatics,
    | 'process'
    | 'merge'
    | 'expiresAt'
    | 'createIfValid'
    | 'mergeWithStore'
    | 'mergeMetaWithStore'
    | 'validate'
    | 'shouldReorder'
    | 'shouldUpdate'
    | 'useIncoming'
    | 'indexes'
  >
>;

/** The options of `EntityMixin`. */
export interface EntityOptions extends OwnEntityOptions, Lifecycle {}

/** An entity class on top of `Base`; the instance fields of `Base` are the defaults. */
export function EntityMixin<B extends new (...args: any[]) => object>(
  Base: B,
  options: EntityOptions = {},
): B & (new (...args: any[]) => InstanceType<B> & EntityInstance) & OverridableStatics {
  const { pk, key, schema, ...lifecycle } = options;
  const identity = {
    ...(pk !== undefined && { pk }),
    ...(key !== undefined && { key }),
    ...(schema !== undefined && { schema }),
  };
  const Class = withLookups(createOwnEntity(Base, identity));
  for (const [name, value] of Object.entries(lifecycle)) defineOwn(Class, name, value);
  return Class;
}
// any end

/** The class. Overrides of older versions in subclasses are adapted when a subclass is first used. */
function withLookups<C extends object>(
  Class: C,
): C & Pick<OverridableStatics, 'infer' | 'useIncoming'> {
  if (Reflect.get(Class, 'queryKey') === defaultStatics.queryKey)
    Reflect.set(Class, 'queryKey', defaultQueryKey);
  defineOwn(Class, 'infer', defaultInfer);
  defineOwn(Class, 'useIncoming', defaultStatics.shouldUpdate);
  return Object.defineProperty(Class as never, KIND, {
    configurable: true,
    get(this: object) {
      adaptQueryKey(this);
      adaptUseIncoming(this);
      return lenientKindOf(this);
    },
  });
}

/** An override of `useIncoming` decides as `shouldUpdate`, unless that is overridden, too. */
function adaptUseIncoming(Class: object): void {
  const decide: unknown = Reflect.get(Class, 'useIncoming');
  const { shouldUpdate: byDefault } = defaultStatics;
  if (decide !== byDefault && Reflect.get(Class, 'shouldUpdate') === byDefault)
    Object.defineProperty(Class, 'shouldUpdate', { value: decide, configurable: true });
}

/** Extend this class and give each field a default; `id` is the primary key unless `pk()` is overridden. */
export const Entity: EntityConstructor = withLookups(createOwnEntity(class {}));
export type Entity = EntityInstance;

/** True for an entity class. */
export function isEntity(schema: unknown): schema is EntityConstructor {
  return typeof schema === 'function' && KIND in schema;
}

/*
 *   until 0.9         infer(args, indexes, recurse, entities)
 *                       indexes[key][field][value]              the pk
 *                       entities[key][pk]                       the entity
 *   until 0.14        queryKey(args, queryKey, getEntity, getIndex)
 *                       getEntity(key, pk)                      the entity
 *                       getIndex(key, field, value)             { [value]: pk }
 *   since 0.15        queryKey(args, unvisit, delegate)
 *                       delegate.getEntity(key, pk)             the entity
 *                       delegate.getIndex(key, field, value)    the pk
 */

type QueryKey = (this: EntityWithKey, args: Args, ...lookups: readonly unknown[]) => unknown;

interface EntityWithKey {
  readonly key: string;
  readonly queryKey: QueryKey;
  readonly infer: QueryKey;
}

/** The result of an index: the entities, the first of which readers see. */
interface IndexResult {
  readonly records?: Iterable<{ readonly pk: string }>;
}

const adapted = new WeakSet();
/** By the function that an override receives, and passes to `super.queryKey`. */
const lookupsOf = new WeakMap<object, Lookups>();

/** Wraps the override of a class, once: of `queryKey`, else of `infer`. */
function adaptQueryKey(Class: object): void {
  const { queryKey, infer } = Class as EntityWithKey;
  if (adapted.has(queryKey)) return;
  const isInferred = queryKey === defaultQueryKey && infer !== defaultInfer;
  if (queryKey === defaultQueryKey && !isInferred) return;
  const wrapped: QueryKey = function (args, ...params) {
    const isCalledBySubclass = lookupsOf.has(params[1] as object);
    if (isCalledBySubclass) return queryKey.call(this, args, ...params);
    const lookups = new Lookups(this, [args, ...params] as unknown as QueryKeyParams);
    return isInferred ? lookups.callInfer(infer) : lookups.call(queryKey);
  };
  adapted.add(wrapped);
  Object.defineProperty(Class, 'queryKey', { value: wrapped, configurable: true, writable: true });
}

/** The default static: the primary key in the arguments, else that of an index. */
function defaultQueryKey(this: object, ...params: QueryKeyParams): unknown {
  const Class = this as never;
  const lookups = lookupsOf.get(params[2]);
  const own = lookups?.own ?? params;
  const [args] = params;
  const found = defaultStatics.queryKey.call(Class, args, own[1], own[2], own[3]);
  return lookups === undefined || typeof found !== 'object' || found === null
    ? found
    : lookups.pkIn(found);
}

/** The default of `infer`: as `queryKey`. Only the tables of a call contain anything. */
function defaultInfer(this: object, args: Args, indexes: object = {}): unknown {
  const lookups = lookupsOf.get(indexes);
  const [, find, get, findByIndex] = lookups?.own ?? NO_LOOKUPS;
  const delegate = lookups === undefined ? get : indexes;
  return defaultQueryKey.call(this, args, find, delegate as never, findByIndex);
}

const findNothing = (): never => undefined as never;
const NO_LOOKUPS: QueryKeyParams = [[], findNothing, findNothing, findNothing];

/** The lookups of a single call of an override. */
class Lookups {
  readonly own: QueryKeyParams;
  readonly #Class: EntityWithKey;
  readonly #indexes = new Map<unknown, object>();
  #lastIndex: object | undefined;

  constructor(Class: EntityWithKey, own: QueryKeyParams) {
    this.#Class = Class;
    this.own = own;
  }

  /** The primary key of the entity that an index shows; the index is followed if that key is the result. */
  pkIn(index: object | undefined): string | undefined {
    this.#lastIndex = index;
    const { records = [] }: IndexResult = index ?? {};
    const [first] = records;
    if (first === undefined || index === undefined) return undefined;
    this.#indexes.set(first.pk, index);
    return first.pk;
  }

  /** The result of the override. Without an entity in the index, readers wait for the first entity there. */
  call(queryKey: QueryKey): unknown {
    const [args, find, get, findByIndex] = this.own;
    const Class = this.#Class;
    const getIndex = (_key: unknown, field: string, value: unknown) =>
      this.pkIn(findByIndex(field, value));
    const getEntity = (key: unknown, pk: string | number) => {
      const schema = key === Class.key ? Class : key;
      return typeof schema === 'string' ? undefined : get(schema, pk);
    };
    const delegate = Object.assign(getEntity, { getEntity, getIndex, INVALID });
    lookupsOf.set(delegate, this);
    const unvisit = (schema: unknown, keyArgs: Args = args) => find(schema, keyArgs)?.pk;
    const getTable = (key: unknown, field: string, value: unknown) => ({
      [String(value)]: getIndex(key, field, value),
    });
    return this.#followed(queryKey.call(Class, args, unvisit, delegate, getTable));
  }

  /** As `call`, for an override of `infer`. */
  callInfer(infer: QueryKey): unknown {
    const [args, find, get, findByIndex] = this.own;
    const Class = this.#Class;
    const indexes = tableOf(() =>
      tableOf((field) => tableOf((value) => this.pkIn(findByIndex(field, value)))),
    );
    const entities = tableOf((key) =>
      tableOf((pk) => (key === Class.key ? get(Class, pk) : undefined)),
    );
    lookupsOf.set(indexes, this);
    const recurse = (schema: unknown, keyArgs: Args = args) => find(schema, keyArgs)?.pk;
    return this.#followed(infer.call(Class, args, indexes, recurse, entities));
  }

  #followed(pk: unknown): unknown {
    if (pk === INVALID) return undefined;
    return pk === undefined ? this.#lastIndex : (this.#indexes.get(pk) ?? pk);
  }
}

/** An object with members that a function reads. */
function tableOf(read: (name: string) => unknown): object {
  return new Proxy(
    {},
    { get: (_, name) => (typeof name === 'string' ? read(name) : undefined), has: () => true },
  );
}

/**
 * `static validate(record) { return validateRequired(record, this.defaults) || super.validate(record); }`: a message if
 * a field of `required` is absent, else undefined.
 */
// any: records of every type
export function validateRequired(record: any, required: object): string | undefined {
  const missing = Object.keys(required).filter((name) => !hasField(record as Fields, name));
  if (missing.length === 0) return undefined;
  return `Missing key ${missing.join(', ')}. Value: ${JSON.stringify(record, undefined, 2)}`;
}
