/** Entity, the base class of records with a primary key, and EntityMixin, which makes an entity class of any class. */
import { checkArgument, checkOptions, DEV } from '../errors.ts';
import { assignStoredFields, PK_FIELD } from './EntityDescriptor.ts';
import { makeGettersAssignable, memberOf, defineOwn } from './fieldOf.ts';
import { EntityKind } from './EntityKind.ts';
import type { EntityStatics, Meta, NormalizeParams, QueryKeyParams } from './EntityStatics.ts';
import type { DepthLimit } from './ReaderDependentValue.ts';
import { defaultStatics } from './EntityStatics.ts';
import { KIND } from './schema.ts';
import type { Args, Fields, Schema, StoredKind } from './schema.ts';
import type { DefaultArgs } from './SchemaArgs.ts';

/** The methods of an entity instance beside the members of the class. */
export interface EntityInstance {
  /** The primary key: `id` by default. `undefined`, `''` and `NaN` mean that there is none. */
  pk(parent?: unknown, key?: string, args?: DefaultArgs): string | number | undefined;
}

/** The options of `EntityMixin`. */
export interface EntityOptions {
  /** The field that is the primary key, or a function of a record. Default: `id`. */
  // any: a function of the user's own record type must fit
  readonly pk?: string | ((value: any, parent?: any, key?: string, args?: Args) => unknown);
  /** The name of the table, needed if two builds or two stores must agree on the name. Default: the class itself. */
  readonly key?: string;
  /** Nested members: entities, lists, objects, decoders. */
  readonly schema?: Readonly<Record<string, Schema>>;
}

// any: TypeScript requires any[] for a mixin's base class
type Constructor = abstract new (...args: any[]) => object;
type ConcreteConstructor = new (...args: any[]) => object; // any: as above

const kinds = new WeakMap<object, EntityKind>();

/** Statics that a base class may define, overridden by the options. */
type InheritedStatics = Partial<Pick<EntityStatics, 'key' | 'explicitKey' | 'schema'>>;

/**
 * An entity class on top of `Base`; the instance fields are the defaults:
 * `class Todo extends EntityMixin(TodoData, {pk: 'slug'}) {}`. A `pk()` of the base stays the primary key, and the
 * base's statics (`key`, `schema`, `process`, `merge`, `validate`…) stay in effect, unless overridden by the options.
 */
export function EntityMixin<B extends ConcreteConstructor>(
  Base: B,
  options: EntityOptions = {},
): B & Mixed<InstanceType<B>> {
  if (DEV) checkArgument(typeof Base === 'function', 'EntityMixin', Base, 'a class');
  if (DEV) checkOptions(options, {}, 'pk key schema');
  const { pk = 'pk' in Base.prototype ? undefined : 'id', key, schema } = options;
  const statics = Base as InheritedStatics;
  /** The key in the options or the base. */
  const declaredKey = () => key ?? ('explicitKey' in statics ? statics.explicitKey : statics.key);
  abstract class EntityBase extends (Base as Constructor) {
    static get key(): string {
      return declaredKey() ?? this.name;
    }

    /** A key that was written explicitly: in this class, or as a static of a class above. */
    static get explicitKey(): string | undefined {
      for (let at: object | null = this; at !== EntityBase && at !== null;) {
        if (Object.hasOwn(at, 'key')) return this.key;
        at = Object.getPrototypeOf(at) as object | null;
      }
      return declaredKey();
    }

    static get [KIND](): EntityKind {
      let kind = kinds.get(this);
      if (kind === undefined) kinds.set(this, (kind = new EntityKind(this as never)));
      return kind;
    }

    static get defaults(): object {
      return this[KIND].defaults;
    }

    /** A local instance from some fields. */
    static fromJS(this: new () => object, fields: Fields = {}): object {
      const kind = (this as unknown as EntityStatics)[KIND] as EntityKind;
      const instance = kind.createDefault();
      assignStoredFields(instance, fields, kind.descriptor.computedFields);
      return instance;
    }
  }
  const defaults: Fields = { schema: {}, ...defaultStatics };
  for (const name in defaults) {
    if (!(name in Base)) Reflect.set(EntityBase, name, defaults[name]);
  }
  if (schema !== undefined) defineOwn(EntityBase, 'schema', schema);
  if (pk !== undefined) {
    const readPk = function (this: object, ...params: readonly unknown[]) {
      return typeof pk === 'function' ? pk(this, ...(params as [])) : memberOf(this, pk);
    };
    defineOwn(EntityBase.prototype, 'pk', readPk, false);
    defineOwn(EntityBase, 'pk', defaults['pk']);
    // members of Object.prototype are no keys
    if (typeof pk !== 'function' && !(pk in Object.prototype)) Reflect.set(readPk, PK_FIELD, pk);
  }
  makeGettersAssignable(EntityBase);
  if (key === undefined) defineOwn(EntityBase, 'name', Base.name, false);
  return EntityBase as never;
}

