/** Names for endpoints and schemas, because a disk and other tabs cannot store the objects themselves. */
import { isEndpoint } from '../endpoint/argumentChecks.ts';
import { changeIn } from '../schema/Collection.ts';
import { isPlainObject } from '../schema/fieldOf.ts';
import { KIND } from '../schema/schema.ts';

/**
 * The named things: resources, endpoints, entity classes, other schemas, or objects of these. The names must be the
 * same wherever they are read again: in another tab, and after a reload.
 */
export type Names = Readonly<Record<string, unknown>>;

/** Members that lead from an endpoint or a schema to its parts. */
const PART_MEMBERS = ['schema', 'entity', 'collection', 'query'] as const;
/** Members that derive an endpoint or a collection. They are not followed from a derived one, which would never end. */
const DERIVED_MEMBERS = ['push', 'unshift', 'assign', 'remove', 'move', 'getPage'] as const;

/*
 *   { todo: TodoResource }
 *     todo.get                      an endpoint
 *     todo.get.schema               its schema: the class Todo
 *     todo.getList.push.schema      the schema of a creation
 *
 * If several paths lead to a thing, the shortest is its name, and the first of these: equal names give equal
 * registries.
 */
export class Registry {
  readonly #names = new Map<unknown, string>();
  readonly #byName = new Map<string, object>();

  constructor(names: Names) {
    const queue: (readonly [name: string, value: unknown, isDerived: boolean])[] = Object.entries(
      names,
    ).map(([name, value]) => [name, value, false]);
    for (const [name, value, isDerived] of queue) {
      if (!isNameable(value) || this.#names.has(value)) continue;
      this.#names.set(value, name);
      this.#byName.set(name, value);
      for (const member of memberNamesOf(value, isDerived)) {
        const next: unknown = Reflect.get(value, member);
        queue.push([`${name}.${member}`, next, DERIVED_MEMBERS.includes(member as 'push')]);
      }
    }
  }

  /** The name of an endpoint or a schema; undefined if there is none. */
  nameOf(value: unknown): string | undefined {
    return this.#names.get(value);
  }

  /** The thing with this name; undefined if there is none. */
  named(name: string): object | undefined {
    return this.#byName.get(name);
  }

  /** For a thing without a name: the names of its nearest parts that have a name. */
  nearestNamed(value: unknown, visited: Set<unknown> = new Set()): readonly string[] {
    const name = this.nameOf(value);
    if (name !== undefined) return [name];
    if (!isNameable(value) || visited.has(value)) return [];
    visited.add(value);
    return memberNamesOf(value, true).flatMap((member) =>
      this.nearestNamed(Reflect.get(value, member), visited),
    );
  }

  /** All named things, by name. */
  all(): Iterable<readonly [name: string, value: object]> {
    return this.#byName;
  }
}

function isNameable(value: unknown): value is object {
  if (typeof value === 'object') return value !== null;
  // hooks and decoders are functions, too
  return typeof value === 'function' && (isEndpoint(value) || KIND in value);
}

function memberNamesOf(value: object, isDerived: boolean): readonly string[] {
  if (Array.isArray(value) || isPlainObject(value)) return Object.keys(value);
  const changes = isDerived ? [] : DERIVED_MEMBERS.filter((member) => isDerivation(value, member));
  return [...PART_MEMBERS.filter((member) => member in value), ...changes];
}

/** False for a list change, or `getPage`, that an endpoint does not have: reading it would throw R15. */
function isDerivation(value: object, member: (typeof DERIVED_MEMBERS)[number]): boolean {
  if (!(member in value) || !isEndpoint(value)) return member in value;
  const { schema, paginationField } = value as { schema?: unknown; paginationField?: unknown };
  return member === 'getPage'
    ? paginationField !== undefined
    : changeIn(schema, member) !== undefined;
}
