/** The unit of the engine benchmark: what one would write by hand for this work with Maps and signals. */
import { batch, computed, effect, signal } from '@preact/signals-core';
import type { ReadonlySignal, Signal } from '@preact/signals-core';
import { byScore, groupByScore, touch } from '../Contender.ts';
import type { Contender, Row } from '../Contender.ts';
import { assemble, flatten } from './flatten.ts';
import type { Author, Flat, Tag } from './flatten.ts';

export function handWritten(): Contender {
  const articles = new Map<number, Signal<Flat>>();
  const authors = new Map<number, Signal<Author>>();
  const tags = new Map<number, Signal<Tag>>();
  const ids = signal<number[]>([]);
  let byScoreValue: Signal<number[]>[] = [];
  const memo = new Map<number, ReadonlySignal<Row>>();
  const expected = new Map<number, { base: Flat; layers: Partial<Flat>[] }>();

  const put = <T extends object>(table: Map<number, Signal<T>>, id: number, next: T) => {
    const known = table.get(id);
    if (known === undefined) table.set(id, signal(next));
    else if (!sameFields(known.peek(), next)) known.value = next;
  };
  const store = (row: Row): void => {
    put(authors, row.author.id, row.author);
    for (const tag of row.tags) put(tags, tag.id, tag);
    put(articles, row.id, flatten(row));
  };
  const article = (id: number) => articles.get(id) as Signal<Flat>;
  const change = (id: number, fields: Partial<Flat>): void => {
    const row = article(id);
    row.value = { ...row.peek(), ...fields };
  };
  const view = (id: number) => {
    let known = memo.get(id);
    if (known === undefined) {
      known = computed(() => {
        const flat = article(id).value;
        const author = (authors.get(flat.author) as Signal<Author>).value;
        const own = flat.tags.map((tag) => (tags.get(tag) as Signal<Tag>).value);
        return assemble(flat, author, own);
      });
      memo.set(id, known);
    }
    return known;
  };
  const list = computed(() => ids.value.map((id) => view(id).value));
  const open = computed(() => list.value.filter(({ completed }) => !completed));
  const sorted = computed(() => [...open.value].sort(byScore));
  const figures = computed(() => ({
    count: open.value.length,
    total: open.value.reduce((sum, { score }) => sum + score, 0),
  }));
  const count = (...views: (() => unknown)[]): (() => number) => {
    let runs = 0;
    for (const view of views) {
      effect(() => {
        view();
        runs++;
      });
    }
    runs = 0;
    return () => runs;
  };

  return {
    name: 'hand-written',
    ingest: (rows) =>
      batch(() => {
        for (const row of rows) store(row);
        const next = rows.map(({ id }) => id);
        if (!sameList(ids.peek(), next)) ids.value = next;
      }),
    readAll: () => touch(list.value),
    mount(shown, form) {
      const rows = shown.map((id) => () => view(id).value);
      const whole = { none: [], snapshot: [() => list.value], membership: [() => ids.value] };
      return count(...rows, ...whole[form]);
    },
    mountDerived: () =>
      count(
        () => sorted.value,
        () => figures.value,
      ),
    changeRow: (id, title) => change(id, { title }),
    mountByScore(rows) {
      batch(() => rows.forEach(store));
      byScoreValue = groupByScore(rows).map((some) => signal(some.map(({ id }) => id)));
      return count(...byScoreValue.map((some) => () => some.value.map((id) => view(id).value)));
    },
    changeScore: (id, score) =>
      batch(() => {
        const before = byScoreValue[article(id).peek().score];
        const after = byScoreValue[score];
        change(id, { score });
        if (before === undefined || after === undefined || before === after) return;
        before.value = before.peek().filter((other) => other !== id);
        after.value = [...after.peek(), id];
      }),
    changeAuthor(id, name) {
      const author = authors.get(id) as Signal<Author>;
      author.value = { ...author.peek(), name };
    },
    push: (row) =>
      batch(() => {
        store(row);
        ids.value = [...ids.peek(), row.id];
      }),
    move(id) {
      ids.value = [id, ...ids.peek().filter((other) => other !== id)];
    },
    remove: (id) =>
      batch(() => {
        articles.delete(id);
        memo.delete(id);
        ids.value = ids.peek().filter((other) => other !== id);
      }),
    async optimistic(id, title, answer) {
      let known = expected.get(id);
      if (known === undefined) expected.set(id, (known = { base: article(id).peek(), layers: [] }));
      const layer = { title };
      known.layers.push(layer);
      change(id, layer);
      try {
        known.base = flatten(await answer);
      } finally {
        known.layers.splice(known.layers.indexOf(layer), 1);
        if (known.layers.length === 0) expected.delete(id);
        put(articles, id, Object.assign({}, known.base, ...known.layers) as Flat);
      }
    },
  };
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
