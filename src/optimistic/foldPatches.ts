/** The fold of an entity: the confirmed content with the patches of optimistic writes applied. */
import type { EntityKind, RecordShape } from '../schema/EntityKind.ts';
import type { Meta } from '../schema/EntityStatics.ts';
import { replaceEqualDeep } from '../schema/equal.ts';
import { setOwn } from '../schema/fieldOf.ts';
import { renormalizeMerged, toInputForm } from '../schema/normalize.ts';
import type { NormalizedNode, Ref, Sink, StoredKind } from '../schema/schema.ts';
import { withPk } from '../schema/toPk.ts';
import { readFieldSafely } from '../store/entities/EntityContent.ts';
import type {
  EntityContent,
  PartialContent,
  EntityPatch,
} from '../store/entities/EntityContent.ts';
import type { FieldVersions } from '../store/entities/FieldVersions.ts';
import type { StoreRecord } from '../store/records/StoreRecord.ts';
import { eachRecord } from '../store/records/eachRecord.ts';
import { hasLaterOwnWrite, metaOf } from '../store/records/versioning.ts';
import type { Draft } from '../store/writes/Draft.ts';
import { countBefore } from './insertByIssueTime.ts';
import type { PendingMove } from './findMoves.ts';

/** The part of a layer that patches use. */
interface PatchLayer {
  creates(entity: never): boolean;
  /** Undefined: the layer shows nothing. */
  readonly draft?: Draft | undefined;
  /** The patch hides an echo: no later write of the entity supersedes the patch. */
  readonly hidesEcho?: true;
  /** Of a patch that ended when the entity was deleted: computes the patch again, as if the entity had this content. */
  patchOver?(content: EntityContent): EntityPatch | undefined;
}

/** The effect of an optimistic write on an entity. */
export interface PendingPatch {
  /** Logical time at which the write was issued. */
  readonly issued: number;
  /** Undefined: the write deletes the entity. */
  readonly patch: EntityPatch | undefined;
  /** The layer of the write. If `creates` returns true, the write creates a missing entity; else there is no effect. */
  readonly layer: PatchLayer;
  /** The moves between lists that follow from the fields, reused while they stay the same. */
  moves?: readonly PendingMove[];
  /** Of a class with its own statics: the last merge of this patch, reused while the input stays equal. */
  merge?: {
    readonly content: EntityContent;
    readonly names: string;
    readonly result: EntityContent;
  };
}

/** The part of an entity that a fold needs. */
export interface FoldableEntity {
  readonly kind: EntityKind;
  readonly pk: string;
  readonly versions: FieldVersions;
}

/*
 *   readers   { title: 'b', done: true }
 *     #7                    done: true      readers see the base with the optimistic writes applied in the order of
 *     #4        title: 'b'                  their issue
 *   base      { title: 'a', done: false }
 *
 * An optimistic write of a field is superseded when an own write of the field, or an own creation or deletion of the
 * entity, is confirmed that was issued later. The base is not changed.
 */
export function foldPatches(
  entity: FoldableEntity,
  base: EntityContent | undefined,
  patches: readonly PendingPatch[],
): EntityContent | undefined {
  const { kind, versions } = entity;
  const { hasAnyMerge, declaredPkField } = kind.descriptor;
  const claimed = versions.existenceWrite?.issued ?? 0;
  let content = base;
  for (const pending of patches) {
    const { issued, patch, layer } = pending;
    const stands = issued >= claimed || layer.hidesEcho === true;
    if (patch === undefined) {
      if (stands) content = undefined;
      continue;
    }
    if (content === undefined && !(stands && layer.creates(entity as never))) continue;
    // the write may have a temporary key of the entity: the key of the content stays
    const keyField = content && declaredPkField?.field;
    const { fields, nodes, recordShape } = patch;
    const names = (recordShape as RecordShape).names.filter(
      (name) => name !== keyField && !hasLaterOwnWrite(name, issued, versions),
    );
    const over = { fields, nodes, names };
    if (content === undefined) content = createContent(entity, over);
    else if (hasAnyMerge) content = mergeOnce(pending, entity, content, over);
    else content = overlayFields(kind, content, over, base);
  }
  return content;
}

function createContent({ kind, pk }: FoldableEntity, patch: PartialContent): EntityContent {
  const { nodes } = patch;
  const content = overlayFields(kind, { fields: kind.copyInstance({}), nodes }, patch);
  const key = kind.descriptor.declaredPkField?.field ?? '';
  // the write may have another key of the entity, for example a temporary key
  if (patch.fields[key] !== undefined && String(content.fields[key]) !== pk)
    withPk(kind.descriptor, content.fields, pk);
  return content;
}

/**
 * The patch merged by the statics of the class. If the input equals the input of the last merge, as for all patches
 * above a confirmed patch, the former result counts: a user function is not called again.
 */
function mergeOnce(
  pending: PendingPatch,
  entity: FoldableEntity,
  content: EntityContent,
  over: PartialContent,
): EntityContent {
  const { merge } = pending;
  const names = JSON.stringify(over.names);
  if (merge?.names === names && hasSameFields(entity.kind, merge.content, content))
    return merge.result;
  const result = foldByClass(entity, content, over);
  // `mergeWithStore` sees the time of the confirmed content, which each response changes
  if (!entity.kind.descriptor.bypassesVersioning) pending.merge = { content, names, result };
  return result;
}

