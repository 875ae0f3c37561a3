/** How the answers of several pages make one: lists grow, everything else is as the last page says. */
import { ObjectNode } from '../schema/containers.ts';
import { equal } from '../schema/equal.ts';
import type { Fields, Node } from '../schema/schema.ts';
import { joined } from './joined.ts';
import { ListRecord } from './ListRecord.ts';
import { Record } from './Record.ts';
import { eachRecord } from './eachRecord.ts';

/** `there` with one more page; `newer`: what the page says beside its rows replaces what was said. */
export function paged(there: Node, page: Node, newer: boolean): Node {
  if (isRows(there) && isRows(page)) return [...there, ...page.filter(strangerTo(there))];
  if (!(there instanceof ObjectNode && page instanceof ObjectNode)) {
    return newer && page !== undefined ? page : there;
  }
  const rest = newer ? { ...there.rest, ...page.rest } : { ...page.rest, ...there.rest };
  return new ObjectNode(
    rest,
    byName(there.inner, page.inner, (a, b) => paged(a, b, newer)),
  );
}

/** `there` after its first page was read again; as long as lists go on behind it, the last page tells how. */
export function rejoined(there: Node, first: Node): Node {
  return goesOn(there, first) ? besideLists(there, first) : first;
}

function goesOn(there: Node, first: Node): boolean {
  if (first instanceof ListRecord) return first.paged;
  if (isRows(there) && isRows(first)) return joined(there, first).length > first.length;
  if (!(there instanceof ObjectNode && first instanceof ObjectNode)) return false;
  return Object.keys(first.inner).some((name) => goesOn(there.inner[name], first.inner[name]));
}

function besideLists(there: Node, first: Node): Node {
  if (isRows(there) && isRows(first)) return joined(there, first);
  if (!(there instanceof ObjectNode && first instanceof ObjectNode)) return there;
  const rest = { ...first.rest, ...there.rest };
  return new ObjectNode(rest, byName(there.inner, first.inner, besideLists));
}

/** An array of stored things; of one that is empty nobody can tell. */
function isRows(node: Node): node is Node[] {
  if (!Array.isArray(node)) return false;
  let holds = node.length === 0;
  eachRecord(node, () => (holds = true));
  return holds;
}

function byName(one: Fields, other: Fields, join: (a: Node, b: Node) => Node): Fields {
  const names = Object.keys({ ...one, ...other });
  return Object.fromEntries(names.map((name) => [name, join(one[name], other[name])]));
}

function strangerTo(rows: readonly Node[]): (row: Node) => boolean {
  const known = new Set(rows);
  const others = rows.filter((row) => !(row instanceof Record));
  return (row) => !known.has(row) && !others.some((other) => equal(other, row));
}
