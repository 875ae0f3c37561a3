/**
 * Legend-State: three tables and a list of ids in one observable; a row view puts its row together from what it tracks.
 * What is ingested again is merged, so that what is equal wakes nobody.
 */
import { batch, computed, mergeIntoObservable, observable, observe } from '@legendapp/state';
import { byScore, touch } from '../../Contender.ts';
import type { Contender, Row } from '../../Contender.ts';
import { assemble, flatten } from '../flatten.ts';
import type { Author, Flat, Tag } from '../flatten.ts';
import { figuresOf, openOf } from '../rowViews.ts';

interface Tables {
  articles: Record<number, Flat>;
  authors: Record<number, Author>;
  tags: Record<number, Tag>;
}

function tablesOf(rows: readonly Row[]): Tables {
  const tables: Tables = { articles: {}, authors: {}, tags: {} };
  for (const row of rows) {
    tables.articles[row.id] = flatten(row);
    tables.authors[row.author.id] = row.author;
    for (const tag of row.tags) tables.tags[tag.id] = tag;
  }
  return tables;
}

export function legendState(): Contender {
  const state = observable<Tables>({ articles: {}, authors: {}, tags: {} });
  const ids = observable<number[]>([]);
  const { articles, authors, tags } = state;
  /** A copy of the author: records are changed in place, and what a computed gives is compared part by part. */
  const view = (id: number): Row | undefined => {
    const record = articles[id]?.get();
    if (record === undefined) return undefined;
    const author = { ...(authors[record.author]?.get() as Author) };
    return assemble(
      record,
      author,
      record.tags.map((tag) => tags[tag]?.get() as Tag),
    );
  };
  const list = computed(() => ids.get().map((id) => view(id) as Row));
  const open = computed(() => openOf(list.get()));
  const counted = (...views: (() => unknown)[]): (() => number) => {
    let runs = 0;
    for (const view of views) {
      observe(() => {
        view();
        runs++;
      });
    }
    runs = 0;
    return () => runs;
  };
  const setIds = (next: number[]): void => {
    const known = ids.peek();
    if (known.length !== next.length || next.some((id, at) => id !== known[at])) ids.set(next);
  };
  return {
    name: 'Legend-State',
    ingest: (rows) =>
      batch(() => {
        const tables = tablesOf(rows);
        if (ids.peek().length === 0) state.set(tables);
        else mergeIntoObservable(state, tables);
        setIds(rows.map(({ id }) => id));
      }),
    readAll: () => touch(list.peek()),
    mount(shown, form) {
      const rows = shown.map((id) => () => view(id));
      const whole = { none: [], snapshot: [() => list.get()], membership: [() => ids.get()] };
      return counted(...rows, ...whole[form]);
    },
    mountDerived: () =>
      counted(
        () => [...open.get()].sort(byScore),
        () => figuresOf(open.get()),
      ),
    changeRow: (id, title) => articles[id]?.title.set(title),
    changeScore: (id, score) => articles[id]?.score.set(score),
    changeAuthor: (id, name) => authors[id]?.name.set(name),
    push: (row) =>
      batch(() => {
        mergeIntoObservable(state, tablesOf([row]));
        ids.set([...ids.peek(), row.id]);
      }),
    move: (id) => ids.set([id, ...ids.peek().filter((other) => other !== id)]),
    remove: (id) =>
      batch(() => {
        ids.set(ids.peek().filter((other) => other !== id));
        articles[id]?.delete();
      }),
    async optimistic(id, title, answer) {
      const field = articles[id]?.title;
      const before = field?.peek() ?? '';
      field?.set(title);
      try {
        const row = await answer;
        mergeIntoObservable(state, tablesOf([row]));
      } catch (error) {
        field?.set(before);
        throw error;
      }
    },
  };
}
