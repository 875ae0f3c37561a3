/** The responses and lists that confirmed creations, moves and deletions make uncertain. */
import { ObjectNode } from '../../schema/containers.ts';
import type { ListKind, NormalizedNode } from '../../schema/schema.ts';
import type { StoredList } from '../lists/StoredList.ts';
import { ResultRecord } from '../results/ResultRecord.ts';

export interface ListChanges {
  /** Responses with an updated list: other data in them, for example a count, may be outdated now. */
  readonly counting: Set<ResultRecord>;
  /** Lists that may have other members on the server than in the store. */
  readonly uncertain: Set<StoredList>;
}

/** The store as far as list changes are collected in it. */
interface ChangedStore {
  affectedLists: ListChanges | undefined;
}

const changesOf = (store: ChangedStore): ListChanges =>
  (store.affectedLists ??= { counting: new Set(), uncertain: new Set() });

/** The members of a list have changed. */
export function addUpdatedList(store: ChangedStore, list: StoredList): void {
  for (const parent of list.allParents)
    if (parent instanceof ResultRecord && mayContainCount(parent.node) && shouldRevalidate(list))
      changesOf(store).counting.add(parent);
}

export function addUncertainLists(store: ChangedStore, lists: Iterable<StoredList>): void {
  for (const list of lists) if (shouldRevalidate(list)) changesOf(store).uncertain.add(list);
}

/** False for lists with `revalidateLists: false`. */
function shouldRevalidate({ kind }: StoredList): boolean {
  return (kind as Partial<ListKind>).listOrigin?.listEndpoint?.revalidateLists !== false;
}

/** True for an envelope with a number in it, which may be the count of the rows. */
function mayContainCount(node: NormalizedNode): boolean {
  if (!(node instanceof ObjectNode)) return false;
  return Object.values({ ...node.rest, ...node.inner }).some((value) => typeof value === 'number');
}
