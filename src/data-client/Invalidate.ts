/** The schema of a deletion of one of several entities. */
import { Delete } from '../schema/Delete.ts';
import { Union } from '../schema/Union.ts';
import type { Choice } from '../schema/Union.ts';
import type { EntityClass } from '../schema/schema.ts';

type EntityClasses = Readonly<Record<string, EntityClass>>;
type Deletable = EntityClass | Union<EntityClasses>;

/** `new Invalidate(Todo)`, `new Invalidate({ post: Post, link: Link }, 'type')`, `new Invalidate(union)`. */
export interface InvalidateConstructor {
  new <S extends EntityClasses>(schemas: S, choice: Choice): Delete<Union<S>>;
  new <E extends Deletable>(entity: E): Delete<E>;
  readonly prototype: Delete<Deletable>;
}

class InvalidateKind extends Delete<Deletable> {
  constructor(entity: Deletable | EntityClasses, choice?: Choice) {
    super(
      choice === undefined ? (entity as Deletable) : new Union(entity as EntityClasses, choice),
    );
  }
}

/** The schema of a deletion: `new Invalidate(Todo)`, `new Invalidate({ post: Post, link: Link }, 'type')`. */
export const Invalidate: InvalidateConstructor = InvalidateKind as never;
// any: the entity of an unknown schema
/** The schema of a deletion: `new Invalidate(Todo)`, `new Invalidate({ post: Post, link: Link }, 'type')`. */
export type Invalidate<E extends Deletable = any> = Delete<E>;
