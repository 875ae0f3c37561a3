/** Facts about an entity class that are computed once. */
import { DEV, warn } from '../errors.ts';
import { copyData, setOwn } from './fieldOf.ts';
import { equal } from './equal.ts';
import { schemaChecks } from './schemaChecks.ts';
import { kindOf } from './kindOf.ts';
import { isOverridden } from './EntityStatics.ts';
import type { EntityKind } from './EntityKind.ts';
import type { EntityStatics } from './EntityStatics.ts';
import { toPk } from './toPk.ts';
import { KIND } from './schema.ts';
import type { Fields, Kind, NormalizedNode, Ref, Source } from './schema.ts';

/** A pk() method that returns a single field unchanged has the name of the field under this name. */
export const PK_FIELD: unique symbol = Symbol('signalbox.pkField');

/** A nested member of an entity. */
export interface NestedMember {
  readonly name: string;
  readonly kind: Kind;
  /** The default is truthy: if the value exists but is incomplete, the entity is incomplete. */
  readonly required: boolean;
  /** Required, and if the value is absent, the entity is incomplete as well. */
  readonly mustExist: boolean;
  /** Required, but an entity that was never received reads as the default: in `signalbox/data-client`. */
  readonly lenient?: true;
  /** The value where the field is missing. */
  readonly absentValue: unknown;
}

/** The relations of a class; their code comes with `hasMany`, `belongsTo`… */
export interface EntityRelations {
  has(name: string): boolean;
  /** Must be called when readers get a new value of the entity: the members are found by the value. */
  attach(record: Ref, source: Source): void;
  /** The requests for the related rows of some rows; undefined unless the member is a relation that names an endpoint. */
  requestsOf(name: string, rows: readonly Fields[]): readonly unknown[] | undefined;
  /** As `attach`, for a copy of a value. */
  attachCopy(copy: object, value: object): void;
}

/** Facts about a class, computed at first use: circular imports have resolved by then. */
export interface EntityDescriptor {
  /** True if the class overrides merge(), or decides by itself. */
  readonly hasAnyMerge: boolean;
  /** True if the class decides by itself which data replace which: versioning is bypassed. */
  readonly bypassesVersioning: boolean;
  /** True if the class overrides nothing that affects a write, including the primary key. */
  readonly hasPlainWrites: boolean;
  /** True if the class decides by itself how long an entity is fresh. */
  readonly overridesExpiry: boolean;
  readonly hasNormalize: boolean;
  /** True if the class overrides process(), which transforms records before a write, or deletes the entity. */
  readonly hasProcess: boolean;
  readonly hasValidate: boolean;
  /** Makes the value for readers from the fields, if the class overrides this; returns undefined if incomplete. */
  readonly denormalizeOwn: ((fields: Fields) => object | undefined) | undefined;
  /** The defaults, if different from the values that the constructor sets. */
  readonly unstableDefaults: Fields | undefined;
  readonly nested: readonly NestedMember[];
  /** The nodes of an entity without nested members: undefined for each. */
  readonly undefinedNodes: readonly NormalizedNode[];
  /** True if a nested member is required: only then can an existing entity be incomplete. */
  readonly hasRequired: boolean;
  /** True if a change of a nested entity may leave the value of the containing entity unchanged. */
  readonly mayIgnorePartChanges: boolean;
  readonly nestedIndexes: ReadonlyMap<string, number>;
  /** The fields that the class declares with a default. */
  readonly declaredFields: readonly string[];
  /** Fields of a response that a getter of the class shadows. */
  readonly computedFields: ReadonlySet<string>;
  /** Names of the class's accessors with a setter. */
  readonly settableAccessors: readonly string[];
  /** The result of a pk() that builds text (`${this.id}`) from a record without the fields: no identity. */
  readonly blankPk: string | undefined;
  readonly relations: EntityRelations | undefined;
  /** The field that pk() returns, if the class does not override pk(). */
  readonly pkField: string | undefined;
  /** The field that alone is the primary key, if any, and whether the default is a number. */
  readonly declaredPkField: { readonly field: string; readonly numeric: boolean } | undefined;
}

// A page makes the descriptor of each class once, on code that has not run yet: no closures, and no call that may be left out.
export function createDescriptor(Class: EntityStatics): EntityDescriptor {
  const defaults = Class.defaults as Fields;
  const declaredFields = Object.keys(defaults);
  if (DEV) schemaChecks?.warnOfStatics(Class, declaredFields);
  const bypassesVersioning =
    isOverridden(Class, 'shouldUpdate') ||
    isOverridden(Class, 'shouldReorder') ||
    isOverridden(Class, 'mergeWithStore');
  const overridesExpiry = isOverridden(Class, 'mergeMetaWithStore');
  const hasAnyMerge = bypassesVersioning || overridesExpiry || isOverridden(Class, 'merge');
  const { pk } = Class.prototype as { readonly pk: { readonly [PK_FIELD]?: string } };
  const pkField = isOverridden(Class, 'pk') ? undefined : pk[PK_FIELD];
  const hasNormalize = isOverridden(Class, 'normalize');
  const hasProcess = isOverridden(Class, 'process');
  const hasValidate = isOverridden(Class, 'validate');
  const overridesDenormalize =
    isOverridden(Class, 'createIfValid') || isOverridden(Class, 'denormalize');
  const denormalizeOwn = overridesDenormalize ? createDenormalizeOwn(Class) : undefined;
  const declaredField =
    pkField ?? declaredFields.find((name) => pkOf(Class, { [name]: PROBE }) === PROBE);
  const { relations } = Class;
  const nesting = describeNested(Class[KIND] as EntityKind, defaults);
  const secondInstance = new Class() as Fields;
  let isStable = true;
  // each instance is given the first default of a nested member
  for (const name of declaredFields)
    isStable &&= nesting.nestedIndexes.has(name) || equal(defaults[name], secondInstance[name]);
  return {
    // defines getters, which the next lines find
    relations: relations && Object.values(relations)[0]?.describeClass(Class),
    ...nesting,
    ...describeAccessors(Class.prototype, defaults),
    hasAnyMerge,
    hasPlainWrites:
      pkField !== undefined && !(hasAnyMerge || hasNormalize || hasProcess || hasValidate),
    bypassesVersioning,
    overridesExpiry,
    hasNormalize,
    hasProcess,
    hasValidate,
    denormalizeOwn,
    // functions may read `this`: each instance has separate functions
    unstableDefaults: isStable ? undefined : copyData(defaults, {}),
    hasRequired: overridesDenormalize || nesting.hasRequired,
    declaredFields,
    // a field is the key of each record that has the field: nothing to try
    blankPk: pkField === undefined ? detectBlankPk(Class) : undefined,
    pkField,
    declaredPkField:
      declaredField !== undefined && Object.hasOwn(defaults, declaredField)
        ? { field: declaredField, numeric: typeof defaults[declaredField] === 'number' }
        : undefined,
  };
}

