/** The related rows kept by a live query of TanStack DB with nested includes (`toArray`), with one subscriber. */
import {
  BasicIndex,
  createCollection,
  createLiveQueryCollection,
  eq,
  gte,
  toArray,
} from '@tanstack/db';
import type { Collection, CollectionConfig, SyncConfig } from '@tanstack/db';
import type { Data, Related } from '../Related.ts';

type Sync<T extends object> = Parameters<SyncConfig<T, number>['sync']>[0];

interface Table<T extends object> {
  readonly collection: Collection<T, number>;
  write(rows: readonly T[], type: 'insert' | 'update' | 'delete'): void;
}

function createTable<T extends { readonly id: number }>(id: string): Table<T> {
  let sync = {} as Sync<T>;
  const options: CollectionConfig<T, number> = {
    id,
    getKey: (row) => row.id,
    autoIndex: 'eager',
    defaultIndexType: BasicIndex,
    startSync: true,
    sync: {
      rowUpdateMode: 'full',
      sync(given) {
        sync = given;
        given.markReady();
      },
    },
  };
  const collection = createCollection(options as never) as unknown as Collection<T, number>;
  return {
    collection,
    write(rows, type) {
      sync.begin();
      for (const value of rows) sync.write({ type, value });
      void sync.commit();
    },
  };
}

type Issue = Data['issues'][number];
type Comment = Data['comments'][number];

export class TanstackDb implements Related {
  readonly #projects = createTable<Data['projects'][number]>('projects');
  readonly #issues = createTable<Issue>('issues');
  readonly #comments = createTable<Comment>('comments');
  #rows: readonly unknown[] = [];
  #end: (() => void) | undefined;

  constructor({ projects, issues, comments }: Data) {
    this.#projects.write(projects, 'insert');
    this.#issues.write(issues, 'insert');
    this.#comments.write(comments, 'insert');
  }

  first(): void {
    this.showFrom(0);
  }

  /** As its React hook does when the arguments of a query change: another live query, and the former one is cleaned up. */
  showFrom(from: number): void {
    const tree = createLiveQueryCollection({
      startSync: true,
      query: (q) =>
        q.from({ project: this.#projects.collection }).select(({ project }) => ({
          id: project.id,
          name: project.name,
          issues: toArray(
            q
              .from({ issue: this.#issues.collection })
              .where(({ issue }) => eq(issue.projectId, project.id))
              .where(({ issue }) => gte(issue.rank, from))
              .orderBy(({ issue }) => issue.rank)
              .select(({ issue }) => ({
                id: issue.id,
                projectId: issue.projectId,
                rank: issue.rank,
                comments: toArray(
                  q
                    .from({ comment: this.#comments.collection })
                    .where(({ comment }) => eq(comment.issueId, issue.id)),
                ),
              })),
          ),
        })),
    });
    const read = () => {
      this.#rows = tree.toArray;
    };
    const subscription = tree.subscribeChanges(read);
    read();
    this.#end?.();
    this.#end = () => {
      subscription.unsubscribe();
      void tree.cleanup();
    };
  }

  get rows(): readonly unknown[] {
    return this.#rows;
  }

  changeComment(id: number, text: string): void {
    const comment = this.#comments.collection.get(id);
    if (comment !== undefined) this.#comments.write([{ ...comment, text }], 'update');
  }

  moveIssue(id: number, projectId: number): void {
    const issue = this.#issues.collection.get(id);
    if (issue !== undefined) this.#issues.write([{ ...issue, projectId }], 'update');
  }

  deleteIssue(id: number): void {
    const issue = this.#issues.collection.get(id);
    if (issue !== undefined) this.#issues.write([issue], 'delete');
  }
}
