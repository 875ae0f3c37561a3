/** What an entity is made of, and how unconfirmed writes lie over what is confirmed of it. */
import type { EntityKind } from '../schema/EntityKind.ts';
import { withKey } from '../schema/EntityPlan.ts';
import { assign, equal, share } from '../schema/equal.ts';
import type { Form } from '../schema/Form.ts';
import { fieldOf } from '../schema/namesIn.ts';
import type { Fields, Node, Ref, Sink, StoredKind } from '../schema/schema.ts';
import { renormalizeMerged, toInputForm } from '../schema/toInputForm.ts';
import { eachRecord } from './eachRecord.ts';
import type { EntityContent } from './EntityContent.ts';
import type { FieldVersions } from './FieldVersions.ts';
import { isSuperseded } from './versioning.ts';
import type { Stamp } from './versioning.ts';
import type { StoreRecord } from './StoreRecord.ts';

/** What a response or an unconfirmed write says of one entity. `form` and `instance` are filled in when all is laid out. */
export interface Patch<R = unknown> {
  readonly record: R;
  /** Of the most derived class as which it was laid out or is stored. */
  kind: EntityKind;
  fields: Fields;
  nodes: readonly Node[];
  form: Form | undefined;
  /** The instance to be, where the entity was missing. */
  instance: Fields | undefined;
  /** What a class that decides about its metadata made of the stamp. */
  stamp: Stamp | undefined;
  /** The response is that of its creation, which stands: existence is what that wrote itself. */
  created: boolean;
}

/** What one unconfirmed write does to an entity. */
export interface PendingPatch {
  /** Logical time at which the write was issued. */
  readonly issued: number;
  /** Undefined: the write deletes the entity. */
  readonly patch: Patch | undefined;
  /** It makes the entity where it is not there; a change shows nothing without it. */
  readonly makes: boolean;
}

/** An entity, as far as a fold needs it. */
interface Folded {
  readonly kind: EntityKind;
  readonly pk: string;
  readonly versions: FieldVersions;
}

/*
 *   readers   { title: 'b', done: true }
 *     #7                    done: true      what readers see is the base with the unconfirmed writes over it, in the
 *     #4        title: 'b'                  order in which they were issued
 *   base      { title: 'a', done: false }
 *
 * A write says nothing any more where an own write of the field, or an own creation or deletion of the entity, is
 * confirmed that was issued later.
 */
export function foldPatches(
  entity: Folded,
  base: EntityContent | undefined,
  patches: readonly PendingPatch[],
  before: number = Infinity,
): EntityContent | undefined {
  const claimed = entity.versions.existence?.issued ?? 0;
  let content = base;
  for (const pending of patches) {
    const { issued, patch, makes } = pending;
    if (issued >= before) break;
    const stands = issued >= claimed;
    if (patch === undefined) content = stands ? undefined : content;
    else if (content !== undefined) content = applyPatch(entity, content, pending, base);
    else if (stands && makes) content = made(entity, pending);
  }
  return content;
}

/** The fields that the write still says something of. */
function namesOf({ versions: known }: Folded, { issued, patch }: PendingPatch): readonly string[] {
  const { names } = (patch as Patch).form as Form;
  return names.filter((name) => !isSuperseded(name, issued, known));
}

function applyPatch(
  entity: Folded,
  content: EntityContent,
  pending: PendingPatch,
  base: EntityContent | undefined,
): EntityContent {
  const { kind } = entity;
  const { fields, nodes } = pending.patch as Patch;
  const key = kind.plan.namedBy?.field;
  // the write may know the entity by a temporary key: the key of what is there stays
  const names = namesOf(entity, pending).filter((name) => name !== key);
  const over = { fields, nodes, names };
  return kind.plan.merges
    ? mergeByClass(kind, content, over)
    : overlayFields(kind, content, over, base);
}

function made(entity: Folded, pending: PendingPatch): EntityContent {
  const { kind, pk } = entity;
  const { fields, nodes } = pending.patch as Patch;
  const { namedBy } = kind.plan;
  const names = namesOf(entity, pending);
  const over = { fields, nodes, names };
  const content = overlayFields(kind, { fields: kind.copy({}), nodes }, over);
  const key = namedBy?.field ?? '';
  if (String(fields[key]) === pk) assign(content.fields, key, fields[key]);
  else if (fields[key] !== undefined) withKey(kind.plan, content.fields, pk);
  return content;
}

/** EntityContent of which only these fields count. */
interface Named extends EntityContent {
  readonly names: readonly string[];
}

/**
 * The content with these fields of another over it: the same content where none of them is news. `shared`: content that
 * must not be changed; any other is changed in place.
 */
export function overlayFields(
  kind: EntityKind,
  content: EntityContent,
  over: Named,
  shared?: EntityContent,
): EntityContent {
  const { positions, shadowed } = kind.plan;
  let { fields, nodes } = content;
  for (const name of over.names) {
    const at = positions.get(name);
    if (at !== undefined) {
      const node = share(nodes[at], over.nodes[at]);
      if (Object.is(node, nodes[at])) continue;
      if (nodes === content.nodes) nodes = nodes.slice();
      (nodes as Node[])[at] = node;
    } else if (!shadowed.has(name)) {
      const old = ownValue(fields, name);
      const next = share(old, over.fields[name]);
      if (Object.is(next, old)) continue;
      if (fields === shared?.fields) fields = kind.copy(fields);
      assign(fields, name, next);
    }
  }
  const isSame = fields === content.fields && nodes === content.nodes;
  return isSame ? content : { fields, nodes };
}

/** What every object inherits is no field; what a setter of the class took in, its getter tells. */
export function ownValue(fields: Fields, name: string): unknown {
  return name in Object.prototype ? fieldOf(fields, name) : fields[name];
}

/** As a merge() of the user's has it. Nothing is stored for it: what it names anew waits for the response. */
function mergeByClass(
  { Class, plan: { nested } }: EntityKind,
  content: EntityContent,
  over: Named,
): EntityContent {
  const said = toInputForm(over.fields, nested, over.nodes);
  const incoming = Object.fromEntries(over.names.map((name) => [name, said[name]]));
  const existing = toInputForm(content.fields, nested, content.nodes);
  const fields = Class.merge(existing, incoming);
  const from = [[incoming, over.nodes] as const, [existing, content.nodes] as const];
  return {
    fields,
    nodes: renormalizeMerged(fields, nested, from, sinkOver([over.nodes, content.nodes])),
  };
}

/** Knows the records in these nodes, and takes nothing. */
function sinkOver(nodes: Node): Sink {
  const known: StoreRecord[] = [];
  eachRecord(nodes, (record) => known.push(record));
  const ref: Sink['ref'] = ({ table }, pk) =>
    known.find(
      (record) => (record.kind as StoredKind | undefined)?.table === table && record.pk === pk,
    ) as Ref;
  const no = () => {};
  return { ref, stored: Boolean, put: no, remove: no, fill: no, enter: no };
}

/** True where two contents of one entity read the same. */
export function sameContent(
  { plan: { positions } }: EntityKind,
  one: EntityContent | undefined,
  other: EntityContent | undefined,
): boolean {
  if (one === other) return true;
  if (one === undefined || other === undefined || !equal(one.nodes, other.nodes)) return false;
  const names = new Set([...Object.keys(one.fields), ...Object.keys(other.fields)]);
  for (const name of names)
    if (!positions.has(name) && !equal(one.fields[name], other.fields[name])) return false;
  return true;
}
