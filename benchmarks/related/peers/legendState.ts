/**
 * The related rows kept by computed observables of Legend-State, with one reader. It has no relations: the lists of keys
 * per parent are kept by hand, and each project and each issue is a computed view.
 */
import { batch, computed, observable, observe } from '@legendapp/state';
import type { Data, Related } from '../Related.ts';

type Issue = Data['issues'][number];
type Comment = Data['comments'][number];

interface Tables {
  projects: Record<number, Data['projects'][number]>;
  issues: Record<number, Issue>;
  comments: Record<number, Comment>;
  issuesOf: Record<number, number[]>;
  commentsOf: Record<number, number[]>;
  /** The least rank that is shown. */
  from: number;
}

export class LegendState implements Related {
  readonly #state;
  readonly #ids: readonly number[];
  #rows: readonly unknown[] = [];

  constructor({ projects, issues, comments }: Data) {
    this.#ids = projects.map(({ id }) => id);
    this.#state = observable<Tables>({
      projects: byId(projects),
      issues: byId(issues),
      comments: byId(comments),
      issuesOf: keysOf(issues, ({ projectId }) => projectId),
      commentsOf: keysOf(comments, ({ issueId }) => issueId),
      from: 0,
    });
  }

  first(): void {
    const { projects, issues, comments, issuesOf, commentsOf, from } = this.#state;
    const issueViews = new Map<number, { get(): unknown }>();
    const issueView = (id: number) => {
      const known = issueViews.get(id);
      if (known !== undefined) return known;
      const made = computed(() => ({
        ...(issues[id]?.get() as Issue),
        comments: (commentsOf[id]?.get() ?? []).map((key) => ({
          ...(comments[key]?.get() as Comment),
        })),
      }));
      issueViews.set(id, made);
      return made;
    };
    const projectViews = this.#ids.map((id) =>
      computed(() => {
        const own = (issuesOf[id]?.get() ?? []).map((key) => issueView(key).get() as Issue);
        const shown = own.filter(({ rank }) => rank >= from.get());
        return { ...projects[id]?.get(), issues: shown.sort((a, b) => a.rank - b.rank) };
      }),
    );
    observe(() => {
      this.#rows = projectViews.map((view) => view.get());
    });
  }

  showFrom(rank: number): void {
    this.#state.from.set(rank);
  }

  get rows(): readonly unknown[] {
    return this.#rows;
  }

  changeComment(id: number, text: string): void {
    this.#state.comments[id]?.text.set(text);
  }

  moveIssue(id: number, projectId: number): void {
    const issue = this.#state.issues[id];
    const before = issue?.peek()?.projectId;
    if (issue === undefined || before === undefined || before === projectId) return;
    batch(() => {
      this.#state.issuesOf[before]?.set((keys) => keys.filter((key) => key !== id));
      issue.projectId.set(projectId);
      this.#state.issuesOf[projectId]?.set((keys) => [...keys, id]);
    });
  }

  deleteIssue(id: number): void {
    const before = this.#state.issues[id]?.peek()?.projectId;
    if (before === undefined) return;
    batch(() => {
      this.#state.issuesOf[before]?.set((keys) => keys.filter((key) => key !== id));
      this.#state.issues[id]?.delete();
    });
  }
}

function byId<T extends { readonly id: number }>(rows: readonly T[]): Record<number, T> {
  return Object.fromEntries(rows.map((row) => [row.id, { ...row }]));
}

function keysOf<T extends { readonly id: number }>(
  rows: readonly T[],
  parentOf: (row: T) => number,
): Record<number, number[]> {
  const keys: Record<number, number[]> = {};
  for (const row of rows) (keys[parentOf(row)] ??= []).push(row.id);
  return keys;
}
