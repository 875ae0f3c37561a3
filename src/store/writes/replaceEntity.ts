/** Replaces a record by another record of the same entity in all confirmed data. */
import { isPlainObject, replaceEqualDeep } from '../../schema/equal.ts';
import { Composite } from '../../schema/schema.ts';
import type { Node } from '../../schema/schema.ts';
import type { DraftStore } from './DraftStore.ts';
import type { EntityRecord } from '../entities/EntityRecord.ts';
import { containsRecord } from '../records/eachRecord.ts';
import { StoreRecord } from '../records/StoreRecord.ts';

/**
 * Replaces a record in the confirmed data of all records, which scans the whole store; `Layers.movePatches` moves the
 * patches of layers. Needed if a read brought the new key before the response of the key change did.
 */
export function replaceEntity(store: DraftStore, from: EntityRecord, to: EntityRecord): void {
  const swap = (node: Node): Node => replaceEqualDeep(node, replaceIn(node, from, to));
  for (const { records } of store.gcTables())
    for (const record of records.values())
      if (containsRecord(record.gcEdges(), from))
        store.layers.beforeWrite(record).replaceParts?.(swap, store);
}

/** A copy of the node with `to` in place of `from`; an array with both keeps `to` in its place. */
function replaceIn(node: Node, from: StoreRecord, to: StoreRecord): Node {
  if (node === from) return to;
  if (node instanceof StoreRecord) return node;
  const replace = (inner: Node): Node => replaceIn(inner, from, to);
  if (Array.isArray(node)) {
    const members: readonly Node[] = node;
    return (members.includes(to) ? members.filter((one) => one !== from) : members).map(replace);
  }
  if (node instanceof Composite) return node.withInner?.(replace(node.inner)) ?? node;
  if (!isPlainObject(node)) return node;
  return Object.fromEntries(Object.entries(node).map(([name, inner]) => [name, replace(inner)]));
}
