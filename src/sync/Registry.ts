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
const PARTS = ['schema', 'entity', 'collection', 'query'] as const;
/** Members that derive an endpoint or a collection. They are not followed from a derived one, which would never end. */
const CHANGES = ['push', 'unshift', 'assign', 'remove', 'move', 'getPage'] as const;

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
  readonly #things = new Map<string, object>();

  constructor(names: Names) {
    const line: (readonly [name: string, thing: unknown, made: boolean])[] = Object.entries(
      names,
    ).map(([name, thing]) => [name, thing, false]);
    for (const [name, thing, made] of line) {
      if (!isNameable(thing) || this.#names.has(thing)) continue;
      this.#names.set(thing, name);
      this.#things.set(name, thing);
      for (const way of waysFrom(thing, made)) {
        const next: unknown = Reflect.get(thing, way);
        line.push([`${name}.${way}`, next, CHANGES.includes(way as 'push')]);
      }
    }
  }

  /** The name of an endpoint or a schema; undefined if there is none. */
  nameOf(thing: unknown): string | undefined {
    return this.#names.get(thing);
  }

  /** The thing with this name; undefined if there is none. */
  named(name: string): object | undefined {
    return this.#things.get(name);
  }

  /** For a thing without a name: the names of its nearest parts that have a name. */
  nearestNamed(thing: unknown, seen: Set<unknown> = new Set()): readonly string[] {
    const name = this.nameOf(thing);
    if (name !== undefined) return [name];
    if (!isNameable(thing) || seen.has(thing)) return [];
    seen.add(thing);
    return waysFrom(thing, true).flatMap((way) => this.nearestNamed(Reflect.get(thing, way), seen));
  }

  /** All named things, by name. */
  all(): Iterable<readonly [name: string, thing: object]> {
    return this.#things;
  }
}

function isNameable(thing: unknown): thing is object {
  if (typeof thing === 'object') return thing !== null;
  // hooks and decoders are functions, too
  return typeof thing === 'function' && (isEndpoint(thing) || KIND in thing);
}

function waysFrom(thing: object, made: boolean): readonly string[] {
  if (Array.isArray(thing) || isPlainObject(thing)) return Object.keys(thing);
  const changes = made ? [] : CHANGES.filter((way) => derives(thing, way));
  return [...PARTS.filter((way) => way in thing), ...changes];
}

/** False for a list change, or `getPage`, that an endpoint does not have: reading it would throw R15. */
function derives(thing: object, way: (typeof CHANGES)[number]): boolean {
  if (!(way in thing) || !isEndpoint(thing)) return way in thing;
  const { schema, paginationField } = thing as { schema?: unknown; paginationField?: unknown };
  return way === 'getPage' ? paginationField !== undefined : changeIn(schema, way) !== undefined;
}
