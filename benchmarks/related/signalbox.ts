/** The related rows kept by a query of the library, with one reader. */
import { All, Controller, Delete, Entity, hasMany, Query } from 'signalbox';
import type { Data, Related } from './Related.ts';

class Project extends Entity {
  id = 0;
  name = '';
}
class Issue extends Entity {
  id = 0;
  projectId = 0;
  rank = 0;
}
class Comment extends Entity {
  id = 0;
  issueId = 0;
  text = '';
}

const tree = new Query(new All(Project), {
  include: {
    issues: hasMany(Issue, 'projectId', {
      filter: ({ rank }, { from }: { readonly from: number }) => rank >= from,
      sort: 'rank',
      include: { comments: hasMany(Comment, 'issueId') },
    }),
  },
});

export class Signalbox implements Related {
  readonly #controller = new Controller({ sweepAfter: Infinity });
  #stop: (() => void) | undefined;
  #rows: readonly unknown[] = [];

  constructor({ projects, issues, comments }: Data) {
    void this.#controller.set([Project], [...projects]);
    void this.#controller.set([Issue], [...issues]);
    void this.#controller.set([Comment], [...comments]);
  }

  first(): void {
    this.showFrom(0);
  }

  showFrom(from: number): void {
    const stop = this.#controller.query(tree, { from }).result.subscribe(({ data = [] }) => {
      this.#rows = data;
    });
    this.#stop?.();
    this.#stop = stop;
  }

  get rows(): readonly unknown[] {
    return this.#rows;
  }

  changeComment(id: number, text: string): void {
    void this.#controller.set(Comment, { id }, { text });
  }

  moveIssue(id: number, projectId: number): void {
    void this.#controller.set(Issue, { id }, { projectId });
  }

  deleteIssue(id: number): void {
    void this.#controller.set(new Delete(Issue), { id }, { id });
  }
}
