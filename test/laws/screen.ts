/** What is mounted: the views that components hold, which of them may ask by themselves, and what they keep. */
import { outline } from './audience.ts';
import type { Model } from './model.ts';

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
}

export class Screen {
  readonly #seen = new Map<string, Seen>();

  mount(name: string, view: Mounted): void {
    if (this.#seen.has(name)) return;
    this.#seen.set(name, { view, shown: undefined });
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
        return deleted === true ? [`shown as deleted: ${name}`] : [];
      }
      if (seen.shown === undefined) return [];
      // what it showed, what would be shown but for the deletion (that may begin with another change), or what a
      // response has brought since a deletion was issued that is left when a later one fails
      const kept = [seen.shown, outline(model.undeleted().row(id)), outline(confirmed.row(id))];
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