function hasSameFields(kind: EntityKind, content: EntityContent, other: EntityContent): boolean {
  if (content === other) return true;
  const names = [
    ...kind.descriptor.nestedIndexes.keys(),
    ...Object.keys({ ...content.fields, ...other.fields }),
  ];
  return overlayFields(kind, content, { ...other, names }, content) === content;
}

/**
 * The content with the fields of `over` applied; the same content if none of these fields differs. `shared`: content
 * that must not be changed; any other content is changed in place.
 */
export function overlayFields(
  kind: EntityKind,
  content: EntityContent,
  over: PartialContent,
  shared?: EntityContent,
): EntityContent {
  const { nestedIndexes, computedFields } = kind.descriptor;
  let { fields, nodes } = content;
  for (const name of over.names) {
    const at = nestedIndexes.get(name);
    if (at !== undefined) {
      const node = replaceEqualDeep(nodes[at], over.nodes[at]);
      if (Object.is(node, nodes[at])) continue;
      if (nodes === content.nodes) nodes = nodes.slice();
      (nodes as NormalizedNode[])[at] = node;
    } else if (!computedFields.has(name)) {
      const old = readFieldSafely(fields, name);
      const next = replaceEqualDeep(old, over.fields[name]);
      if (Object.is(next, old)) continue;
      if (fields === shared?.fields) fields = kind.copyInstance(fields);
      setOwn(fields, name, next);
    }
  }
  const isSame = fields === content.fields && nodes === content.nodes;
  return isSame ? content : { fields, nodes };
}

/** What holds a field of an entity that exists: the last optimistic write of the field that stands, else the base. */
export function lastWriteOf(
  name: string,
  { kind, versions }: FoldableEntity,
  {
    base,
    patches,
  }: { readonly base: EntityContent | undefined; readonly patches: readonly PendingPatch[] },
): EntityContent {
  const isKey = name === kind.descriptor.declaredPkField?.field;
  // many patches may share a shape
  let other: RecordShape | undefined;
  for (let at = patches.length - 1; at >= 0 && !isKey; at--) {
    const { issued, patch } = patches[at] as PendingPatch;
    if (patch === undefined || patch.recordShape === other) continue;
    if (patch.recordShape?.names.includes(name)) {
      // the own write supersedes all patches before this one, too
      return hasLaterOwnWrite(name, issued, versions) ? (base as EntityContent) : patch;
    }
    other = patch.recordShape;
  }
  return base as EntityContent;
}

/** Logical time at which the next patch after `issued` was issued that overwrites the field; Infinity: none. */
export function nextWriteAfter(
  name: string,
  issued: number,
  { kind, versions }: FoldableEntity,
  patches: readonly PendingPatch[],
): number {
  // a patch never changes the primary key
  if (name === kind.descriptor.declaredPkField?.field) return issued < 0 ? Infinity : issued;
  let other: RecordShape | undefined;
  for (let at = countBefore(patches, issued + 1); at < patches.length; at++) {
    const { patch, issued: time } = patches[at] as PendingPatch;
    if (patch === undefined || patch.recordShape === other) continue;
    if (!patch.recordShape?.names.includes(name)) other = patch.recordShape;
    else if (!hasLaterOwnWrite(name, time, versions)) return time;
  }
  return Infinity;
}

/** An optimistic write is later than everything confirmed, unless `shouldReorder` of the class decides otherwise. */
const LATEST: Meta = { fetchedAt: Infinity, date: Infinity, expiresAt: Infinity };

/** Folds by the statics of the class. Stores nothing: new entities in their result wait for the response. */
function foldByClass(
  { kind, versions }: FoldableEntity,
  content: EntityContent,
  over: PartialContent,
): EntityContent {
  const { Class, descriptor } = kind;
  const { nested } = descriptor;
  const said = toInputForm(over.fields, nested, over.nodes);
  const incoming = Object.fromEntries(over.names.map((name) => [name, said[name]]));
  const existing = toInputForm(content.fields, nested, content.nodes);
  const fields = descriptor.bypassesVersioning
    ? Class.mergeWithStore(metaOf(versions.stamp), LATEST, existing, incoming)
    : Class.merge(existing, incoming);
  const from = [[incoming, over.nodes] as const, [existing, content.nodes] as const];
  return {
    fields,
    nodes: renormalizeMerged(fields, nested, from, readOnlySink([over.nodes, content.nodes])),
  };
}

/** A sink that finds the records in these nodes, and discards all writes. */
function readOnlySink(nodes: NormalizedNode): Sink {
  const known: StoreRecord[] = [];
  eachRecord(nodes, (record) => known.push(record));
  const ref: Sink['ref'] = ({ tableKey }, pk) =>
    known.find(
      (record) =>
        (record.kind as StoredKind | undefined)?.tableKey === tableKey && record.pk === pk,
    ) as Ref;
  const no = () => {};
  return { ref, exists: Boolean, put: no, remove: no, fill: no, stageListChange: no };
}
