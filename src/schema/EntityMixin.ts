/** Makes an entity class of any class: the statics that every entity has, and `pk()`. */
import { adopt } from './accessors.ts';
import { assignable } from './assignable.ts';
import { EntityKind } from './EntityKind.ts';
import type { EntityStatics, Meta, ToNormalize, ToQuery } from './EntityStatics.ts';
import { memberOf } from './memberOf.ts';
import { overridable } from './overridable.ts';
import { notePkField } from './pkFieldOf.ts';
import { KIND } from './schema.ts';
import type { Args, Fields, Schema, StoredKind } from './schema.ts';

/** What an entity instance can do beside what its class declares. */
export interface EntityInstance {
  /** The primary key: `id`, unless the class says otherwise. `undefined`, `null`, `''` and `NaN` mean there is none. */
  pk(parent?: unknown, key?: string, args?: Args): string | number | undefined | null;
}

/** What `EntityMixin` takes beside the class. */
export interface EntityOptions {
  /** The field that is the primary key, or a function of a record. Default: `id`. */
  // any: a function of the user's own record type must fit
  readonly pk?: string | ((value: any, parent?: any, key?: string, args?: Args) => unknown);
  /** Names the table, where two builds or two stores must agree on it. Default: the class itself. */
  readonly key?: string;
  /** Nested members: entities, lists, objects, decoders. */
  readonly schema?: Readonly<Record<string, Schema>>;
}

// any: TypeScript demands any[] of a mixin's base class
type Constructor = abstract new (...args: any[]) => object;
type ConcreteConstructor = new (...args: any[]) => object; // any: as above

const kinds = new WeakMap<object, EntityKind>();

/**
 * An entity class on top of `Base`, whose instance fields carry the defaults:
 * `class Todo extends EntityMixin(TodoData, {pk: 'slug'}) {}`.
 */
export function EntityMixin<B extends ConcreteConstructor>(
  Base: B,
  options: EntityOptions = {},
): B & Mixed<InstanceType<B>> {
  const { pk = 'id', key, schema = {} } = options;
  abstract class EntityBase extends (Base as Constructor) {
    static schema: Readonly<Record<string, Schema>> = schema;

    static get key(): string {
      return key ?? this.name;
    }

    /** A key that somebody wrote: here, or as a static of a class above. */
    static get explicitKey(): string | undefined {
      for (let at: object | null = this; at !== EntityBase && at !== null;) {
        if (Object.hasOwn(at, 'key')) return this.key;
        at = Object.getPrototypeOf(at) as object | null;
      }
      return key;
    }

    static get [KIND](): EntityKind {
      let kind = kinds.get(this);
      if (kind === undefined) kinds.set(this, (kind = new EntityKind(this as never)));
      return kind;
    }

    static get defaults(): object {
      return this[KIND].defaults;
    }

    /** A local instance from part of its fields. */
    static fromJS(this: new () => object, fields: Fields = {}): object {
      const kind = (this as unknown as EntityStatics)[KIND] as EntityKind;
      const instance = kind.fresh();
      adopt(instance, fields, kind.plan.shadowed);
      return instance;
    }

    pk(parent?: unknown, name?: string, args?: Args): unknown {
      return typeof pk === 'function' ? pk(this, parent, name, args) : memberOf(this, pk);
    }
  }
  if (typeof pk !== 'function') notePkField(EntityBase.prototype, pk);
  Object.assign(EntityBase, overridable);
  assignable(EntityBase);
  if (key === undefined) Object.defineProperty(EntityBase, 'name', { value: Base.name });
  return EntityBase as never;
}

/** The statics and methods that the mixin adds, typed so that subclasses keep their own instance type. */
export interface Mixed<T extends object> {
  new (...args: any[]): T & EntityInstance; // any: as above
  readonly key: string;
  readonly explicitKey: string | undefined;
  readonly [KIND]: StoredKind;
  schema: Readonly<Record<string, Schema>>;
  /** Fields by which an entity can be found, too: `static indexes = ['username'] as const`. */
  readonly indexes?: readonly string[];
  /** How many entities deep one may stand, and still show those inside of it: beyond, their primary keys. */
  readonly maxEntityDepth?: number;
  pk(value: any, parent?: any, key?: string, args?: any): unknown; // any: overriding narrows them
  // any: as above, and who calls `super.process` goes on with the members that it knows to be there
  process(input: any, parent: any, key: string | undefined, args: any): any;
  merge(existing: any, incoming: any): any; // any: as above
  // any begin: as above; of each Meta an override declares what it reads, and passes it on whole
  shouldUpdate(existingMeta: any, incomingMeta: any, existing: any, incoming: any): boolean;
  shouldReorder(existingMeta: any, incomingMeta: any, existing: any, incoming: any): boolean;
  mergeWithStore(existingMeta: any, incomingMeta: any, existing: any, incoming: any): any;
  mergeMetaWithStore(existingMeta: any, incomingMeta: any, existing: any, incoming: any): Meta;
  // any end
  createIfValid(fields: any): any; // any: as above
  // any: as above
  normalize(input: any, parent: any, key: string, args: any, next: ToNormalize[4]): unknown;
  denormalize(entity: any): any; // any: as above
  // any: as above
  queryKey(args: any, queryKey: ToQuery[1], getEntity: ToQuery[2], getIndex: ToQuery[3]): unknown;
  /** The default instance; the same each time, frozen in development. */
  readonly defaults: any; // any: a static property cannot follow the subclass
  validate(record: any): string | undefined; // any: as above
  fromJS<E extends abstract new (...args: any) => object>( // any: as above
    this: E,
    fields?: Partial<InstanceType<E>>,
  ): InstanceType<E>;
}
