/** What is mounted: the views that components hold, which of them may ask by themselves, and what they keep. */
import { outline } from './storeReaders.ts';
import type { Kept, Model } from './model.ts';

/** As much of a view as a component uses. */
export interface Mounted {
  readonly result: {
    peek(): { readonly status: string; readonly data?: unknown; readonly deleted?: boolean };
  };
  retain(): () => void;
  revalidate(): void;
}

interface Seen {
  readonly view: Mounted;
  /** What it showed when its row was there; undefined: nothing. */
  shown: string | undefined;
  /** What may be kept of it, as of the step before, and of the last step at which it was stored. */
  kept: readonly Kept[];
}

export class Screen {
  readonly #seen = new Map<string, Seen>();

  mount(name: string, view: Mounted): void {
    if (this.#seen.has(name)) return;
    this.#seen.set(name, { view, shown: undefined, kept: [] });
    view.retain();
    view.revalidate();
  }

  has(name: string): boolean {
    return this.#seen.has(name);
  }

  get names(): string[] {
    return [...this.#seen.keys()];
  }

  reset(): void {
    for (const seen of this.#seen.values()) seen.shown = undefined;
  }

  /** C10: what is shown of a deleted row stays. */
  faults(model: Model): string[] {
    const [picture, confirmed] = [model.picture(), model.below()];
    return [...this.#seen].flatMap(([name, seen]) => {
      if (!name.startsWith('get ')) return [];
      const id = Number(name.split(' ')[1]);
      const { status, data, deleted } = seen.view.result.peek();
      if (picture.rows.has(id) || model.hidden(name)) {
        // what was only expected is not deleted when that fails
        const isThere = status === 'success' && confirmed.rows.has(id);
        seen.shown = isThere ? outline(data) : undefined;
        seen.kept = [model.kept(id)];
        return deleted === true ? [`shown as deleted: ${name}`] : [];
      }
      if (seen.shown === undefined) return [];
      // what it showed, what would be shown but for the deletion (that may begin with another change), or what a
      // response has brought since a deletion was issued that is left when a later one fails
      const kept = [outline(model.undeleted().row(id)), outline(confirmed.row(id))];
      // a value that failed since is shown no more
      if (!seen.kept.some(({ failed }) => failed())) kept.push(seen.shown);
      if (confirmed.rows.has(id)) seen.kept = [...seen.kept.slice(0, 1), model.kept(id)];
      kept.push(...seen.kept.map(({ row }) => outline(row())));
      if (deleted === true && kept.includes(outline(data))) {
        seen.shown = outline(data);
        return [];
      }
      return [`deleted row left its reader: ${name} is ${status} ${outline(data)}`];
    });
  }

  /** C10: who shows what is deleted asks nothing. */
  ended(name: string): boolean {
    return this.#seen.get(name)?.view.result.peek().deleted === true;
  }
}
