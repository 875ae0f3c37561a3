/** Names for endpoints, schemas and tables, because a disk and other tabs cannot store the objects themselves. */
import type { EndpointInterface } from '../endpoint/Endpoint.ts';
import { isEndpoint } from '../endpoint/argumentChecks.ts';
import { warn } from '../errors.ts';
import { changeIn } from '../schema/Collection.ts';
import { EntityKind } from '../schema/EntityKind.ts';
import { isPlainObject } from '../schema/fieldOf.ts';
import { kindsIn } from '../schema/kindOf.ts';
import { KIND } from '../schema/schema.ts';
import type { Args, Kind, StoredKind } from '../schema/schema.ts';

/**
 * The named things: resources, endpoints, entity classes, other schemas, or objects of these. The names must be the
 * same wherever names are read again: in another tab, and after a reload.
 */
export type Names = Readonly<Record<string, unknown>>;

/** Members that lead from an endpoint or a schema to a part. */
const PART_MEMBERS = ['schema', 'entity', 'collection', 'query'] as const;
/** Members that derive an endpoint or a collection. Not followed after a derivation, which would never end. */
const DERIVED_MEMBERS = ['push', 'unshift', 'assign', 'remove', 'move', 'getPage'] as const;

/*
 *   { todo: TodoResource }
 *     todo.get                      an endpoint
 *     todo.get.schema               the schema: the class Todo
 *     todo.getList.push.schema      the schema of a creation
 *
 * If several paths lead to a thing, the shortest is the name, and the first of these: equal names give equal
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

  /** For a thing without a name: the names of the nearest parts that have a name. */
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

/** Decides whether data are persisted: gets the name and arguments of an endpoint, or the name of an entity class. */
export type PersistFilter = (name: string, args?: Args) => boolean;

/** Tables and endpoints by their names on a disk. */
export class PersistableNames {
  readonly #registry: Registry;
  readonly #include: PersistFilter;
  readonly #warns: boolean;
  readonly #names = new Map<StoredKind['tableKey'], string>();
  readonly #kinds = new Map<string, StoredKind>();
  readonly #persistable = new WeakMap<Kind, boolean>();

  /** `warns`: whether to warn about data that cannot be persisted. */
  constructor(names: Names, include: PersistFilter, warns: boolean = true) {
    this.#warns = warns;
    this.#registry = new Registry(names);
    this.#include = include;
    const stored = Array.from(
      this.#registry.all(),
      ([name, value]) => [name, storedKindOf(value)] as const,
    );
    // an entity binds nested lists when first read, which changes the tables of these lists
    for (const [, kind] of stored) kind?.innerKinds?.();
    for (const [name, kind] of stored) {
      if (kind === undefined) continue;
      const known = this.#names.get(kind.tableKey);
      if (known !== undefined) {
        const other = this.#kinds.get(known);
        // of classes that share a table, the class that extends the others has all their fields
        const isWider =
          kind instanceof EntityKind && other instanceof EntityKind && kind.isOrExtends(other);
        if (isWider) this.#kinds.set(known, kind);
        continue;
      }
      this.#names.set(kind.tableKey, name);
      if (include(name)) this.#kinds.set(name, kind);
    }
  }

  endpoint(name: string, args: Args): EndpointInterface | undefined {
    const named = this.#registry.named(name);
    return isEndpoint(named) && this.#include(name, args) ? named : undefined;
  }

  /** Undefined if responses to these arguments are not persisted. */
  nameOf(endpoint: EndpointInterface, args: Args): string | undefined {
    const name = this.#registry.nameOf(endpoint);
    return name !== undefined && this.#include(name, args) ? name : undefined;
  }

  /** The name for the key of a request: commits report the expiry of a request by the key alone. */
  nameByKey(key: string, args: Args): string | undefined {
    for (const [, value] of this.#registry.all()) {
      if (!isEndpoint(value) || value.sideEffect) continue;
      if (isKeyOf(value, key, args)) return this.nameOf(value, args);
    }
    return undefined;
  }

  /** The kind of the table with this name. */
  kind(name: string): StoredKind | undefined {
    return this.#kinds.get(name);
  }

  /** Like `kind`. Throws a TypeError if the kind stores another type of record now, or is not persisted. */
  stored(name: string, stores: StoredKind['stores']): StoredKind {
    const kind = this.kind(name);
    if (kind?.stores !== stores || !this.isPersistable(kind))
      throw new TypeError(`the name ${name} is unknown`);
    return kind;
  }

  /** The name of a table; undefined if the table is not persisted. */
  tableOf({ tableKey }: StoredKind): string | undefined {
    const name = this.#names.get(tableKey);
    return name !== undefined && this.#kinds.has(name) ? name : undefined;
  }

  /**
   * True if all of `kind` can be persisted: a part would be shown as if complete. Warns about parts without a
   * name.
   */
  isPersistable(kind: Kind): boolean {
    let isPersistable = this.#persistable.get(kind);
    if (isPersistable === undefined)
      this.#persistable.set(kind, (isPersistable = this.#checkPersistable(kind)));
    return isPersistable;
  }

  #checkPersistable(kind: Kind): boolean {
    for (const inner of kindsIn(kind)) {
      const stored = 'tableKey' in inner ? (inner as StoredKind) : undefined;
      // the fields of a projected entity depend on the request
      if (inner.normalizesAbsent !== true && (stored === undefined || this.tableOf(stored)))
        continue;
      const leftOut = stored !== undefined && this.#names.has(stored.tableKey);
      const reason = stored === undefined ? 'it is a Scalar' : 'it has no name';
      if (!leftOut && this.#warns)
        warn('P4', kind.title, { schema: kind.title, part: inner.title, reason });
      return false;
    }
    return true;
  }
}

function isKeyOf(endpoint: EndpointInterface, key: string, args: Args): boolean {
  try {
    return endpoint.key(...args) === key;
  } catch {
    // arguments of another endpoint may have another shape
    return false;
  }
}

/** The kind of a schema with a separate table. */
function storedKindOf(value: object): StoredKind | undefined {
  if (value instanceof Object && KIND in value) {
    const kind = (value as { [KIND]: Kind })[KIND];
    return kind instanceof EntityKind ? kind : undefined;
  }
  return (value as Partial<StoredKind>).stores === 'list' ? (value as StoredKind) : undefined;
}
