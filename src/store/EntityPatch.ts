/** What a response or an unconfirmed write says of one entity, while it is laid out. */
import type { EntityKind } from '../schema/EntityKind.ts';
import { assign, equal } from '../schema/equal.ts';
import { fieldOf } from '../schema/namesIn.ts';
import type { Fields, Node } from '../schema/schema.ts';
import type { Patch } from './foldPatches.ts';
import type { EntityRecord } from './EntityRecord.ts';
import { isSuperseded } from './versioning.ts';
import type { Stamp } from './versioning.ts';

export type EntityPatch = Patch<EntityRecord>;

/** What is said of an entity. All have one shape, so that what is done with them is quick. */
export function patchOf(
  record: EntityRecord,
  fields: Fields,
  nodes: readonly Node[],
  kind: EntityKind,
): EntityPatch {
  const form = undefined;
  return { record, kind, fields, nodes, form, instance: form, stamp: form, created: false };
}

/** Of two classes that share a table, the one that extends the other. */
export function widest(one: EntityKind, other: EntityKind): EntityKind {
  return one === other || one.is(other) ? one : other;
}

/** The same entity twice in one response: later fields over earlier ones, and one write. Most say nothing new. */
export function again(patch: EntityPatch, fields: Fields, nodes: readonly Node[]): void {
  const before = patch.fields;
  for (const name in fields) {
    const value = fields[name];
    if (value === before[name] && typeof value !== 'function') continue;
    if (value === undefined || !Object.hasOwn(fields, name)) continue;
    if (equal(fieldOf(before, name), value)) continue;
    if (patch.fields === before) patch.fields = { ...before };
    assign(patch.fields, name, value);
  }
  for (let at = 0; at < nodes.length; at++) {
    const node = nodes[at];
    if (node !== undefined && node !== patch.nodes[at])
      patch.nodes = withNode(patch.nodes, at, node);
  }
}

function withNode(nodes: readonly Node[], at: number, node: Node): Node[] {
  const changed = nodes.slice();
  changed[at] = node;
  return changed;
}

/** Without the defaults that stand in a derived value for what was never received. */
export function received(fields: Fields, record: EntityRecord, stamp: Stamp): Fields {
  const { unreceived: left } = record.versions;
  if (stamp.derived !== true || left.length === 0) return fields;
  const isDefault = (name: string) =>
    left.includes(name) &&
    stamp.own?.has(name) !== true &&
    equal(fields[name], record.confirmedFields?.[name]);
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !isDefault(name)));
}

/** Without the own fields of which a later own write stands, from before the entity was deleted; its key stays. */
export function standing(
  fields: Fields,
  { versions: known, kind }: EntityRecord,
  { own, time }: Stamp,
): Fields {
  if (own === undefined || known.ownIssued === undefined) return fields;
  const key = kind.plan.namedBy?.field;
  const stand = ([name]: [string, unknown]) =>
    name === key || !own.has(name) || !isSuperseded(name, time, known);
  return Object.fromEntries(Object.entries(fields).filter(stand));
}
