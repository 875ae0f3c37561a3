/** Replaces a record by another record of the same entity, everywhere in the store. */
import { isPlainObject } from '../schema/equal.ts';
import { Composite } from '../schema/schema.ts';
import type { Node } from '../schema/schema.ts';
import type { GcTable } from './RecordAges.ts';
import type { EntityRecord } from './EntityRecord.ts';
import { containsRecord } from './eachRecord.ts';
import { StoreRecord } from './StoreRecord.ts';
import type { Builder } from './StoreRecord.ts';

export interface ReplacementStore extends Builder {
  readonly layers: {
    beforeWrite<R extends StoreRecord>(record: R): R;
    movePatches(record: EntityRecord, other: EntityRecord): void;
  };
  gcTables(): Iterable<GcTable>;
}

/** Scans the whole store. Needed if a read brought the new key before the response of the key change did. */
export function replaceEntity(store: ReplacementStore, from: EntityRecord, to: EntityRecord): void {
  const swap = (node: Node): Node => replaceIn(node, from, to);
  for (const { records } of store.gcTables())
    for (const record of records.values())
      if (containsRecord(record.gcEdges(), from))
        store.layers.beforeWrite(record).replaceParts?.(swap, store);
}

/** Returns the same node if `from` is not in it. */
function replaceIn(node: Node, from: StoreRecord, to: StoreRecord): Node {
  if (node === from) return to;
  if (node instanceof StoreRecord) return node;
  if (Array.isArray(node)) {
    if (!node.includes(from))
      return keepIfEqual(
        node,
        node.map((inner) => replaceIn(inner, from, to)),
      );
    return node.includes(to)
      ? node.filter((one) => one !== from)
      : node.map((one) => (one === from ? to : one) as Node);
  }
  if (node instanceof Composite) {
    const inner = replaceIn(node.inner, from, to);
    return inner === node.inner ? node : (node.withInner?.(inner) ?? node);
  }
  if (!isPlainObject(node)) return node;
  const entries = Object.entries(node).map(([name, inner]) => [name, replaceIn(inner, from, to)]);
  return keepIfEqual(node, Object.fromEntries(entries) as object);
}

function keepIfEqual(old: object, next: object): object {
  const same = Object.entries(next).every(
    ([name, value]) => (old as { [name: string]: unknown })[name] === value,
  );
  return same ? old : next;
}
