/** The statics of an entity class that may be overridden, with their default behavior. */
import type { EntityStatics, Meta, NormalizeParams, QueryKeyParams } from './EntityStatics.ts';
import { isPlainObject } from './equal.ts';
import { hasField } from './fieldOf.ts';
import { KIND } from './schema.ts';
import type { Args, Fields, Node } from './schema.ts';

type StaticsWithFromJS = EntityStatics & { fromJS(fields: Fields): Fields };
type Identified = { pk(this: unknown, ...params: unknown[]): unknown };

export const defaultStatics = {
  pk(this: StaticsWithFromJS, value: unknown, ...params: unknown[]): unknown {
    return (this.prototype as Identified).pk.apply(value, params);
  },

  /** A copy, so that an override that calls `super.process()` may change it. */
  process: (input: unknown): unknown => (isPlainObject(input) ? { ...input } : input),

  validate: (): string | undefined => undefined,

  /** Fields of the incoming record override the fields of the stored one. */
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

  normalize: (...[input, , , , next]: NormalizeParams): Node => next(input),

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
