/** The schema of a deletion. */
import { EntityKind, collectTopEntities, keyInParent } from './EntityKind.ts';
import type { Union } from './Union.ts';
import { badDataError } from './badDataError.ts';
import { isObject } from './fieldOf.ts';
import { kindOf } from './kindOf.ts';
import type {
  Denormalized,
  EntityClass,
  Fields,
  NormalizeContext,
  NormalizedNode,
  Ref,
} from './schema.ts';
import { toPk } from './toPk.ts';

type EntityClasses = Readonly<Record<string, EntityClass>>;

/**
 * `new Delete(Todo)`: a response of this endpoint means that an entity was deleted. The response identifies the entity,
 * or else the parameters do. The caller gets the raw response.
 */
export class Delete<E extends EntityClass | Union<EntityClasses>> {
  declare readonly denormalizedType?: Partial<Denormalized<E>>;
  readonly entity: E;

  constructor(entity: E) {
    this.entity = entity;
  }

  get title(): string {
    return `Delete(${kindOf(this.entity, 'Delete').title})`;
  }

  normalize(input: unknown, parent: unknown, key: string, walk: NormalizeContext): NormalizedNode {
    const { args, sink } = walk;
    const schema = kindOf(this.entity, 'Delete');
    const onlyKind = schema.storedKindOf?.(input) ?? schema.storedKindOf?.(args[0]);
    const kinds = onlyKind ? [onlyKind] : ((schema.storedKindOf && schema.innerKinds?.()) ?? []);
    const refs: Ref[] = [];
    // a member of an array may have siblings: the params do not identify the entity
    const params = isInArray(parent, key, input) ? [] : args;
    for (const kind of kinds) {
      if (!(kind instanceof EntityKind)) continue;
      const process = () => kind.Class.process(input, parent, keyInParent(key), args);
      // fields of a composite primary key that are missing from the response come from the params
      const pkInInput = isObject(input)
        ? kind.pkIn({ ...(params[0] as object), ...processDeleted(input, process) }, args)
        : barePk(input, walk);
      // without params, `pk()` may be a constant
      const pk = pkInInput ?? kind.pkInArgs(args.length > 0 ? params : [{}]);
      if (pk !== undefined) refs.push(sink.ref(kind, pk));
    }
    // for a union that does not decide on a member, the entities that exist
    const existing = onlyKind ? refs : refs.filter((ref) => sink.exists(ref));
    if (refs.length === 0 || existing.length > 1) {
      const members = Object.keys(Object(input) as object);
      throw badDataError('S1', { entity: schema.title, value: input, members }, walk.endpoint);
    }
    for (const ref of existing) sink.remove(ref);
    return input;
  }

  denormalize(node: NormalizedNode): unknown {
    return node;
  }

  /** @internal */ deletedEntities(): readonly EntityKind[] {
    return collectTopEntities(kindOf(this.entity, 'Delete'));
  }
}

/** True if the input is in a list: the response itself, or a member of the response. */
function isInArray(parent: unknown, key: string, input: unknown): boolean {
  const list = Array.isArray(parent) ? parent : (parent as Fields | undefined)?.[key];
  return Array.isArray(list) && list !== input;
}

/** A response that is a primary key itself: nested in another value, or in a call without parameters. */
function barePk(input: unknown, { args, callDepth }: NormalizeContext): string | undefined {
  return typeof input !== 'boolean' && (callDepth > 0 || args.length === 0)
    ? toPk(input)
    : undefined;
}

/** The result of `process` for the response to a deletion, which may be unlike anything `process` expects. */
function processDeleted(input: object, process: () => unknown): object {
  try {
    const fields = process();
    return isObject(fields) ? fields : input;
  } catch {
    return input;
  }
}
