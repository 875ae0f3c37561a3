/** Collects the responses and lists that confirmed creations, moves and deletions make uncertain, until they are taken. */
import { ObjectNode } from '../schema/containers.ts';
import type { ListKind, Node } from '../schema/schema.ts';
import type { StoredList } from './StoredList.ts';
import { ResultRecord } from './ResultRecord.ts';

export class ListChanges {
  /** Responses with an updated list: other data in them, for example a count, may be outdated now. */
  #resultsWithCount = new Set<ResultRecord>();
  /** Lists that may have other members on the server than in the store. */
  #uncertainLists = new Set<StoredList>();

  /** The members of a list have changed. */
  addUpdated(list: StoredList): void {
    for (const parent of list.allParents)
      if (parent instanceof ResultRecord && mayContainCount(parent.node) && shouldRevalidate(list))
        this.#resultsWithCount.add(parent);
  }

  addUncertain(lists: Iterable<StoredList>): void {
    for (const list of lists) if (shouldRevalidate(list)) this.#uncertainLists.add(list);
  }

  /** Returns both and forgets them; undefined if both are empty. */
  takeAll():
    | { readonly counting: Iterable<ResultRecord>; readonly uncertain: Iterable<StoredList> }
    | undefined {
    const counting = this.#resultsWithCount;
    const uncertain = this.#uncertainLists;
    if (counting.size + uncertain.size === 0) return undefined;
    this.#resultsWithCount = new Set();
    this.#uncertainLists = new Set();
    return { counting, uncertain };
  }
}

/** False for lists with `revalidateLists: false`. */
function shouldRevalidate({ kind }: StoredList): boolean {
  return (kind as Partial<ListKind>).listOrigin?.listEndpoint?.revalidateLists !== false;
}

/** True for an envelope with a number in it, which may be the count of the rows. */
function mayContainCount(node: Node): boolean {
  if (!(node instanceof ObjectNode)) return false;
  return Object.values({ ...node.rest, ...node.inner }).some((value) => typeof value === 'number');
}
