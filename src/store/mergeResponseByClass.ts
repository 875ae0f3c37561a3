/** Runs the user-defined merge functions of an entity class on a response. */
import type { EntityKind } from '../schema/EntityKind.ts';
import { setOwn, equal } from '../schema/equal.ts';
import type { Fields, Node, Sink } from '../schema/schema.ts';
import { renormalizeMerged, toInputForm } from '../schema/toInputForm.ts';
import type { EntityContent } from './EntityContent.ts';
import type { EntityRecord } from './EntityRecord.ts';
import { metaOf } from './versioning.ts';
import type { Stamp } from './versioning.ts';

interface MergeInput extends EntityContent {
  readonly kind: EntityKind;
}

interface MergeOutput extends EntityContent {
  /** Set if the class decides about its metadata. */
  readonly classStamp: Stamp | undefined;
}

/**
 * All changes by merge() or mergeWithStore() count as written. Must be called while the response is staged: if these
 * functions throw, nothing has been written.
 */
export function mergeResponseByClass(
  record: EntityRecord,
  { fields, nodes, kind }: MergeInput,
  stamp: Stamp,
  sink: Sink,
): MergeOutput {
  const { stagedPatch, confirmedFields, confirmedNodes } = record;
  if (stagedPatch === undefined && !record.isConfirmed)
    return { fields, nodes, classStamp: undefined };
  const { nested, bypassesVersioning: decides } = kind.descriptor;
  const before = nested.map((_, at) => {
    const node = stagedPatch?.nodes[at];
    return node === undefined ? confirmedNodes[at] : node;
  });
  const existing = toInputForm({ ...confirmedFields, ...stagedPatch?.fields }, nested, before);
  const incoming = toInputForm(fields, nested, nodes);
  const merged = callClassMerge(record, stamp, existing, incoming);
  // a field never received counts as received now only if the merged value equals the incoming one
  const left = record.versions.unreceived.filter((name) => equal(merged[name], incoming[name]));
  const written = Object.keys(merged).filter(
    (name) =>
      merged[name] !== existing[name] ||
      (Object.hasOwn(fields, name) && (!decides || left.includes(name))),
  );
  const out: Fields = {};
  for (const name of written) setOwn(out, name, merged[name]);
  const from: readonly (readonly [Fields, readonly Node[]])[] = [
    [incoming, nodes],
    [existing, before],
  ];
  return {
    fields: out,
    nodes: renormalizeMerged(merged, nested, from, sink),
    classStamp: stampFromClass(record, stamp, existing, incoming),
  };
}

function callClassMerge(
  { kind, versions }: EntityRecord,
  stamp: Stamp,
  existing: Fields,
  incoming: Fields,
): Fields {
  if (!kind.descriptor.bypassesVersioning) return kind.Class.merge(existing, incoming);
  return kind.Class.mergeWithStore(metaOf(versions.stamp), metaOf(stamp), existing, incoming);
}

function stampFromClass(
  { kind, versions }: EntityRecord,
  stamp: Stamp,
  existing: Fields,
  incoming: Fields,
): Stamp | undefined {
  if (!kind.descriptor.overridesExpiry) return undefined;
  const [was, is] = [metaOf(versions.stamp), metaOf(stamp)];
  const meta = kind.Class.mergeMetaWithStore(was, is, existing, incoming);
  return { time: meta.fetchedAt, fetchedAt: meta.date, expiresAt: meta.expiresAt };
}
