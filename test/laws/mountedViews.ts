/** Mounted views: the views of components, the views that may send requests by themselves, and the data that views keep. */
import { outline } from './storeReaders.ts';
import type { Kept, Model } from './model.ts';

/** The members of a view that a component uses. */
export interface Mounted {
  readonly result: {
    peek(): { readonly status: string; readonly data?: unknown; readonly deleted?: boolean };
  };
  retain(): () => void;
  revalidate(): void;
}

interface Seen {
  readonly view: Mounted;
  /** The data shown while the row existed; undefined: no data. */
  shown: string | undefined;
  /** The data that may be kept of the row, as of the step before, and of the last step with a stored row. */
  kept: readonly Kept[];
  /** How many of `kept` had a change that has failed, when `shown` was shown last. */
  failures: number;
}

export class MountedViews {
  readonly #seen = new Map<string, Seen>();

  mount(name: string, view: Mounted): void {
    if (this.#seen.has(name)) return;
    this.#seen.set(name, { view, shown: undefined, kept: [], failures: 0 });
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

  /** C10: the shown data of a deleted row stay. */
  faults(model: Model): string[] {
    const [picture, confirmed] = [model.picture(), model.below()];
    return [...this.#seen].flatMap(([name, seen]) => {
      if (!name.startsWith('get ')) return [];
      const id = Number(name.split(' ')[1]);
      const { status, data, deleted } = seen.view.result.peek();
      if (picture.rows.has(id) || model.hidden(name)) {
        // a row that was only expected is not deleted when the creation fails
        const isThere = status === 'success' && confirmed.rows.has(id);
        seen.shown = isThere ? outline(data) : undefined;
        seen.kept = [model.kept(id)];
        seen.failures = 0;
        return deleted === true ? [`shown as deleted: ${name}`] : [];
      }
      if (seen.shown === undefined) return [];
      // the shown data, the data without the deletion (which may begin with another change), or data of a response since
      // a deletion was issued that remains when a later deletion fails
      const kept = [outline(model.undeleted().row(id)), outline(confirmed.row(id))];
      // a value that failed since is shown no more
      const failures = seen.kept.filter(({ failed }) => failed()).length;
      if (failures <= seen.failures) kept.push(seen.shown);
      if (confirmed.rows.has(id)) seen.kept = [...seen.kept.slice(0, 1), model.kept(id)];
      kept.push(...seen.kept.map(({ row }) => outline(row())));
      if (deleted === true && kept.includes(outline(data))) {
        seen.shown = outline(data);
        seen.failures = failures;
        return [];
      }
      return [`deleted row left its reader: ${name} is ${status} ${outline(data)}`];
    });
  }

  /** C10: a reader of a deleted row sends no request. */
  ended(name: string): boolean {
    return this.#seen.get(name)?.view.result.peek().deleted === true;
  }
}
