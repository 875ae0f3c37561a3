/** What an entity is made of, and how unconfirmed writes lie over what is confirmed of it. */
import type { EntityKind } from '../schema/EntityKind.ts';
import { assign, equal, share } from '../schema/equal.ts';
import type { Form } from '../schema/Form.ts';
import { fieldOf } from '../schema/namesIn.ts';
import type { Fields, Node, Ref, Sink, StoredKind } from '../schema/schema.ts';
import { nodesOf, told } from '../schema/told.ts';
import { eachRecord } from './eachRecord.ts';
import type { Known } from './Known.ts';
import { isOutrun } from './order.ts';
import type { Stamp } from './order.ts';
import type { Record } from './Record.ts';

/** The fields of an entity, and its nested members in normalized form, in the order of the kind's plan. */
export interface Content {
  readonly fields: Fields;
  readonly nodes: readonly Node[];
}

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
  readonly known: Known;
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
export function fold(
  entity: Folded,
  base: Content | undefined,
  patches: readonly PendingPatch[],
  before: number = Infinity,
): Content | undefined {
  const claimed = entity.known.claim?.issued ?? 0;
  let content = base;
  for (const { issued, patch, makes } of patches) {
    if (issued >= before) break;
    const stands = issued >= claimed;
    if (patch === undefined) content = stands ? undefined : content;
    else if (content !== undefined || (stands && makes))
      content = patched(entity, content, patch, issued, base);
  }
  return content;
}

function patched(
  { kind, pk, known }: Folded,
  content: Content | undefined,
  patch: Patch,
  issued: number,
  base: Content | undefined,
): Content {
  const { merges, namedBy } = kind.plan;
  const key = namedBy?.field;
  // the write may know the entity by a temporary key: the key of what is there stays
  const names = (patch.form as Form).names.filter((name) =>
    name === key ? content === undefined : !isOutrun(name, issued, known),
  );
  if (content === undefined) {
    const made = overlaid(kind, { fields: kind.copy({}), nodes: patch.nodes }, names, patch);
    const { fields } = made;
    if (key !== undefined && names.includes(key) && String(fields[key]) !== pk)
      assign(fields, key, namedBy?.numeric === true ? Number(pk) : pk);
    return made;
  }
  return merges ? merged(kind, content, patch, names) : overlaid(kind, content, names, patch, base);
}

/**
 * The content with these fields of another over it: the same content where none of them is news. `shared`: content that
 * must not be changed; any other is changed in place.
 */
export function overlaid(
  kind: EntityKind,
  content: Content,
  names: readonly string[],
  over: Content,
  shared?: Content,
): Content {
  const { positions, shadowed } = kind.plan;
  let { fields, nodes } = content;
  for (const name of names) {
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
function merged(
  { Class, plan: { nested } }: EntityKind,
  content: Content,
  patch: Patch,
  names: readonly string[],
): Content {
  const said = told(patch.fields, nested, patch.nodes);
  const incoming = Object.fromEntries(names.map((name) => [name, said[name]]));
  const existing = told(content.fields, nested, content.nodes);
  const fields = Class.merge(existing, incoming);
  const from = [[incoming, patch.nodes] as const, [existing, content.nodes] as const];
  return { fields, nodes: nodesOf(fields, nested, from, sinkOver([patch.nodes, content.nodes])) };
}

/** Knows the records in these nodes, and takes nothing. */
function sinkOver(nodes: Node): Sink {
  const known: Record[] = [];
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
  one: Content | undefined,
  other: Content | undefined,
): boolean {
  if (one === other) return true;
  if (one === undefined || other === undefined || !equal(one.nodes, other.nodes)) return false;
  const names = new Set([...Object.keys(one.fields), ...Object.keys(other.fields)]);
  for (const name of names)
    if (!positions.has(name) && !equal(one.fields[name], other.fields[name])) return false;
  return true;
}
