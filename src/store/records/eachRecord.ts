/** Traversal of the records in a node, inside of arrays, plain objects and composites. */
import { isPlainObject } from '../../schema/fieldOf.ts';
import { Composite } from '../../schema/schema.ts';
import type { NormalizedNode } from '../../schema/schema.ts';
import { StoreRecord } from './StoreRecord.ts';

/** True if `node` contains `child`, at any depth of arrays, plain objects and composites. */
export function containsRecord(node: NormalizedNode, child: StoreRecord): boolean {
  return recordsIn(node).has(child);
}

/** The records in `node`. */
export function recordsIn(node: NormalizedNode): Set<StoreRecord> {
  const found = new Set<StoreRecord>();
  eachRecord(node, (record) => found.add(record));
  return found;
}

/** As `reachableRecords`, without optimistic writes. */
export function reachableConfirmed(node: NormalizedNode): Set<StoreRecord> {
  return reachableRecords(node, (record) => record.confirmedParts());
}

/** The records in a node and, recursively, the records in their parts. */
export function reachableRecords(
  node: NormalizedNode,
  partsOf: (record: StoreRecord) => NormalizedNode = (record) => record.parts(),
): Set<StoreRecord> {
  const found = recordsIn(node);
  // the loop visits entries added to the set meanwhile
  for (const record of found) eachRecord(partsOf(record), (part) => found.add(part));
  return found;
}

/** Calls `visit` with each record in `node`. */
export function eachRecord(node: NormalizedNode, visit: (record: StoreRecord) => void): void {
  if (node instanceof StoreRecord) visit(node);
  else if (node instanceof Composite) eachRecord(node.inner, visit);
  else if (Array.isArray(node))
    for (const inner of node as NormalizedNode[]) eachRecord(inner, visit);
  else if (isPlainObject(node)) eachRecord(Object.values(node), visit);
}

/** Links a new parent to the records in `nodes`. */
export function linkParts(parent: StoreRecord, nodes: readonly NormalizedNode[]): void {
  for (const node of nodes) {
    if (node instanceof StoreRecord) node.addParent(parent, true);
    else if (Array.isArray(node)) linkParts(parent, node);
    else if (node) eachRecord(node, (record) => record.addParent(parent, true));
  }
}

/** Links `parent` to the records in `next`, and unlinks the records in `old` that are not in `all`, its nodes. */
export function relinkParts(
  parent: StoreRecord,
  old: NormalizedNode,
  next: NormalizedNode,
  all: NormalizedNode = next,
): void {
  if (old === next) return;
  if (isEmpty(old)) return linkParts(parent, [next]);
  if (!isEmpty(next)) eachRecord(next, (record) => record.addParent(parent));
  const stay = isEmpty(all) ? undefined : recordsIn(all);
  eachRecord(old, (record) => {
    if (stay?.has(record) !== true) record.removeParent(parent);
  });
}

function isEmpty(node: NormalizedNode): boolean {
  return node === undefined || (Array.isArray(node) && node.length === 0);
}