/** The statics and methods that the mixin adds, typed so that subclasses keep their own instance type. */
export interface Mixed<T extends object> {
  new (...args: any[]): T & EntityInstance; // any: as above
  readonly key: string;
  readonly explicitKey: string | undefined;
  readonly [KIND]: StoredKind;
  schema: Readonly<Record<string, Schema>>;
  /** Further fields by which an entity can be found: `static indexes = ['username'] as const`. */
  readonly indexes?: readonly string[];
  /** Related rows by foreign keys, as members: `static relations: Relations<Post> = { author: belongsTo(…) }`. */
  readonly relations?: object;
  /** The greatest depth at which nested entities are resolved: `depthLimit(3)`. A number alone limits nothing. */
  readonly maxEntityDepth?: DepthLimit | number;
  pk(value: any, parent?: any, key?: string, args?: any): unknown; // any: overrides narrow the parameters
  // any: as above, and a caller of `super.process` uses members that are known to exist
  process(input: any, parent: any, key: string | undefined, args: any): any;
  merge(existing: any, incoming: any): any; // any: as above
  // any begin: as above; an override declares the members of each Meta that are read, and passes the Meta on
  shouldUpdate(existingMeta: any, incomingMeta: any, existing: any, incoming: any): boolean;
  shouldReorder(existingMeta: any, incomingMeta: any, existing: any, incoming: any): boolean;
  mergeWithStore(existingMeta: any, incomingMeta: any, existing: any, incoming: any): any;
  mergeMetaWithStore(existingMeta: any, incomingMeta: any, existing: any, incoming: any): Meta;
  // any end
  createIfValid(fields: any): any; // any: as above
  // any: as above
  normalize(input: any, parent: any, key: string, args: any, next: NormalizeParams[4]): unknown;
  denormalize(entity: any): any; // any: as above
  // any: as above
  queryKey(
    args: DefaultArgs,
    queryKey: QueryKeyParams[1],
    getEntity: QueryKeyParams[2],
    getIndex: QueryKeyParams[3],
  ): unknown;
  /** The default instance; the same each time, frozen in development. */
  readonly defaults: any; // any: a static property cannot follow the subclass
  validate(record: any): string | undefined; // any: as above
  // twice: with overloads, TypeScript compares an override without the type parameter
  fromJS<E extends abstract new (...args: any) => object>( // any: as above
    this: E,
    fields?: Partial<InstanceType<E>>,
  ): InstanceType<E>;
  fromJS<E extends abstract new (...args: any) => object>( // any: as above
    this: E,
    fields?: Partial<InstanceType<E>>,
  ): InstanceType<E>;
}

/**
 * Extend this class and give each field a default; `id` is the primary key unless `pk()` is overridden.
 * `static schema` names the nested members.
 *
 * ```ts
 * class Todo extends Entity {
 *   id = 0;
 *   title = '';
 *   author = User.fromJS();
 *   static schema = { author: User };
 * }
 * ```
 */
export const Entity: Mixed<object> = EntityMixin(class {});
export type Entity = EntityInstance;
