/** The content of an entity: fields and nested nodes. A patch is the content that a write has for an entity. */
import type { EntityKind, RecordShape } from '../../schema/EntityKind.ts';
import { equal } from '../../schema/equal.ts';
import { setOwn, fieldOf } from '../../schema/fieldOf.ts';
import type { Fields, NormalizedNode } from '../../schema/schema.ts';
import { hasLaterOwnWrite } from '../records/versioning.ts';
import type { Stamp } from '../records/versioning.ts';
import type { EntityRecord } from './EntityRecord.ts';

/** `nodes`: the nested members in normalized form, in the order of the descriptor of the kind. */
export interface EntityContent {
  readonly fields: Fields;
  readonly nodes: readonly NormalizedNode[];
}

/** Content of which only the fields `names` count. */
export interface PartialContent extends EntityContent {
  readonly names: readonly string[];
}

/** A copy of the nodes with another node at a position. */
export function withNodeAt(
  nodes: readonly NormalizedNode[],
  at: number,
  node: NormalizedNode,
): NormalizedNode[] {
  const changed = nodes.slice();
  changed[at] = node;
  return changed;
}

/** The value of a field. Names of `Object.prototype` are read as own fields only; accessors through their getter. */
export function readFieldSafely(fields: Fields, name: string): unknown {
  const value = fields[name];
  // fast path: members of `Object.prototype` are functions, or the object itself
  if (typeof value !== 'function' && typeof value !== 'object') return value;
  return name in Object.prototype ? fieldOf(fields, name) : value;
}

/**
 * The data of an entity in a response or an optimistic write. `recordShape` and `instance` are set when staging is
 * done.
 */
export interface EntityPatch {
  readonly record: EntityRecord;
  /** The most derived class under which the entity was staged or is stored. */
  kind: EntityKind;
  fields: Fields;
  nodes: readonly NormalizedNode[];
  recordShape: RecordShape | undefined;
  /** The future instance, if the entity was missing. */
  instance: Fields | undefined;
  /** The stamp that `mergeMetaWithStore` returned, if the class has its own. */
  classStamp: Stamp | undefined;
  /** The response is of the own creation that stands, and writes the existence of the entity as an own field. */
  isOwnCreation: boolean;
}

/** Creates a patch. All patches have the same object shape, which keeps property access fast. */
export function createPatch(
  record: EntityRecord,
  fields: Fields,
  nodes: readonly NormalizedNode[],
  kind: EntityKind,
): EntityPatch {
  const none = undefined;
  return {
    record,
    kind,
    fields,
    nodes,
    recordShape: none,
    instance: none,
    classStamp: none,
    isOwnCreation: false,
  };
}

/** Sets the instance of an entity that is missing by the time of the write: an earlier write deletes the entity. */
export function prepareCreation(patch: EntityPatch): void {
  patch.instance ??= patch.kind.createInstance(patch.fields, patch.recordShape as RecordShape);
}

/** The more derived of two classes that share a table. */
export function mostDerived(one: EntityKind, other: EntityKind): EntityKind {
  return one === other || one.isOrExtends(other) ? one : other;
}

/** Merges a second occurrence of an entity in a response: later fields win. Most occurrences bring nothing new. */
export function mergeSameEntity(
  patch: EntityPatch,
  fields: Fields,
  nodes: readonly NormalizedNode[],
): void {
  const before = patch.fields;
  for (const name in fields) {
    const value = fields[name];
    if (value === before[name] && typeof value !== 'function') continue;
    if (value === undefined || !Object.hasOwn(fields, name)) continue;
    if (equal(fieldOf(before, name), value)) continue;
    if (patch.fields === before) patch.fields = { ...before };
    setOwn(patch.fields, name, value);
  }
  for (let at = 0; at < nodes.length; at++) {
    const node = nodes[at];
    if (node !== undefined && node !== patch.nodes[at])
      patch.nodes = withNodeAt(patch.nodes, at, node);
  }
}

/** Drops the fields of a derived value that only repeat the default of a field never received. */
export function withoutUnreceivedDefaults(
  fields: Fields,
  record: EntityRecord,
  stamp: Stamp,
): Fields {
  const { unreceived } = record.versions;
  if (unreceived.length === 0) return fields;
  const isDefault = (name: string) =>
    unreceived.includes(name) &&
    stamp.own?.has(name) !== true &&
    equal(fields[name], record.confirmedFields?.[name]);
  return filterFields(fields, (name) => !isDefault(name));
}

/** Drops own fields superseded by a later own write from before the entity was deleted. The primary key stays. */
export function withoutSupersededFields(
  fields: Fields,
  { versions, kind }: EntityRecord,
  own: NonNullable<Stamp['own']>,
  time: number,
): Fields {
  const key = kind.descriptor.declaredPkField?.field;
  return filterFields(
    fields,
    (name) => name === key || !own.has(name) || !hasLaterOwnWrite(name, time, versions),
  );
}

function filterFields(fields: Fields, keep: (name: string) => boolean): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => keep(name)));
}
