/** The lists that confirmed creations, moves and deletions have changed since the last commit was looked at. */
import type { ListKind } from '../schema/schema.ts';
import type { StoredList } from './ListTable.ts';

export class ListChanges {
  /** Lists that were updated. What responses say beside their rows, such as a count, may be other now. */
  #updated: Set<StoredList> | undefined;
  /** Lists that may have other members on the server than here. */
  #uncertain: Set<StoredList> | undefined;

  updated(list: StoredList): void {
    (this.#updated ??= new Set()).add(list);
  }

  uncertain(lists: Iterable<StoredList>): void {
    for (const list of lists) (this.#uncertain ??= new Set()).add(list);
  }

  /** Gives both, but for lists whose endpoint keeps them as they are, and forgets them; undefined: there are none. */
  take():
    | { readonly updated: readonly StoredList[]; readonly uncertain: readonly StoredList[] }
    | undefined {
    const [updated, uncertain] = [this.#updated, this.#uncertain];
    if (updated === undefined && uncertain === undefined) return undefined;
    this.#updated = this.#uncertain = undefined;
    return { updated: revalidated(updated), uncertain: revalidated(uncertain) };
  }
}

function revalidated(lists: Iterable<StoredList> = []): readonly StoredList[] {
  return [...lists].filter(({ kind }) => (kind as Partial<ListKind>).at?.revalidates !== false);
}
