/** Nested entities may be absent, as in Data Client: `author = User.fromJS()` is the value until there is another. */
import { createDescriptor } from '../schema/EntityDescriptor.ts';
import type { EntityDescriptor } from '../schema/EntityDescriptor.ts';
import { EntityKind } from '../schema/EntityKind.ts';
import type { EntityStatics } from '../schema/EntityStatics.ts';

/**
 * A nested entity that is absent, or was never received, reads as the default. Without a deleted one the entity is
 * incomplete, unless the default is falsy.
 */
class LenientEntityKind extends EntityKind {
  override get descriptor(): EntityDescriptor {
    const strict = createDescriptor(this.Class);
    const nested = strict.nested.map((member) =>
      member.mustExist ? { ...member, mustExist: false, lenient: true as const } : member,
    );
    const value = { ...strict, nested };
    Object.defineProperty(this, 'descriptor', { value });
    return value;
  }
}

const kinds = new WeakMap<object, EntityKind>();

/** The same kind for each call with the same class. */
export function lenientKindOf(Class: object): EntityKind {
  let kind = kinds.get(Class);
  if (kind === undefined) kinds.set(Class, (kind = new LenientEntityKind(Class as EntityStatics)));
  return kind;
}
