/**
 * Solid's store: three tables of records and a list of ids in one store, changed by paths, taken over with `reconcile`. A view
 * is an effect that reads every field that it shows. A Solid list is live: there is no array of whole rows.
 */
import { batch, createEffect, createMemo, createRoot } from 'solid-js';
import { createStore, reconcile } from 'solid-js/store';
import { byScore, touch } from '../../Contender.ts';
import type { Contender, Row } from '../../Contender.ts';
import { flatten } from '../flatten.ts';
import type { Author, Flat, Tag } from '../flatten.ts';
import { figuresOf, openOf } from '../rowViews.ts';

interface Tables {
  articles: Record<number, Flat>;
  authors: Record<number, Author>;
  tags: Record<number, Tag>;
  ids: number[];
}

export function solidStore(): Contender {
  const [store, setStore] = createStore<Tables>({ articles: {}, authors: {}, tags: {}, ids: [] });
  /** A row whose nested parts are looked up as they are read. */
  const viewOf = (id: number): Row => {
    const record = store.articles[id] as Flat;
    return {
      id,
      title: record.title,
      content: record.content,
      score: record.score,
      completed: record.completed,
      createdAt: record.createdAt,
      author: { ...(store.authors[record.author] as Author) },
      tags: record.tags.map((tag) => store.tags[tag] as Tag),
    };
  };
  const all = () => store.ids.map(viewOf);
  const counted = (...views: (() => unknown)[]): (() => number) => {
    let runs = 0;
    createRoot(() => {
      for (const view of views) {
        createEffect(() => {
          view();
          runs++;
        });
      }
    });
    runs = 0;
    return () => runs;
  };
  const show = (id: number) => () => {
    if (store.articles[id] !== undefined) for (const tag of viewOf(id).tags) void tag.name;
  };
  return {
    name: 'Solid store',
    ingest(rows) {
      const tables: Tables = { articles: {}, authors: {}, tags: {}, ids: [] };
      for (const row of rows) {
        tables.articles[row.id] = flatten(row);
        tables.authors[row.author.id] = row.author;
        for (const tag of row.tags) tables.tags[tag.id] = tag;
        tables.ids.push(row.id);
      }
      setStore(reconcile(tables));
    },
    readAll: () => touch(all()),
    mount(ids, form) {
      if (form === 'snapshot') return undefined;
      const list = () => {
        for (const id of store.ids) void id;
      };
      return counted(...ids.map(show), ...(form === 'membership' ? [list] : []));
    },
    mountDerived: () =>
      createRoot(() => {
        // of what is nested nothing is asked, so that it is not read
        const open = createMemo(() =>
          openOf(store.ids.map((id) => store.articles[id] as never as Row)),
        );
        return counted(
          () => [...open()].sort(byScore),
          () => figuresOf(open()),
        );
      }),
    changeRow: (id, title) => setStore('articles', id, 'title', title),
    changeScore: (id, score) => setStore('articles', id, 'score', score),
    changeAuthor: (id, name) => setStore('authors', id, 'name', name),
    push: (row) =>
      batch(() => {
        setStore('authors', row.author.id, row.author);
        for (const tag of row.tags) setStore('tags', tag.id, tag);
        setStore('articles', row.id, flatten(row));
        setStore('ids', store.ids.length, row.id);
      }),
    move: (id) => setStore('ids', (ids) => [id, ...ids.filter((other) => other !== id)]),
    remove: (id) =>
      batch(() => {
        setStore('ids', (ids) => ids.filter((other) => other !== id));
        setStore('articles', id, undefined as never);
      }),
    async optimistic(id, title, answer) {
      const before = store.articles[id]?.title ?? '';
      setStore('articles', id, 'title', title);
      try {
        setStore('articles', id, reconcile(flatten(await answer)));
      } catch (error) {
        setStore('articles', id, 'title', before);
        throw error;
      }
    },
  };
}
