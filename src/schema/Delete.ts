/** The schema of a deletion. */
import { badData } from './badData.ts';
import { EntityKind } from './EntityKind.ts';
import { asPk } from './EntityPlan.ts';
import { isObject } from './isObject.ts';
import { kindOf } from './kindOf.ts';
import type { EntityClass, Fields, Node, Ref, Walk } from './schema.ts';

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

  normalize(input: unknown, parent: unknown, key: string, walk: Walk): Node {
    const { args, sink } = walk;
    const schema = kindOf(this.entity, 'Delete');
    const one = schema.target?.(input) ?? schema.target?.(args[0]);
    const kinds = one ? [one] : ((schema.target && schema.inner?.()) ?? []);
    const named: Ref[] = [];
    // a member of an array is one of several: the params name none of them
    const params = isMember(parent, key, input) ? [] : args;
    for (const kind of kinds) {
      if (!(kind instanceof EntityKind)) continue;
      const process = () => kind.Class.process(input, parent, key, args);
      // what the answer leaves out of a primary key of several fields, the params say
      const told = isObject(input)
        ? kind.pkIn({ ...(params[0] as object), ...processed(input, process) }, args)
        : pkAlone(input, walk);
      const pk = told ?? kind.pkOf(params);
      if (pk !== undefined) named.push(sink.ref(kind, pk));
    }
    // of a union that leaves open which it is, what is there
    const gone = one ? named : named.filter((ref) => sink.stored(ref));
    if (named.length === 0 || gone.length > 1) {
      const members = Object.keys(Object(input) as object);
      throw badData('S1', { entity: schema.title, value: input, members }, walk.endpoint);
    }
    for (const ref of gone) sink.remove(ref);
    return input;
  }

  denormalize(node: Node): unknown {
    return node;
  }

  /** @internal */ empty(): unknown {
    return undefined;
  }
}

/** True in a list, be it the answer or a member of it. */
function isMember(parent: unknown, key: string, input: unknown): boolean {
  const list = Array.isArray(parent) ? parent : (parent as Fields | undefined)?.[key];
  return Array.isArray(list) && list !== input;
}

/** An answer that is a primary key itself, inside of another, or where parameters say nothing. */
function pkAlone(input: unknown, { args, depth }: Walk): string | undefined {
  return typeof input !== 'boolean' && (depth > 0 || args.length === 0) ? asPk(input) : undefined;
}

/** What `process` makes of the answer to a deletion, which may be nothing that it expects. */
function processed(input: object, process: () => unknown): object {
  try {
    const fields = process();
    return isObject(fields) ? fields : input;
  } catch {
    return input;
  }
}
