/** The collection with the type parameters of Data Client. */
import { ArraySchema } from '../schema/ArraySchema.ts';
import { Collection as OwnCollection } from '../schema/Collection.ts';
import type { CollectionSchema } from '../schema/Collection.ts';
import { makeGettersAssignable } from '../schema/fieldOf.ts';
import type { Choice, Union } from '../schema/Union.ts';
import type { EntityClass, Schema } from '../schema/schema.ts';

// any begin: arguments, parents and rows are of the application's own types
type DefaultArgs = [urlParams?: any, body?: any];

/** The options of a Collection: the identity of lists, and which lists a created row enters. */
export interface CollectionOptions<A extends any[] = DefaultArgs, Parent = any> {
  readonly argsKey?: (...args: A) => Record<string, any>;
  readonly nestKey?: (parent: Parent, key: string) => Record<string, any>;
  readonly nonFilterArgumentKeys?: ((name: string) => boolean) | readonly string[] | RegExp;
  readonly createCollectionFilter?: (
    ...args: A
  ) => (collectionKey: Record<string, string>) => boolean;
}

/** `new Collection([Todo], options)`; subclasses may override `argsKey`, `nestKey` and the filters as methods. */
export interface CollectionConstructor {
  // one signature: a class that extends several cannot be generic
  new <
    S extends CollectionSchema | ArraySchema<any, any> = any,
    A extends any[] = DefaultArgs,
    Parent = any,
  >(
    schema: S,
    options?: CollectionOptions<A, Parent>,
  ): Assignable<Collection<Shorthand<S>, A, Parent>>;
  readonly prototype: Collection;
}

/** The schema of a collection; of `new schema.Array(Todo)`, `[Todo]`. */
type Shorthand<S> =
  S extends ArraySchema<infer M, infer C>
    ? C extends Choice
      ? M extends Readonly<Record<string, EntityClass>>
        ? Union<M>[]
        : never
      : M[]
    : S extends CollectionSchema
      ? S
      : never;

/** A list entity with the arguments of the request as identity: `new Collection([Todo], options)`. */
export type Collection<
  S extends CollectionSchema = any,
  A extends any[] = DefaultArgs,
  _Parent = any,
> = OwnCollection<S, A>;

/** Subclasses may assign the schemas of list changes: `this.push = this.addWith(unshift)`. */
type Assignable<C extends OwnCollection<any, any>> = C & {
  get push(): C['push'];
  set push(change: any);
  get unshift(): C['unshift'];
  set unshift(change: any);
  get assign(): C['assign'];
  set assign(change: any);
  get remove(): C['remove'];
  set remove(change: any);
  get move(): C['move'];
  set move(change: any);
};
// any end

const CHANGES = ['push', 'unshift', 'assign', 'remove', 'move'] as const;
// the first collection changes the class: a statement here would stay in every bundle
let areChangesAssignable = false;

function makeChangesAssignable(): void {
  areChangesAssignable = true;
  const { prototype } = CollectionWithMethods;
  for (const name of CHANGES) {
    const descriptor = Object.getOwnPropertyDescriptor(OwnCollection.prototype, name);
    Object.defineProperty(prototype, name, { ...descriptor, configurable: true });
  }
  makeGettersAssignable(prototype);
}

class CollectionWithMethods extends OwnCollection<CollectionSchema> {
  constructor(schema: CollectionSchema, options: CollectionOptions = {}) {
    if (!areChangesAssignable) makeChangesAssignable();
    const overrides = new.target.prototype as unknown as CollectionOptions;
    super(toShorthand(schema), { ...methodsIn(overrides), ...options });
  }
}

/** `new schema.Array(Todo)` is `[Todo]`. */
function toShorthand(schema: CollectionSchema | ArraySchema<Schema>): CollectionSchema {
  return schema instanceof ArraySchema ? [schema.member] : schema;
}

const NAMES = ['argsKey', 'nestKey', 'createCollectionFilter'] as const;

/** The options that a subclass declares as methods. */
function methodsIn(prototype: CollectionOptions): CollectionOptions {
  return Object.fromEntries(
    NAMES.flatMap((name) => {
      const method = prototype[name];
      return method === undefined ? [] : [[name, method]];
    }),
  );
}

/** A list entity with the arguments of the request as identity: `new Collection([Todo], options)`. */
export const Collection: CollectionConstructor = CollectionWithMethods as never;

// any begin: rows of every type
/** The rows of a list with entering rows at the front: `this.move = this.moveWith(unshift)`. */
export const unshift = (existing: any, incoming: any): any[] => [...incoming, ...existing];
// any end
