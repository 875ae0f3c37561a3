/** The responses and lists that confirmed creations, moves and deletions make uncertain. */
import { ObjectNode } from '../../schema/containers.ts';
import { tableKeysIn } from '../../schema/kindOf.ts';
import type { ListKind, StoredKind } from '../../schema/schema.ts';
import type { StoredList } from '../lists/ListRecord.ts';
import type { StoreRecord } from '../records/StoreRecord.ts';
import { ResultRecord } from '../results/ResultRecord.ts';

export interface ListChanges {
  /** Responses with an updated list: other data there, for example a count, may be outdated now. */
  readonly counting: Set<ResultRecord>;
  /** Lists that may have other members on the server than in the store. */
  readonly uncertain: Set<StoredList>;
  /** Entities and lists of which a read and a mutation have brought different values at the same time. */
  readonly contested: Set<StoreRecord>;
  /** Lists in numbered pages: the index of the first page with other rows; Infinity: no loaded page. */
  readonly pages: Map<ResultRecord, number>;
}

/** The part of the store that collects list changes. */
interface ChangedStore {
  affectedLists: ListChanges | undefined;
  readonly pagedResults: Set<ResultRecord>;
}

const changesOf = (store: ChangedStore): ListChanges =>
  (store.affectedLists ??= {
    counting: new Set(),
    uncertain: new Set(),
    contested: new Set(),
    pages: new Map(),
  });

/** The members of a list have changed. `leaves`: the member that left; absent: a member has entered. */
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
  // of a row that no page has brought: the rows of pages in flight may have shifted
  const from = leaves === undefined ? 0 : list.pages.indexOfRow(leaves);
  const { pages } = changesOf(store);
  pages.set(list, Math.min(from, pages.get(list) ?? Infinity));
}

/**
 * Numbered pages that arrived while the mutation was in flight: the server may have read some of them before the
 * change and others after.
 */
export function addOverlappingPages(
  store: ChangedStore,
  kinds: Iterable<StoredKind>,
  issued: number,
): void {
  const tables = new Set(Array.from(kinds, ({ tableKey }) => tableKey));
  for (const list of store.pagedResults) {
    const pages = list.pages?.pages ?? [];
    // a reset, or the list was garbage collected
    if (pages.length === 0) store.pagedResults.delete(list);
    const overlaps = pages.some(({ arrivedAt = 0 }) => arrivedAt > issued);
    if (overlaps && tableKeysIn(list.kind).some((one) => tables.has(one)))
      addChangedPages(store, list, undefined);
  }
}

export function addUncertainLists(store: ChangedStore, lists: Iterable<StoredList>): void {
  for (const list of lists) if (shouldRevalidate(list)) changesOf(store).uncertain.add(list);
}

export function addContested(store: ChangedStore, record: StoreRecord): void {
  changesOf(store).contested.add(record);
}

/** The response of a read in flight may be older than a confirmed mutation. */
export function addUncertainResult(store: ChangedStore, result: ResultRecord): void {
  changesOf(store).counting.add(result);
}

/** False for lists with `revalidateLists: false`. */
function shouldRevalidate({ kind }: StoredList): boolean {
  return (kind as Partial<ListKind>).listOrigin?.listEndpoint?.revalidateLists !== false;
}

/** True for an envelope with a number that is no cursor, and may be the count of the rows. */
function mayContainCount({ node, pages }: ResultRecord): boolean {
  if (!(node instanceof ObjectNode)) return false;
  return Object.entries({ ...node.rest, ...node.inner }).some(
    ([name, value]) => typeof value === 'number' && pages?.hasCursorAt(name) !== true,
  );
}
