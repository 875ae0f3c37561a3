/** Joins the nodes of several pages: lists grow, everything else comes from the last page. */
import { ObjectNode } from '../../schema/containers.ts';
import { setOwn } from '../../schema/fieldOf.ts';
import { equal } from '../../schema/equal.ts';
import type { Fields, NormalizedNode } from '../../schema/schema.ts';
import { replaceFirstPageMembers } from '../records/diffMembers.ts';
import { ListRecord } from '../lists/ListRecord.ts';
import type { PagePlacement } from '../lists/ListRecord.ts';
import { StoreRecord } from '../records/StoreRecord.ts';
import { eachRecord } from '../records/eachRecord.ts';

/** How the response of a page, or of all pages, changes the list. */
export interface PlacedResponse extends Pick<PagePlacement, 'following' | 'dropped' | 'isStale'> {
  /** The page is the last one: its members beside the rows count. */
  readonly isLast?: boolean;
  /** The response has all pages. */
  readonly isWhole?: boolean;
}

type JoinRows = (there: readonly NormalizedNode[], page: NormalizedNode[]) => NormalizedNode[];

/** `there` with one more page. `newer`: data beside the rows of the page replace the previous data. */
export function appendPage(
  there: NormalizedNode,
  page: NormalizedNode,
  newer: boolean,
  join: JoinRows = joinRowsAt({}),
): NormalizedNode {
  if (isRows(there) && isRows(page)) return join(there, page);
  if (!(there instanceof ObjectNode && page instanceof ObjectNode)) {
    return newer && page !== undefined ? page : there;
  }
  const last = newer ? page : there;
  const inner: Fields = {};
  for (const name in { ...there.inner, ...page.inner }) {
    const [one, two] = [there.inner[name], page.inner[name]];
    // a member that the last page leaves out has its default, unless it has rows
    const node =
      two === undefined && !holdsRows(one) ? last.inner[name] : appendPage(one, two, newer, join);
    if (node !== undefined) setOwn(inner, name, node);
  }
  return new ObjectNode(last.rest, inner);
}

function holdsRows(node: NormalizedNode): boolean {
  return isRows(node) || node instanceof ListRecord || node instanceof ObjectNode;
}

/** `there` after a refetch of its first page. If lists go on behind it, the other data stay as in the last page. */
export function replaceFirstPage(there: NormalizedNode, first: NormalizedNode): NormalizedNode {
  let goesOn = false;
  eachRecord(first, (record) => {
    goesOn ||= record instanceof ListRecord && record.hasFurtherPages;
  });
  const joined = appendPage(there ?? first, first, false, (rows, page) => {
    const next = replaceFirstPageMembers(rows, page);
    goesOn ||= next.length > page.length;
    return next;
  });
  return goesOn ? joined : first;
}

/** True for an array of records, and for an empty array, which may be one. */
function isRows(node: NormalizedNode): node is NormalizedNode[] {
  if (!Array.isArray(node)) return false;
  let holds = node.length === 0;
  eachRecord(node, () => (holds = true));
  return holds;
}

/** Adds the new rows of a page before the rows that follow it, or else at the end. */
export function joinRowsAt({ following, dropped }: PlacedResponse): JoinRows {
  return (there, page) => {
    const known = new Set(there);
    const plain = there.filter((row) => !(row instanceof StoreRecord));
    const fresh = page.filter(
      (row) => !known.has(row) && !plain.some((other) => equal(other, row)),
    );
    const rows = there.filter((row) => !dropped?.has(row as StoreRecord));
    const at = rows.findIndex((row) => following?.has(row as StoreRecord));
    return at < 0 ? [...rows, ...fresh] : [...rows.slice(0, at), ...fresh, ...rows.slice(at)];
  };
}

/** `node` with each row once. */
export function distinctRows(node: NormalizedNode): NormalizedNode {
  if (isRows(node)) return [...new Set(node)];
  if (!(node instanceof ObjectNode)) return node;
  const inner: Fields = {};
  for (const name in node.inner) setOwn(inner, name, distinctRows(node.inner[name]));
  return node.withInner(inner);
}
