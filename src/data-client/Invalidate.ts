/** The schema of a deletion: of an entity class, or of a union of classes. */
import { Delete } from '../schema/Delete.ts';
import { EntityKind } from '../schema/EntityKind.ts';
import { defineOwn, isPlainObject } from '../schema/fieldOf.ts';
import { kindOf } from '../schema/kindOf.ts';
import { Union } from '../schema/Union.ts';
import type { Choice } from '../schema/Union.ts';
import type { Args, Denormalized, EntityClass } from '../schema/schema.ts';

type EntityClasses = Readonly<Record<string, EntityClass>>;
type Deletable = EntityClass | Union<EntityClasses>;

/** Type only: the response of a deletion is an instance of the entity. */
export interface Deleted<E> {
  readonly denormalizedType?: Denormalized<E>;
}

/** `new Invalidate(Todo)`, `new Invalidate({ post: Post, link: Link }, 'type')`, `new Invalidate(union)`. */
export interface InvalidateConstructor {
  new <S extends EntityClasses>(schemas: S, choice: Choice): Invalidate<Union<S>>;
  new <E extends Deletable>(entity: E): Invalidate<E>;
  readonly prototype: Delete<Deletable>;
}

class InvalidateKind extends Delete<Deletable> {
  constructor(entity: Deletable | EntityClasses, choice?: Choice) {
    super(
      choice === undefined ? (entity as Deletable) : new Union(entity as EntityClasses, choice),
    );
    returnInstance(this);
  }
}

/** The caller of a deletion gets an instance with the fields of the response. The response may be the primary key. */
export function returnInstance(schema: unknown): void {
  if (!(schema instanceof Delete) || Object.hasOwn(schema, 'denormalize')) return;
  const entity = schema.entity as Deletable;
  defineOwn(schema, 'denormalize', (response: unknown) =>
    isPlainObject(response) ? toInstance(entity, response) : response,
  );
  const normalize: Normalize = (input, parent, key, walk) => {
    // as in a call without params
    const isPk = isNeededPk(input, entity, walk.args);
    const context = isPk ? { ...walk, args: [] } : walk;
    return Delete.prototype.normalize.call(schema, input, parent, key, context);
  };
  defineOwn(schema, 'normalize', normalize);
}

type Normalize = Delete<Deletable>['normalize'];

/** True if a response is a primary key, and the arguments of the call have none. */
export function isNeededPk(response: unknown, entity: Deletable, args: Args): boolean {
  const isPk = typeof response === 'number' || (typeof response === 'string' && response !== '');
  const kind = isPk && kindOf(entity, 'Delete');
  return kind instanceof EntityKind && kind.pkInArgs(args) === undefined;
}

function toInstance(entity: Deletable, response: object): unknown {
  const kind = kindOf(entity, 'Delete').storedKindOf?.(response) as { Class?: unknown } | undefined;
  const Class = kind?.Class as { fromJS?: (fields: object) => unknown } | undefined;
  return Class?.fromJS?.(response) ?? response;
}

/** The schema of a deletion: `new Invalidate(Todo)`, `new Invalidate({ post: Post, link: Link }, 'type')`. */
export const Invalidate: InvalidateConstructor = InvalidateKind as never;
// any: the entity of an unknown schema
/** The schema of a deletion: `new Invalidate(Todo)`, `new Invalidate({ post: Post, link: Link }, 'type')`. */
export type Invalidate<E extends Deletable = any> = Delete<E> & Deleted<E>;
