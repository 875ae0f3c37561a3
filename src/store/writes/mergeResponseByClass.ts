/** Runs the user-defined merge functions of an entity class on a response. */
import type { EntityKind } from '../../schema/EntityKind.ts';
import type { Meta } from '../../schema/EntityStatics.ts';
import { setOwn } from '../../schema/fieldOf.ts';
import { equal } from '../../schema/equal.ts';
import type { Fields, Sink } from '../../schema/schema.ts';
import { renormalizeMerged, toInputForm } from '../../schema/normalize.ts';
import type { EntityContent } from '../entities/EntityContent.ts';
import type { EntityRecord } from '../entities/EntityRecord.ts';
import { metaOf } from '../records/versioning.ts';
import type { Stamp } from '../records/versioning.ts';

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
  const { descriptor, Class } = record.kind;
  const [was, is] = [metaOf(record.versions.stamp), metaOf(stamp)];
  const merged = descriptor.bypassesVersioning
    ? Class.mergeWithStore(was, is, existing, incoming)
    : Class.merge(existing, incoming);
  // a field never received counts as received now only if the merged value equals the incoming value
  const left = record.versions.unreceived.filter((name) => equal(merged[name], incoming[name]));
  const out: Fields = {};
  for (const name of Object.keys(merged)) {
    const isReceived = Object.hasOwn(fields, name) && (!decides || left.includes(name));
    if (isReceived || merged[name] !== existing[name]) setOwn(out, name, merged[name]);
  }
  const from = [[incoming, nodes] as const, [existing, before] as const];
  return {
    fields: out,
    nodes: renormalizeMerged(merged, nested, from, sink),
    classStamp: descriptor.overridesExpiry
      ? toStamp(Class.mergeMetaWithStore(was, is, existing, incoming))
      : undefined,
  };
}

function toStamp({ fetchedAt, date, expiresAt }: Meta): Stamp {
  return { time: fetchedAt, fetchedAt: date, expiresAt };
}
