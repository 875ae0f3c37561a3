/** Entity classes with the signatures of Data Client: statics that override each other, lookups of `queryKey`. */
import { EntityMixin as createOwnEntity } from '../schema/Entity.ts';
import type { EntityInstance, EntityOptions as OwnEntityOptions, Mixed } from '../schema/Entity.ts';
import { defineOwn } from '../schema/fieldOf.ts';
import { defaultStatics } from '../schema/EntityStatics.ts';
import { KIND } from '../schema/schema.ts';
import type { DefaultArgs } from '../schema/SchemaArgs.ts';
import type { AbstractInstanceType } from './EndpointInterface.ts';
import { adaptQueryKey, defaultInfer, defaultQueryKey } from './adaptQueryKey.ts';

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
  /** Wall time in milliseconds. Has no effect: an entity expires with its response. */
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

/** An entity class on top of `Base`; its instance fields are the defaults. */
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

/** The class. Overrides of older versions in its subclasses are adapted when a subclass is first used. */
function withLookups<C extends object>(
  Class: C,
): C & Pick<OverridableStatics, 'infer' | 'useIncoming'> {
  const { get } = Object.getOwnPropertyDescriptor(Class, KIND) as { get: () => unknown };
  if (Reflect.get(Class, 'queryKey') === defaultStatics.queryKey)
    Reflect.set(Class, 'queryKey', defaultQueryKey);
  defineOwn(Class, 'infer', defaultInfer);
  defineOwn(Class, 'useIncoming', defaultStatics.shouldUpdate);
  return Object.defineProperty(Class as never, KIND, {
    configurable: true,
    get(this: object) {
      adaptQueryKey(this);
      adaptUseIncoming(this);
      return get.call(this);
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
