/**
 * TanStack DB: collections of articles and authors that a sync writes to, joined by a live query; tags stay in their
 * article, as values. Row views run for the changes that the live query tells. A list is ordered by its query only: rows
 * cannot be moved by hand, and there is no list of members apart from their rows.
 */
import {
  BasicIndex,
  count,
  createCollection,
  createLiveQueryCollection,
  eq,
  sum,
} from '@tanstack/db';
import type { Collection, CollectionConfig, SyncConfig } from '@tanstack/db';
import { settled, touch } from '../../Contender.ts';
import type { Contender, Row } from '../../Contender.ts';

type Author = Row['author'];
type Flat = Omit<Row, 'author'> & { authorId: number };

/** Who has not been told of a row is not told when it goes. */
const KNOWN = { includeInitialState: true };

/** What a collection's sync is written with. */
type Sync<T extends object> = Parameters<SyncConfig<T, number>['sync']>[0];

const flatten = (row: Row): Flat => ({
  id: row.id,
  title: row.title,
  content: row.content,
  score: row.score,
  completed: row.completed,
  createdAt: row.createdAt,
  authorId: row.author.id,
  tags: row.tags,
});

interface Table<T extends object> {
  readonly collection: Collection<T, number>;
  write(rows: readonly T[], type?: 'delete'): void;
}

let made = 0;

function table<T extends { id: number }>(answers: Map<number, Promise<T>>): Table<T> {
  let sync = {} as Sync<T>;
  const write: Table<T>['write'] = (rows, gone) => {
    sync.begin();
    for (const value of rows) {
      const type = gone ?? (collection.has(value.id) ? 'update' : 'insert');
      sync.write({ type, value });
    }
    void sync.commit();
  };
  const options: CollectionConfig<T, number> = {
    id: `table ${made++}`,
    getKey: ({ id }) => id,
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
    async onUpdate({ transaction }) {
      const confirmed = transaction.mutations.map(({ key }) => answers.get(key) as Promise<T>);
      write(await Promise.all(confirmed));
    },
  };
  const collection = createCollection(options as never) as unknown as Collection<T, number>;
  return { collection, write };
}

export function tanstackDb(): Contender {
  const answers = new Map<number, Promise<Flat>>();
  const articles = table<Flat>(answers);
  const authors = table<Author>(new Map());
  const store = (rows: readonly Row[]): void => {
    authors.write([...new Map(rows.map(({ author }) => [author.id, author])).values()]);
    articles.write(rows.map(flatten));
  };
  let known: ReturnType<typeof join> | undefined;
  const join = () =>
    createLiveQueryCollection({
      startSync: true,
      query: (q) =>
        q
          .from({ article: articles.collection })
          .innerJoin({ author: authors.collection }, ({ article, author }) =>
            eq(article.authorId, author.id),
          )
          .orderBy(({ article }) => article.id)
          .select(({ article, author }) => ({ ...article, author: { ...author } })),
    });
  const list = () => (known ??= join());
  const sorted = () =>
    createLiveQueryCollection({
      startSync: true,
      query: (q) =>
        q
          .from({ article: articles.collection })
          .where(({ article }) => eq(article.completed, false))
          .orderBy(({ article }) => article.score)
          .orderBy(({ article }) => article.title),
    });
  const figures = () =>
    createLiveQueryCollection({
      startSync: true,
      query: (q) =>
        q
          .from({ article: articles.collection })
          .where(({ article }) => eq(article.completed, false))
          .groupBy(({ article }) => article.completed)
          .select(({ article }) => ({
            completed: article.completed,
            count: count(article.id),
            total: sum(article.score),
          })),
    });
  const change = (id: number, fields: Partial<Flat>): void =>
    articles.write([{ ...(articles.collection.get(id) as Flat), ...fields }]);
  return {
    name: 'TanStack DB',
    settled,
    ingest: store,
    readAll: () => touch(list().toArray as never as Row[]),
    mount(ids, form) {
      if (form === 'membership') return undefined;
      let runs = 0;
      const watched = new Set<unknown>(ids);
      list().subscribeChanges((changes) => {
        for (const { value } of changes) if (watched.has(value.id)) runs++;
        // who shows the list takes its rows as an array
        if (form === 'snapshot' && list().toArray.length >= 0) runs++;
      }, KNOWN);
      runs = 0;
      return () => runs;
    },
    subscribe(ids) {
      let runs = 0;
      for (const id of ids) {
        articles.collection.subscribeChanges(() => runs++, { where: (row) => eq(row.id, id) });
      }
      return () => runs;
    },
    mountDerived() {
      let runs = 0;
      for (const query of [sorted(), figures()] as unknown as Collection<Flat>[]) {
        query.subscribeChanges(() => {
          if (query.toArray.length >= 0) runs++;
        }, KNOWN);
      }
      runs = 0;
      return () => runs;
    },
    changeRow: (id, title) => change(id, { title }),
    changeScore: (id, score) => change(id, { score }),
    changeAuthor: (id, name) =>
      authors.write([{ ...(authors.collection.get(id) as Author), name }]),
    push: (row) => store([row]),
    remove: (id) => articles.write([articles.collection.get(id) as Flat], 'delete'),
    optimistic(id, title, answer) {
      answers.set(id, answer.then(flatten));
      const transaction = articles.collection.update(id, (draft) => {
        draft.title = title;
      });
      return transaction.isPersisted.promise;
    },
  };
}
