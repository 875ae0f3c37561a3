/** Collects the responses and lists that confirmed creations, moves and deletions make uncertain, until they are taken. */
import { ObjectNode } from '../schema/containers.ts';
import type { ListKind, Node } from '../schema/schema.ts';
import type { StoredList } from './ListTable.ts';
import { ResultRecord } from './ResultRecord.ts';

export class ListChanges {
  /** Responses with an updated list: other data in them, for example a count, may be outdated now. */
  #counting: Set<ResultRecord> | undefined;
  /** Lists that may have other members on the server than in the store. */
  #uncertain: Set<StoredList> | undefined;

  /** The members of a list have changed. */
  updated(list: StoredList): void {
    for (const parent of list.allParents)
      if (parent instanceof ResultRecord && holdsCount(parent.node) && isRevalidated(list))
        (this.#counting ??= new Set()).add(parent);
  }

  uncertain(lists: Iterable<StoredList>): void {
    for (const list of lists) if (isRevalidated(list)) (this.#uncertain ??= new Set()).add(list);
  }

  /** Returns both and forgets them; undefined if both are empty. */
  take():
    | { readonly counting: Iterable<ResultRecord>; readonly uncertain: Iterable<StoredList> }
    | undefined {
    const [counting, uncertain] = [this.#counting, this.#uncertain];
    if (counting === undefined && uncertain === undefined) return undefined;
    this.#counting = this.#uncertain = undefined;
    return { counting: counting ?? [], uncertain: uncertain ?? [] };
  }
}

/** False for lists with `revalidates: false`. */
function isRevalidated({ kind }: StoredList): boolean {
  return (kind as Partial<ListKind>).at?.revalidates !== false;
}

/** True for an envelope with a number in it, which may be the count of the rows. */
function holdsCount(node: Node): boolean {
  if (!(node instanceof ObjectNode)) return false;
  return Object.values({ ...node.rest, ...node.inner }).some((value) => typeof value === 'number');
}
