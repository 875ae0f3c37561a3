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

  /** Gives both, but for lists whose endpoint keeps them as they are, and forgets them; undefined: there are none. */
  take():
    | { readonly updated: readonly Listed[]; readonly uncertain: readonly Listed[] }
    | undefined {
    const [updated, uncertain] = [this.#updated, this.#uncertain];
    if (updated.size + uncertain.size === 0) return undefined;
    return { updated: emptied(updated), uncertain: emptied(uncertain) };
  }
}

function emptied(lists: Set<Listed>): readonly Listed[] {
  const taken = [...lists].filter(
    ({ kind }) => (kind as Partial<ListKind>).at?.revalidates !== false,
  );
  lists.clear();
  return taken;
}
