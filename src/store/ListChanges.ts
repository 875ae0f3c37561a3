/** The lists that confirmed creations, moves and deletions have changed since the last commit was looked at. */
import type { ListKind } from '../schema/schema.ts';
import type { Listed } from './ListTable.ts';

export class ListChanges {
  /** Lists that were updated. What responses say beside their rows, such as a count, may be other now. */
  readonly #updated = new Set<Listed>();
  /** Lists that may have other members on the server than here. */
  readonly #uncertain = new Set<Listed>();

  updated(list: Listed): void {
    this.#updated.add(list);
  }

  uncertain(lists: Iterable<Listed>): void {
    for (const list of lists) this.#uncertain.add(list);
  }

  /** Gives both, but for lists whose endpoint keeps them as they are, and forgets them. */
  take(): { readonly updated: readonly Listed[]; readonly uncertain: readonly Listed[] } {
    const [updated = [], uncertain = []] = [this.#updated, this.#uncertain].map((lists) =>
      lists.size === 0 ? [] : [...lists].filter(revalidates),
    );
    this.#updated.clear();
    this.#uncertain.clear();
    return { updated, uncertain };
  }
}

function revalidates({ kind }: Listed): boolean {
  return (kind as Partial<ListKind>).at?.revalidates !== false;
}
