/** Calls the `queryKey` of an entity class with the lookups of Data Client. */
import type { QueryKeyParams } from '../schema/EntityStatics.ts';
import { defaultStatics } from '../schema/EntityStatics.ts';
import { INVALID } from '../schema/schema.ts';
import type { Args } from '../schema/schema.ts';

/*
 *   until 0.9         infer(args, indexes, recurse, entities)
 *                       indexes[key][field][value]              its pk
 *                       entities[key][pk]                       the entity
 *   until 0.14        queryKey(args, queryKey, getEntity, getIndex)
 *                       getEntity(key, pk)                      the entity
 *                       getIndex(key, field, value)             { [value]: pk }
 *   since 0.15        queryKey(args, unvisit, delegate)
 *                       delegate.getEntity(key, pk)             the entity
 *                       delegate.getIndex(key, field, value)    its pk
 */

type QueryKey = (this: EntityWithKey, args: Args, ...lookups: readonly unknown[]) => unknown;

interface EntityWithKey {
  readonly key: string;
  readonly queryKey: QueryKey;
  readonly infer: QueryKey;
}

/** The result of an index: its entities, the first of which readers see. */
interface IndexResult {
  readonly records?: Iterable<{ readonly pk: string }>;
}

const adapted = new WeakSet();
/** By the function that an override receives, and passes to `super.queryKey`. */
const lookupsOf = new WeakMap<object, Lookups>();

/** Wraps the override of a class, once: of `queryKey`, else of `infer`. */
export function adaptQueryKey(Class: object): void {
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
export function defaultQueryKey(this: object, ...params: QueryKeyParams): unknown {
  // oxlint-disable-next-line oxc/no-this-in-exported-function -- a static of classes
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
export function defaultInfer(this: object, args: Args, indexes: object = {}): unknown {
  const lookups = lookupsOf.get(indexes);
  const [, find, get, findByIndex] = lookups?.own ?? NO_LOOKUPS;
  const delegate = lookups === undefined ? get : indexes;
  // oxlint-disable-next-line oxc/no-this-in-exported-function -- a static of classes
  return defaultQueryKey.call(this, args, find, delegate as never, findByIndex);
}

const findNothing = (): never => undefined as never;
const NO_LOOKUPS: QueryKeyParams = [[], findNothing, findNothing, findNothing];

/** The lookups of one call of an override. */
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

  /** The result of the override. Without an entity in its index, readers wait for the first entity there. */
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
