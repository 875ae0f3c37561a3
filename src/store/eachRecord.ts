/** The records in a node, whatever is around them. */
import { isPlain } from '../schema/equal.ts';
import { Composite } from '../schema/schema.ts';
import type { Node } from '../schema/schema.ts';
import { Record } from './Record.ts';

/** True when `node` contains `child`; arrays and plain objects around records are followed. */
export function reaches(node: Node, child: Record): boolean {
  if (node === child) return true;
  let found = false;
  eachInner(node, (inner) => {
    found ||= reaches(inner, child);
  });
  return found;
}

/** Calls `visit` with each record in `node`. */
export function eachRecord(node: Node, visit: (record: Record) => void): void {
  if (node instanceof Record) visit(node);
  else eachInner(node, (inner) => eachRecord(inner, visit));
}

function eachInner(node: Node, visit: (inner: Node) => void): void {
  if (typeof node !== 'object' || node === null || node instanceof Record) return;
  if (node instanceof Composite) {
    visit(node.inner);
    return;
  }
  if (Array.isArray(node)) {
    for (const inner of node as Node[]) visit(inner);
    return;
  }
  if (isPlain(node)) for (const inner of Object.values(node)) visit(inner);
}
