/** What is known of an entity class: its statics, and what is worked out from them once. */
import { kindOf } from './kindOf.ts';
import type { StandardSchemaV1 } from './StandardSchemaV1.ts';
import type { Args, EntityClass, Fields, Kind } from './schema.ts';

/** When a record was known to be so. `fetchedAt` is the order of issue; `date` and `expiresAt` are wall time in ms. */
export interface Meta {
  readonly fetchedAt: number;
  readonly date: number;
  readonly expiresAt: number;
}

/** The statics of an entity class; each may be overridden. */
export interface EntityStatics<T extends object = object> extends EntityClass<T> {
  readonly name: string;
  readonly prototype: T;
  readonly explicitKey: string | undefined;
  /** Fields by which an entity can be found, too: `{username: 'ada'}`. */
  readonly indexes?: readonly string[];
  /** The primary key of a record that may not be an instance yet. */
  pk(value: unknown, parent?: unknown, key?: string, args?: Args): unknown;
  /** May transform a record before it is written; `undefined` deletes the entity. Must not change its input. */
  process(input: unknown, parent: unknown, key: string, args: Args): unknown;
  /** How a later record meets the stored one; the fields it returns are written. */
  merge(existing: Fields, incoming: Fields): Fields;
  /** False: an answer changes nothing of a stored entity. */
  shouldUpdate(existingMeta: Meta, incomingMeta: Meta, existing: Fields, incoming: Fields): boolean;
  /** True: the stored fields go over those of the answer. */
  shouldReorder(
    existingMeta: Meta,
    incomingMeta: Meta,
    existing: Fields,
    incoming: Fields,
  ): boolean;
  /** All of the decision at once; asks the two above and `merge` unless it is overridden. */
  mergeWithStore(
    existingMeta: Meta,
    incomingMeta: Meta,
    existing: Fields,
    incoming: Fields,
  ): Fields;
  /** Text rejects the whole response with status 400. */
  readonly validate: ((record: Fields) => string | undefined) | StandardSchemaV1;
}

/** A nested member of an entity. */
export interface Nested {
  readonly name: string;
  readonly kind: Kind;
  /** Its default is truthy: where it is there but not whole, the entity is not either. */
  readonly required: boolean;
  /** Required, and its absence breaks the entity too. */
  readonly needed: boolean;
  /** What it reads as where it is missing. */
  readonly fallback: unknown;
}

/** What is worked out once per class, at first use: circular imports have settled by then. */
export interface EntityPlan {
  /** Whether the class has a merge() of its own, or decides by itself. */
  readonly merges: boolean;
  /** Whether the class decides by itself what replaces what: the law of order does not ask then. */
  readonly decides: boolean;
  readonly nested: readonly Nested[];
  /** Whether a nested member is required: only then may an entity that is there not be whole. */
  readonly demanding: boolean;
  readonly positions: ReadonlyMap<string, number>;
  /** The fields that the class declares with a default. */
  readonly declared: readonly string[];
  /** Fields of a response that a getter of the class shadows. */
  readonly shadowed: ReadonlySet<string>;
  /** What a pk() made of text (`${this.id}`) gives for a record without its fields: no identity. */
  readonly blank: string | undefined;
  /** The one field that is the primary key, if it is one, and whether its default is a number. */
  readonly namedBy: { readonly field: string; readonly numeric: boolean } | undefined;
}

/** What `static merge` is unless a class overrides it: fields of the incoming record over those of the stored one. */
export function mergePlainly(existing: Fields, incoming: Fields): Fields {
  return { ...existing, ...incoming };
}

export function updateAlways(): boolean {
  return true;
}

export function reorderByIssue(existingMeta: Meta, incomingMeta: Meta): boolean {
  return incomingMeta.fetchedAt < existingMeta.fetchedAt;
}

/** What `static mergeWithStore` is unless a class overrides it: asks shouldUpdate, then shouldReorder, then merge. */
export function mergeAsAsked(
  Class: EntityStatics,
  [was, is]: Metas,
  [existing, incoming]: Both,
): Fields {
  if (!Class.shouldUpdate(was, is, existing, incoming)) return existing;
  return Class.shouldReorder(was, is, existing, incoming)
    ? Class.merge(incoming, existing)
    : Class.merge(existing, incoming);
}

type Metas = readonly [existing: Meta, incoming: Meta];
type Both = readonly [existing: Fields, incoming: Fields];

/** The mergeWithStore() of the mixin's own classes. */
export const undecided: WeakSet<object> = new WeakSet();

function decides(Class: EntityStatics): boolean {
  return (
    (Class.shouldUpdate as unknown) !== updateAlways ||
    (Class.shouldReorder as unknown) !== reorderByIssue ||
    !undecided.has(Reflect.get(Class, 'mergeWithStore'))
  );
}

/** A primary key as text: numbers and strings meet. Undefined where the value is no identity. */
export function asPk(value: unknown): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value;
  if (typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  return typeof value === 'number' && !Number.isNaN(value) ? String(value) : undefined;
}

export function makePlan(Class: EntityStatics): EntityPlan {
  const defaults = new Class() as Fields;
  const nested: Nested[] = [];
  for (const [name, schema] of Object.entries(Class.schema)) {
    const kind = kindOf(schema, Class.key, name);
    const fallback = defaults[name];
    const required = Boolean(fallback);
    nested.push({ name, kind, required, needed: required && kind.needed === true, fallback });
  }
  const positions = new Map(nested.map(({ name }, position) => [name, position]));
  const declared = Object.keys(defaults);
  return {
    merges: (Class.merge as unknown) !== mergePlainly || decides(Class),
    decides: decides(Class),
    nested,
    demanding: nested.some(({ required, kind }) => required && kind.whole !== true),
    positions,
    declared,
    // a field that the class declares over a getter of its base is a field
    shadowed: new Set([...getters(Class.prototype)].filter((name) => !declared.includes(name))),
    blank: blankPk(Class),
    namedBy: namedBy(Class, defaults),
  };
}

const PROBE = '\u0000probe';

function namedBy(Class: EntityStatics, defaults: Fields): EntityPlan['namedBy'] {
  for (const [field, value] of Object.entries(defaults)) {
    if (pkOf(Class, { [field]: PROBE }) === PROBE)
      return { field, numeric: typeof value === 'number' };
  }
  return undefined;
}

function pkOf(Class: EntityStatics, fields: Fields): string | undefined {
  try {
    return asPk(Class.pk(fields, undefined, '', []));
  } catch {
    // a pk() that reads inside a nested member fails here, and so it does for a record without one
    return undefined;
  }
}

function blankPk(Class: EntityStatics): string | undefined {
  const pk = pkOf(Class, {});
  return pk !== undefined && /undefined|null|NaN/.test(pk) ? pk : undefined;
}

function getters(prototype: object): Set<string> {
  const names = new Set<string>();
  for (let at: object | null = prototype; at !== null && at !== Object.prototype;) {
    for (const [name, property] of Object.entries(Object.getOwnPropertyDescriptors(at))) {
      if (property.get !== undefined && property.set === undefined) names.add(name);
    }
    at = Object.getPrototypeOf(at) as object | null;
  }
  return names;
}
