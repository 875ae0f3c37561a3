/** The schema of a deletion. */
import { badData } from './badData.ts';
import { EntityKind } from './EntityKind.ts';
import { asPk } from './EntityPlan.ts';
import { kindOf } from './kindOf.ts';
import type { EntityClass, Node, Walk } from './schema.ts';

/**
 * `new Delete(Todo)`: the answer to this endpoint means that an entity is gone. Which one: the one the answer
 * identifies, else the one the parameters identify. What the caller gets is the answer as it came.
 */
export class Delete<E extends EntityClass> {
  declare readonly denormalized?: Partial<InstanceType<E>>;
  readonly entity: E;

  constructor(entity: E) {
    this.entity = entity;
  }

  get title(): string {
    return `Delete(${this.entity.key})`;
  }

  normalize(input: unknown, _parent: unknown, _key: string, walk: Walk): Node {
    const schema = kindOf(this.entity, 'Delete');
    const kind = schema.target?.(input) ?? schema.target?.(walk.args[0]);
    const pk = kind instanceof EntityKind && (named(kind, input, walk) ?? kind.pkOf(walk.args));
    if (!kind || !pk) {
      throw badData('S1', { entity: schema.title, value: input }, walk.endpoint);
    }
    walk.sink.remove(walk.sink.ref(kind, pk));
    return input;
  }

  denormalize(node: Node): unknown {
    return node;
  }

  empty(): unknown {
    return undefined;
  }
}

/** The primary key in an answer: an object's, or the answer itself where parameters say nothing. */
function named(kind: EntityKind, input: unknown, walk: Walk): string | undefined {
  if (input !== null && typeof input === 'object' && !Array.isArray(input)) {
    return kind.pkIn(input, walk.args);
  }
  return walk.args.length === 0 ? asPk(input) : undefined;
}
