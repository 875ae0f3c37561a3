/** The responses and lists that confirmed creations, moves and deletions make uncertain. */
import { ObjectNode } from '../../schema/containers.ts';
import type { ListKind } from '../../schema/schema.ts';
import type { StoredList } from '../lists/StoredList.ts';
import type { StoreRecord } from '../records/StoreRecord.ts';
import { ResultRecord } from '../results/ResultRecord.ts';

export interface ListChanges {
  /** Responses with an updated list: other data in them, for example a count, may be outdated now. */
  readonly counting: Set<ResultRecord>;
  /** Lists that may have other members on the server than in the store. */
  readonly uncertain: Set<StoredList>;
  /** Lists in numbered pages: the index of the first page with other rows. */
  readonly pages: Map<ResultRecord, number>;
}

/** The store as far as list changes are collected in it. */
interface ChangedStore {
  affectedLists: ListChanges | undefined;
}

const changesOf = (store: ChangedStore): ListChanges =>
  (store.affectedLists ??= { counting: new Set(), uncertain: new Set(), pages: new Map() });

/** The members of a list have changed. `leaves`: the member that left; absent: one has entered. */
export function addUpdatedList(store: ChangedStore, list: StoredList, leaves?: StoreRecord): void {
  if (!shouldRevalidate(list)) return;
  for (const parent of list.allParents) {
    if (!(parent instanceof ResultRecord)) continue;
    if (mayContainCount(parent)) changesOf(store).counting.add(parent);
    addChangedPages(store, parent, leaves);
  }
}

/** The rows of numbered pages have shifted: behind the row that left, or all, because the server places new rows. */
export function addChangedPages(
  store: ChangedStore,
  list: ResultRecord,
  leaves: StoreRecord | undefined,
): void {
  if (!list.pages?.mayShift) return;
  const from = leaves === undefined ? 0 : list.pages.indexOfRow(leaves);
  const { pages } = changesOf(store);
  if (from >= 0) pages.set(list, Math.min(from, pages.get(list) ?? Infinity));
}

export function addUncertainLists(store: ChangedStore, lists: Iterable<StoredList>): void {
  for (const list of lists) if (shouldRevalidate(list)) changesOf(store).uncertain.add(list);
}

/** False for lists with `revalidateLists: false`. */
function shouldRevalidate({ kind }: StoredList): boolean {
  return (kind as Partial<ListKind>).listOrigin?.listEndpoint?.revalidateLists !== false;
}

/** True for an envelope with a number in it that is no cursor: it may be the count of the rows. */
function mayContainCount({ node, pages }: ResultRecord): boolean {
  if (!(node instanceof ObjectNode)) return false;
  return Object.entries({ ...node.rest, ...node.inner }).some(
    ([name, value]) => typeof value === 'number' && pages?.hasCursorAt(name) !== true,
  );
}
