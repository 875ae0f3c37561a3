/** Runs the user-defined merge functions of an entity class on a response. */
import type { EntityKind } from '../schema/EntityKind.ts';
import type { Meta } from '../schema/EntityStatics.ts';
import { assign, equal } from '../schema/equal.ts';
import type { Fields, Node, Sink } from '../schema/schema.ts';
import { renormalizeMerged, toInputForm } from '../schema/toInputForm.ts';
import type { EntityContent } from './EntityContent.ts';
import type { EntityRecord } from './EntityRecord.ts';
import type { Stamp } from './versioning.ts';

interface Given extends EntityContent {
  readonly kind: EntityKind;
}

interface Merged extends EntityContent {
  /** Set if the class decides about its metadata. */
  readonly stamp: Stamp | undefined;
}

/**
 * All changes by merge() or mergeWithStore() count as written. Must be called while the response is staged: if these
 * functions throw, nothing has been written.
 */
export function mergedByClass(
  record: EntityRecord,
  { fields, nodes, kind }: Given,
  stamp: Stamp,
  sink: Sink,
): Merged {
  const { patch, confirmedFields, confirmedNodes } = record;
  if (patch === undefined && !record.isConfirmed) return { fields, nodes, stamp: undefined };
  const { nested, hasMergeWithStore: decides } = kind.plan;
  const before = nested.map((_, at) => {
    const node = patch?.nodes[at];
    return node === undefined ? confirmedNodes[at] : node;
  });
  const existing = toInputForm({ ...confirmedFields, ...patch?.fields }, nested, before);
  const incoming = toInputForm(fields, nested, nodes);
  const merged = decided(record, stamp, existing, incoming);
  // a field never received counts as received now only if the merged value equals the incoming one
  const left = record.versions.unreceived.filter((name) => equal(merged[name], incoming[name]));
  const written = Object.keys(merged).filter(
    (name) =>
      merged[name] !== existing[name] ||
      (Object.hasOwn(fields, name) && (!decides || left.includes(name))),
  );
  const out: Fields = {};
  for (const name of written) assign(out, name, merged[name]);
  const from: readonly (readonly [Fields, readonly Node[]])[] = [
    [incoming, nodes],
    [existing, before],
  ];
  return {
    fields: out,
    nodes: renormalizeMerged(merged, nested, from, sink),
    stamp: stampBy(record, stamp, existing, incoming),
  };
}

function decided(
  { kind, versions }: EntityRecord,
  stamp: Stamp,
  existing: Fields,
  incoming: Fields,
): Fields {
  if (!kind.plan.hasMergeWithStore) return kind.Class.merge(existing, incoming);
  return kind.Class.mergeWithStore(metaOf(versions.stamp), metaOf(stamp), existing, incoming);
}

function stampBy(
  { kind, versions }: EntityRecord,
  stamp: Stamp,
  existing: Fields,
  incoming: Fields,
): Stamp | undefined {
  if (!kind.plan.hasMergeMeta) return undefined;
  const [was, is] = [metaOf(versions.stamp), metaOf(stamp)];
  const meta = kind.Class.mergeMetaWithStore(was, is, existing, incoming);
  return { time: meta.fetchedAt, fetchedAt: meta.date, expiresAt: meta.expiresAt };
}

function metaOf({ time, fetchedAt, expiresAt }: Stamp): Meta {
  return { fetchedAt: time, date: fetchedAt, expiresAt };
}