type NestedDescription = Pick<
  EntityDescriptor,
  'nested' | 'undefinedNodes' | 'nestedIndexes' | 'hasRequired' | 'mayIgnorePartChanges'
>;

/** The nested members. `hasRequired`: some nested member may make the entity incomplete. */
function describeNested(owner: EntityKind, defaults: Fields): NestedDescription {
  const nested: NestedMember[] = [];
  const undefinedNodes: undefined[] = [];
  const nestedIndexes = new Map<string, number>();
  let hasRequired = false;
  let mayIgnorePartChanges = false;
  // classes that share a table share the positions of nested members: the base class comes first
  let schemas = owner.Class.schema;
  for (let { base } = owner; base !== undefined; base = base.base)
    schemas = { ...base.Class.schema, ...schemas };
  for (const name of Object.keys(schemas)) {
    const schemaKind = kindOf(schemas[name], owner, name);
    const kind = schemaKind.bindToEntity?.(owner, name) ?? schemaKind;
    const absentValue = defaults[name];
    const required = Boolean(absentValue);
    nestedIndexes.set(name, nested.length);
    nested.push({
      name,
      kind,
      required,
      mustExist: required && kind.mustExist === true,
      absentValue,
    });
    undefinedNodes.push(undefined);
    hasRequired ||= required && kind.alwaysComplete !== true;
    mayIgnorePartChanges ||= kind.readsKeysOnly === true;
  }
  return { nested, undefinedNodes, nestedIndexes, hasRequired, mayIgnorePartChanges };
}

/** createIfValid and denormalize run when an entity is read, so that an exception must not reach readers. */
function createDenormalizeOwn(Class: EntityStatics): EntityDescriptor['denormalizeOwn'] {
  return (fields) => {
    try {
      const made = Class.createIfValid({ ...fields });
      const value = made === undefined ? undefined : Class.denormalize(made);
      return typeof value === 'object' && value !== null ? value : undefined;
    } catch (reason) {
      if (DEV) warn('S13', Class.key, { entity: Class.key, reason });
      return undefined;
    }
  };
}

const PROBE = '\u0000probe';

function pkOf(Class: EntityStatics, fields: Fields): string | undefined {
  try {
    return toPk(Class.pk(fields, undefined, undefined, []));
  } catch {
    // a pk() that reads a nested member throws here, as for a record without the member
    return undefined;
  }
}

function detectBlankPk(Class: EntityStatics): string | undefined {
  const pk = pkOf(Class, {});
  return pk !== undefined && /undefined|null|NaN/.test(pk) ? pk : undefined;
}

/** The getters of a class. */
interface Accessors {
  /** Names of the accessors with a setter. */
  readonly settableAccessors: readonly string[];
  /** Names of the other getters, which are no fields of a response unless declared by the class. */
  readonly computedFields: ReadonlySet<string>;
}

function describeAccessors(prototype: object, defaults: Fields): Accessors {
  let all = {};
  for (let at = prototype; at && at !== Object.prototype; at = Object.getPrototypeOf(at) as object)
    all = { ...Object.getOwnPropertyDescriptors(at), ...all };
  const settableAccessors: string[] = [];
  const computedFields = new Set<string>();
  for (const [name, property] of Object.entries<PropertyDescriptor>(all))
    if (property.get === undefined) continue;
    else if (property.set !== undefined) settableAccessors.push(name);
    else if (!Object.hasOwn(defaults, name)) computedFields.add(name);
  return { settableAccessors, computedFields };
}

/** Copies fields onto an instance, except fields that the class computes. */
export function assignStoredFields(
  instance: object,
  fields: Fields,
  shadowed: ReadonlySet<string>,
): void {
  for (const name of Object.keys(fields)) {
    const value = fields[name];
    if (value !== undefined && !shadowed.has(name)) setOwn(instance, name, value);
  }
}

/** True for an own field, or a field behind an accessor that has a setter. */
export function hasStoredField(fields: Fields, name: string, descriptor: Accessors): boolean {
  return (
    Object.hasOwn(fields, name) || (descriptor.settableAccessors.includes(name) && name in fields)
  );
}

/** Copies the state of accessors that the copy of the own fields missed. */
export function copyAccessorState(names: readonly string[], from: Fields, to: Fields): void {
  for (const name of names) {
    try {
      if (name in from && !Object.is(to[name], from[name])) to[name] = from[name];
    } catch {
      // an accessor that throws has no value, and a commit must not stop in the middle
    }
  }
}
