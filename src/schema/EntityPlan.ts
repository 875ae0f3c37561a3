/** What is worked out once from an entity class. */
import { warn } from '../diagnostics.ts';
import { accessors } from './accessors.ts';
import { assign, equal } from './equal.ts';
import { kindOf } from './kindOf.ts';
import { isOverridden } from './overridable.ts';
import { pkFieldOf } from './pkFieldOf.ts';
import type { EntityStatics } from './EntityStatics.ts';
import { KIND } from './schema.ts';
import type { Fields, Kind, Node, StoredKind } from './schema.ts';

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
  /** Whether it has no say of its own in what is written of an entity, be it its primary key. */
  readonly simple: boolean;
  /** Whether it says by itself until when an entity is known. */
  readonly metas: boolean;
  /** How many entities deep one may stand and still show those inside of it. */
  readonly depth: number | undefined;
  readonly normalizes: boolean;
  /** Whether it transforms, or judges, records before they are written. */
  readonly processes: boolean;
  readonly validates: boolean;
  /** What readers get for the fields, where the class makes it by itself; undefined: not whole. */
  readonly shows: ((fields: Fields) => object | undefined) | undefined;
  /** The defaults, where they are not those that the constructor sets. */
  readonly defaults: Fields | undefined;
  readonly nested: readonly Nested[];
  /** Their nodes where none is there: undefined for each. */
  readonly absent: readonly Node[];
  /** Whether a nested member is required: only then may an entity that is there not be whole. */
  readonly demanding: boolean;
  /** A change of a nested entity may be none of this one. */
  readonly shallow: boolean;
  readonly positions: ReadonlyMap<string, number>;
  /** The fields that the class declares with a default. */
  readonly declared: readonly string[];
  /** Those without which an entity is not complete: of a default that says something, with one value for all readers. */
  readonly demanded: readonly string[];
  /** Fields of a response that a getter of the class shadows. */
  readonly shadowed: ReadonlySet<string>;
  /** What setters of the class take in, and getters tell. */
  readonly accessors: readonly string[];
  /** What a pk() made of text (`${this.id}`) gives for a record without its fields: no identity. */
  readonly blank: string | undefined;
  /** The field that pk() gives as it is, where the class leaves it at that. */
  readonly pkField: string | undefined;
  /** The one field that is the primary key, if it is one, and whether its default is a number. */
  readonly namedBy: { readonly field: string; readonly numeric: boolean } | undefined;
}

/** The primary key of this number: of the type that the class declares, and nothing that a server gives. */
export function temporaryKey({ namedBy }: EntityPlan, serial: number): string | number {
  issued = true;
  return namedBy?.numeric === true ? Number.MIN_SAFE_INTEGER + serial : `temporary-${serial}`;
}

/** Gives `fields` the primary key where one field is that. */
export function withKey({ namedBy }: EntityPlan, fields: Fields, pk: string): Fields {
  if (namedBy !== undefined) assign(fields, namedBy.field, namedBy.numeric ? Number(pk) : pk);
  return fields;
}

let issued = false;

/** True once a temporary key was made. */
export function issuesKeys(): boolean {
  return issued;
}

/** True for temporary keys that are numbers; text may be what a server gave. */
export function isTemporary(pk: string): boolean {
  return /^-90071\d{11}$/.test(pk);
}

/** A primary key as text: numbers and strings meet. Undefined where the value is no identity. */
export function asPk(value: unknown): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value;
  if (typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  return typeof value === 'number' && !Number.isNaN(value) ? String(value) : undefined;
}

/** A field as the text by which indexes and lists tell it apart; undefined: it is none. */
export function indexText(value: unknown): string | undefined {
  return value === '' ? value : asPk(value);
}

const DECISIONS = ['shouldUpdate', 'shouldReorder', 'mergeWithStore'] as const;

export function makePlan(Class: EntityStatics): EntityPlan {
  const defaults = Class.defaults as Fields;
  const own = new Class() as Fields;
  const decides = DECISIONS.some((name) => isOverridden(Class, name));
  const metas = isOverridden(Class, 'mergeMetaWithStore');
  const shows = showing(Class);
  const nested: Nested[] = [];
  for (const [name, schema] of Object.entries(schemasOf(Class[KIND] as Sharing))) {
    const written = kindOf(schema, Class.key, name);
    const kind = written.boundTo?.(Class[KIND], name) ?? written;
    const fallback = defaults[name];
    const required = Boolean(fallback);
    nested.push({ name, kind, required, needed: required && kind.needed === true, fallback });
  }
  const merges = isOverridden(Class, 'merge') || decides || metas;
  const pkField = isOverridden(Class, 'pk') ? undefined : pkFieldOf(Class.prototype);
  const asks = (['normalize', 'process', 'validate'] as const).map((name) =>
    isOverridden(Class, name),
  );
  const [normalizes = false, processes = false, validates = false] = asks;
  const positions = new Map(nested.map(({ name }, position) => [name, position]));
  const declared = Object.keys(defaults);
  const got = accessors(Class.prototype);
  return {
    merges,
    simple: !merges && pkField !== undefined && !asks.includes(true),
    decides,
    metas,
    depth: depthOf(Class),
    normalizes,
    processes,
    validates,
    shows,
    defaults: equal({ ...defaults }, { ...own }) ? undefined : { ...defaults },
    nested,
    absent: nested.map(() => undefined),
    demanding:
      shows !== undefined || nested.some(({ required, kind }) => required && kind.whole !== true),
    shallow: nested.some(({ kind }) => kind.shallow === true),
    positions,
    declared,
    demanded: declared.filter((name) => {
      const fallback = defaults[name] ?? undefined;
      const { always } = nested[positions.get(name) ?? -1]?.kind ?? {};
      return fallback !== undefined && typeof fallback !== 'function' && always !== true;
    }),
    // a field that the class declares over a getter of its base is a field
    shadowed: new Set(
      got.filter(([name, settable]) => !settable && !declared.includes(name)).map(([name]) => name),
    ),
    accessors: got.filter(([, settable]) => settable).map(([name]) => name),
    blank: blankPk(Class),
    pkField,
    namedBy: namedBy(Class, defaults),
  };
}

interface Sharing extends StoredKind {
  readonly Class: EntityStatics;
  readonly base: Sharing | undefined;
}

/** Of classes that share a table, nested members have one place in all: those of the class that is extended first. */
function schemasOf({ Class, base }: Sharing): EntityStatics['schema'] {
  return base === undefined ? Class.schema : { ...schemasOf(base), ...Class.schema };
}

/** createIfValid and denormalize run when an entity is read: what they throw must not reach those who only read. */
function showing(Class: EntityStatics): EntityPlan['shows'] {
  if (!isOverridden(Class, 'createIfValid') && !isOverridden(Class, 'denormalize'))
    return undefined;
  return (fields) => {
    try {
      const made = Class.createIfValid({ ...fields });
      const shown = made === undefined ? undefined : Class.denormalize(made);
      return typeof shown === 'object' && shown !== null ? shown : undefined;
    } catch (reason) {
      warn('S13', Class.key, { entity: Class.key, reason });
      return undefined;
    }
  };
}

function depthOf({ maxEntityDepth: limit, key }: EntityStatics): number | undefined {
  if (typeof limit === 'number' && Number.isFinite(limit)) {
    const expected = `depthLimit(${limit})`;
    warn('E12', key, { option: 'maxEntityDepth', value: limit, expected });
  }
  const { depth = Infinity } = typeof limit === 'object' ? limit : {};
  return Number.isFinite(depth) ? depth : undefined;
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
