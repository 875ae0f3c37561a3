/** The unit of the engine benchmark: what one would write by hand for this work with a Map and signals. */
import { batch, computed, effect, signal } from '@preact/signals-core';
import type { Signal } from '@preact/signals-core';
import { touch } from '../Contender.ts';
import type { Contender, Row, TitleChange } from '../Contender.ts';

type Author = Row['author'];
type Tag = Row['tags'][number];
type Flat = Omit<Row, 'author' | 'tags'> & { author: number; tags: number[] };

export function handWritten(): Contender {
  const articles = new Map<number, Signal<Flat>>();
  const authors = new Map<number, Signal<Author>>();
  const tags = new Map<number, Signal<Tag>>();
  const ids = signal<number[]>([]);
  const memo: Map<
    number,
    Signal<Row>['peek'] extends () => infer T ? { value: T } : never
  > = new Map();

  const put = <T extends object>(table: Map<number, Signal<T>>, id: number, next: T) => {
    const known = table.get(id);
    if (known === undefined) table.set(id, signal(next));
    else if (!sameFields(known.peek(), next)) known.value = next;
  };
  const ingest = (rows: Row[]) =>
    batch(() => {
      const next: number[] = [];
      for (const row of rows) {
        put(authors, row.author.id, row.author);
        for (const tag of row.tags) put(tags, tag.id, tag);
        const { author, tags: own, ...rest } = row;
        put(articles, row.id, { ...rest, author: author.id, tags: own.map(({ id }) => id) });
        next.push(row.id);
      }
      if (!sameList(ids.peek(), next)) ids.value = next;
    });
  const view = (id: number) => {
    let known = memo.get(id);
    if (known === undefined) {
      known = computed(() => {
        const flat = (articles.get(id) as Signal<Flat>).value;
        const author = (authors.get(flat.author) as Signal<Author>).value;
        return {
          ...flat,
          author,
          tags: flat.tags.map((tag) => (tags.get(tag) as Signal<Tag>).value),
        };
      });
      memo.set(id, known);
    }
    return known;
  };
  // what is confirmed of rows that are not, and what is shown above it in the order of issue
  const waiting = new Map<number, { base: Flat; titles: TitleChange[] }>();
  const lay = (change: TitleChange) => {
    const row = articles.get(change.id) as Signal<Flat>;
    let own = waiting.get(change.id);
    if (own === undefined) waiting.set(change.id, (own = { base: row.peek(), titles: [] }));
    own.titles.push(change);
    row.value = { ...row.peek(), title: change.title };
  };
  const lift = (change: TitleChange, answer?: object) => {
    const own = waiting.get(change.id) as { base: Flat; titles: TitleChange[] };
    own.titles.splice(own.titles.indexOf(change), 1);
    if (answer !== undefined) own.base = { ...own.base, ...answer };
    const top = own.titles.at(-1);
    const next = top === undefined ? own.base : { ...own.base, title: top.title };
    const row = articles.get(change.id) as Signal<Flat>;
    if (!sameFields(row.peek(), next)) row.value = next;
    if (top === undefined) waiting.delete(change.id);
  };
  const update = async (change: TitleChange) => {
    lay(change);
    try {
      lift(change, await change.send());
    } catch (error) {
      lift(change);
      throw error;
    }
  };
  const updateAll = async (changes: readonly TitleChange[]) => {
    batch(() => changes.forEach(lay));
    try {
      const answers = await Promise.all(changes.map(({ send }) => send()));
      batch(() => changes.forEach((change, at) => lift(change, answers[at])));
    } catch (error) {
      batch(() => changes.forEach((change) => lift(change)));
      throw error;
    }
  };
  const list = computed(() => ids.value.map((id) => view(id).value));
  const open = computed(() => list.value.filter(({ completed }) => !completed));
  const sorted = computed(() => [...open.value].sort(byScore));
  const figures = computed(() => ({
    count: open.value.length,
    total: open.value.reduce((sum, { score }) => sum + score, 0),
  }));

  return {
    name: 'hand-written',
    ingest,
    readAll: () => touch(list.value),
    mount(live) {
      let runs = 0;
      for (const id of ids.peek()) {
        effect(() => {
          void view(id).value;
          runs++;
        });
      }
      effect(() => {
        void (live ? ids.value : list.value);
        runs++;
      });
      runs = 0;
      return () => runs;
    },
    mountDerived() {
      let runs = 0;
      for (const derived of [sorted, figures]) {
        effect(() => {
          void derived.value;
          runs++;
        });
      }
      runs = 0;
      return () => runs;
    },
    changeScore(id, score) {
      const row = articles.get(id) as Signal<Flat>;
      row.value = { ...row.peek(), score };
    },
    changeRow(id, title) {
      const row = articles.get(id) as Signal<Flat>;
      row.value = { ...row.peek(), title };
    },
    changeAuthor(id, name) {
      const author = authors.get(id) as Signal<Author>;
      author.value = { ...author.peek(), name };
    },
    push(row) {
      batch(() => {
        put(authors, row.author.id, row.author);
        for (const tag of row.tags) put(tags, tag.id, tag);
        put(articles, row.id, {
          ...row,
          author: row.author.id,
          tags: row.tags.map(({ id }) => id),
        });
        ids.value = [...ids.peek(), row.id];
      });
    },
    remove(id) {
      batch(() => {
        articles.delete(id);
        memo.delete(id);
        ids.value = ids.peek().filter((other) => other !== id);
      });
    },
    update: (id, title, send) => update({ id, title, send }),
    updateAll,
  };
}

function byScore(a: Row, b: Row): number {
  return a.score - b.score || (a.title < b.title ? -1 : Number(a.title > b.title));
}

function sameList(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((value, at) => value === b[at]);
}

function sameFields(a: object, b: object): boolean {
  for (const name in a) {
    const x = (a as Record<string, unknown>)[name];
    const y = (b as Record<string, unknown>)[name];
    if (x !== y && !(Array.isArray(x) && Array.isArray(y) && sameList(x, y))) return false;
  }
  return true;
}
