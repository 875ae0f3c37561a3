/** Joins the responses of several pages: lists grow, everything else comes from the last page. */
import { ObjectNode } from '../../schema/containers.ts';
import { setOwn } from '../../schema/fieldOf.ts';
import { equal } from '../../schema/equal.ts';
import type { Fields, NormalizedNode } from '../../schema/schema.ts';
import { replaceFirstPageMembers } from '../records/diffMembers.ts';
import { ListRecord } from '../lists/ListRecord.ts';
import { StoreRecord } from '../records/StoreRecord.ts';
import { eachRecord } from '../records/eachRecord.ts';

type JoinRows = (there: readonly NormalizedNode[], page: NormalizedNode[]) => NormalizedNode[];

/** `there` with one more page. `newer`: data beside the rows of the page replace the previous data. */
export function appendPage(
  there: NormalizedNode,
  page: NormalizedNode,
  newer: boolean,
  join: JoinRows = appendNewRows,
): NormalizedNode {
  if (isRows(there) && isRows(page)) return join(there, page);
  if (!(there instanceof ObjectNode && page instanceof ObjectNode)) {
    return newer && page !== undefined ? page : there;
  }
  const [under, over] = newer ? [there, page] : [page, there];
  const inner: Fields = {};
  for (const name in { ...there.inner, ...page.inner })
    setOwn(inner, name, appendPage(there.inner[name], page.inner[name], newer, join));
  return new ObjectNode({ ...under.rest, ...over.rest }, inner);
}

/** `there` after a refetch of its first page. If lists go on behind it, the other data stay as in the last page. */
export function replaceFirstPage(there: NormalizedNode, first: NormalizedNode): NormalizedNode {
  return keepsFurtherPages(there, first)
    ? appendPage(there, first, false, replaceFirstPageMembers)
    : first;
}

function keepsFurtherPages(there: NormalizedNode, first: NormalizedNode): boolean {
  if (first instanceof ListRecord) return first.hasFurtherPages;
  if (isRows(there) && isRows(first))
    return replaceFirstPageMembers(there, first).length > first.length;
  if (!(there instanceof ObjectNode && first instanceof ObjectNode)) return false;
  return Object.keys(first.inner).some((name) =>
    keepsFurtherPages(there.inner[name], first.inner[name]),
  );
}

/** True for an array of records, and for an empty array, which may be one. */
function isRows(node: NormalizedNode): node is NormalizedNode[] {
  if (!Array.isArray(node)) return false;
  let holds = node.length === 0;
  eachRecord(node, () => (holds = true));
  return holds;
}

function appendNewRows(there: readonly NormalizedNode[], page: NormalizedNode[]): NormalizedNode[] {
  const known = new Set(there);
  const others = there.filter((row) => !(row instanceof StoreRecord));
  const fresh = page.filter((row) => !known.has(row) && !others.some((other) => equal(other, row)));
  return [...there, ...fresh];
}
