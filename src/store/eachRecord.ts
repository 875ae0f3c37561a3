/** Traversal of the records in a node, inside of arrays, plain objects and composites. */
import { isPlainObject } from '../schema/equal.ts';
import { Composite } from '../schema/schema.ts';
import type { Node } from '../schema/schema.ts';
import { StoreRecord } from './StoreRecord.ts';

/** True if `node` contains `child`, at any depth of arrays, plain objects and composites. */
export function containsRecord(node: Node, child: StoreRecord): boolean {
  let found = false;
  eachRecord(node, (record) => (found ||= record === child));
  return found;
}

/** As `reachableRecords`, without optimistic writes. */
export function reachableConfirmed(node: Node): Set<StoreRecord> {
  return reachableRecords(node, (record) => record.confirmedParts());
}

/** The records in a node and, recursively, the records in their parts. */
export function reachableRecords(
  node: Node,
  partsOf: (record: StoreRecord) => Node = shownParts,
): Set<StoreRecord> {
  const found = new Set<StoreRecord>();
  const find = (record: StoreRecord) => found.add(record);
  eachRecord(node, find);
  // the loop visits entries added to the set meanwhile
  for (const record of found) eachRecord(partsOf(record), find);
  return found;
}

const shownParts = (record: StoreRecord) => record.parts();

/** Calls `visit` with each record in `node`. */
export function eachRecord(node: Node, visit: (record: StoreRecord) => void): void {
  if (node instanceof StoreRecord) visit(node);
  else if (node instanceof Composite) eachRecord(node.inner, visit);
  else if (Array.isArray(node)) for (const inner of node as Node[]) eachRecord(inner, visit);
  else if (isPlainObject(node)) eachRecord(Object.values(node), visit);
}

/** Returns a predicate: true for the records in `root`. */
export function containsRecordTest(root: Node): (record: StoreRecord) => boolean {
  if (root instanceof StoreRecord) return (record) => record === root;
  const roots = new Set<StoreRecord>();
  eachRecord(root, (record) => roots.add(record));
  return (record) => roots.has(record);
}

/** Links a new parent to the records in its nodes; `unlinks`: unlinks a former parent. */
export function linkParts(parent: StoreRecord, nodes: readonly Node[], unlinks: boolean): void {
  for (const node of nodes) {
    if (node instanceof StoreRecord)
      if (unlinks) node.removeParent(parent);
      else node.appendParent(parent);
    else if (Array.isArray(node)) linkParts(parent, node, unlinks);
    else if (node) eachRecord(node, (record) => linkParts(parent, [record], unlinks));
  }
}

function isEmptyNode(node: Node): boolean {
  return node === undefined || (Array.isArray(node) && node.length === 0);
}

/** Links `parent` to the records in `next`, and unlinks the records in `old` that are not in `all` of its nodes. */
export function relinkParts(parent: StoreRecord, old: Node, next: Node, all: Node = next): void {
  if (old === next) return;
  if (isEmptyNode(old)) return linkParts(parent, [next], false);
  if (isEmptyNode(next) && all === next) return linkParts(parent, [old], true);
  eachRecord(next, (record) => record.addParent(parent));
  const stay = new Set<StoreRecord>();
  eachRecord(all, (record) => stay.add(record));
  eachRecord(old, (record) => {
    if (!stay.has(record)) record.removeParent(parent);
  });
}
