/** Collects the lists changed by confirmed creations, moves and deletions since they were last taken. */
import type { ListKind } from '../schema/schema.ts';
import type { StoredList } from './ListTable.ts';

export class ListChanges {
  /** Lists that were updated. Response data beside their rows, for example a count, may be outdated now. */
  #updated: Set<StoredList> | undefined;
  /** Lists that may have other members on the server than in the store. */
  #uncertain: Set<StoredList> | undefined;

  updated(list: StoredList): void {
    (this.#updated ??= new Set()).add(list);
  }

  uncertain(lists: Iterable<StoredList>): void {
    for (const list of lists) (this.#uncertain ??= new Set()).add(list);
  }

  /** Returns both and forgets them; undefined if both are empty. Lists with `revalidates: false` are left out. */
  take():
    | { readonly updated: readonly StoredList[]; readonly uncertain: readonly StoredList[] }
    | undefined {
    const [updated, uncertain] = [this.#updated, this.#uncertain];
    if (updated === undefined && uncertain === undefined) return undefined;
    this.#updated = this.#uncertain = undefined;
    return { updated: revalidatedLists(updated), uncertain: revalidatedLists(uncertain) };
  }
}

function revalidatedLists(lists: Iterable<StoredList> = []): readonly StoredList[] {
  return [...lists].filter(({ kind }) => (kind as Partial<ListKind>).at?.revalidates !== false);
}
