/** Two classes with the same explicit key, a subclass and the base: summary rows and details are the same entity. */
import { All, Collection, Delete, Entity, EntityMixin, Query, live as liveOf } from 'signalbox';
import { expect, test } from 'vitest';
import { Tag, User, refused, watch, world } from '../setup/world.ts';
import type { World } from '../setup/world.ts';

class ArticleSummary extends Entity {
  id = 0;
  title = '';
  author: User | null = null;
  static override key = 'Article';
  static override schema: Record<string, unknown> = { author: User };
  static override indexes = ['title'] as const;

  get loud(): string {
    return this.title.toUpperCase();
  }
}

class Article extends ArticleSummary {
  body = '';
  tags: Tag[] = [];
  static override schema = { ...ArticleSummary.schema, tags: [Tag] };

  get words(): number {
    return this.body.length;
  }
}

const params = { id: 1 };
const brief = { id: 1, title: 'a', author: { id: 7, name: 'Ada' } };
const whole = { ...brief, body: 'text', tags: [{ id: 3, label: 'x' }] };
const summaries = new Collection([ArticleSummary]);

async function listed() {
  const w = world();
  const list = w.read('list', summaries);
  void w.controller.fetch(list, {});
  await w.call().answer([brief, { id: 2, title: 'b', author: null }]);
  return { w, list, get: w.read('get', Article) };
}

function waits({ controller }: World, get: ReturnType<World['read']>): boolean {
  return controller.view(get, params).ensure(true) !== undefined;
}

test('[N4] a row of a summary class becomes an instance of the full class when the detail is written', async () => {
  const { w, list, get } = await listed();
  const rows = watch(w.controller.signal(list, {}));
  const row = () => rows.last?.[0] as Article;
  expect(row()).toBeInstanceOf(ArticleSummary);
  expect(row()).not.toBeInstanceOf(Article);
  await w.controller.setResponse(get, params, { id: 1, title: 'A', body: 'text', tags: [] });
  expect(row()).toBeInstanceOf(Article);
  expect([row().loud, row().words, row().author?.name]).toEqual(['A', 4, 'Ada']);
  expect(rows.last?.[1]).not.toBeInstanceOf(Article);
  expect(w.controller.get(Article, params)).toBe(row());
  expect(w.controller.get(ArticleSummary, params)).toBe(row());
});

test('[C6] a detail of the full class waits for its fields, a detail of the summary class does not', async () => {
  const { w, get } = await listed();
  expect(waits(w, w.read('brief', ArticleSummary))).toBe(false);
  expect(waits(w, get)).toBe(true);
  await w.call(1).answer(whole);
  const shown = w.controller.signal(get, params).value;
  expect([shown?.words, shown?.tags[0]?.label]).toEqual([4, 'x']);
  expect(waits(w, w.read('brief', ArticleSummary))).toBe(false);
  expect(waits(w, w.read('other', Article))).toBe(false);
  expect(w.log).toEqual(['list {}', 'get {"id":1}']);
});

test('[N4] a later list of summaries changes only the fields of the summary class', async () => {
  const { w, list, get } = await listed();
  await w.controller.setResponse(get, params, whole);
  const before = w.controller.get(Article, params);
  const tags = ['raw'];
  await w.controller.setResponse(list, {}, [{ ...brief, title: 'new', tags }]);
  const after = w.controller.get(Article, params);
  expect(after).toBeInstanceOf(Article);
  expect([after?.title, after?.body]).toEqual(['new', 'text']);
  expect(after?.tags).toBe(before?.tags);
});

test('[N4] an entity in one response as summary and as full class is of the full class, in either order', async () => {
  for (const schema of [
    { whole: Article, list: [ArticleSummary] },
    { list: [ArticleSummary], whole: Article },
  ]) {
    const w = world();
    const both = w.read('both', schema);
    await w.controller.setResponse(both, {}, { whole, list: [brief] });
    const article = w.controller.get(Article, params);
    expect(article).toBeInstanceOf(Article);
    expect([article?.author?.name, article?.tags[0]?.label]).toEqual(['Ada', 'x']);
  }
});

test('[N4] a live object gets the class and the fields of the full class when the detail is written', async () => {
  const { w, get } = await listed();
  const live = liveOf(w.controller, Article, 1);
  const words = watch(() => live.body?.length);
  expect(live).not.toBeInstanceOf(Article);
  await w.controller.setResponse(get, params, whole);
  expect(live).toBeInstanceOf(Article);
  expect(liveOf(w.controller, ArticleSummary, 1)).toBe(live);
  expect(words.seen).toEqual([undefined, 4]);
  expect(live.words).toBe(4);
});

test('[N4] All, indexes, queries and deletions use the same rows for both classes', async () => {
  const { w, list, get } = await listed();
  const { controller } = w;
  await controller.setResponse(get, params, whole);
  const ids = (rows: readonly ArticleSummary[] | undefined) => rows?.map(({ id }) => id);
  const titles = new Query(new All(Article), (rows) => rows.map(({ title }) => title));
  expect([ids(controller.get(new All(Article))), ids(controller.get(new All(ArticleSummary)))]) //
    .toEqual([[1, 2], [1, 2]]); // prettier-ignore
  const seen = watch(controller.query(titles).result);
  expect(controller.get(ArticleSummary, { title: 'a' })).toBe(controller.get(Article, { id: 1 }));
  await controller.set(new Delete(ArticleSummary), params, params);
  await controller.set(new Delete(Article), { id: 2 }, { id: 2 });
  expect(seen.last?.data).toEqual([]);
  expect(controller.signal(list, {}).value).toEqual([]);
  expect(ids(controller.get(new All(ArticleSummary)))).toEqual([]);
});

test('[N15] a creation with the full class is added to lists of the summary class', async () => {
  const { w, list } = await listed();
  const create = w.mutation('create', new Collection([Article]).push, {
    getOptimisticResponse: (_: unknown, body: object) => body,
  });
  void w.controller.fetch(create, { title: 'c' });
  const shown = () => w.controller.signal(list, {}).value as readonly ArticleSummary[];
  expect(shown().map(({ title }) => title)).toEqual(['a', 'b', 'c']);
  await w.call(1).answer({ ...whole, id: 3, title: 'c' });
  expect(shown()[2]).toBeInstanceOf(Article);
  expect(shown()[2]).toBe(w.controller.get(Article, { id: 3 }));
});

test('[O5] an optimistic change with the full class is applied to a summary, and rolled back on failure', async () => {
  const { w, get } = await listed();
  const row = () => w.controller.get(ArticleSummary, params);
  const before = row();
  const update = w.mutation('update', Article, {
    getOptimisticResponse: (_: unknown, body: object) => ({ id: 1, ...body }),
  });
  const failing = refused(
    w.controller.fetch(update, { title: 'mine', body: 'mine', tags: [{ id: 9 }] }),
  );
  expect(row()?.title).toBe('mine');
  expect(waits(w, get)).toBe(true);
  await w.call(1).fail(new Error('no'));
  expect(await failing).toMatchObject({ message: 'no' });
  expect({ ...row() }).toEqual({ ...before });
  await w.call(2).answer(whole);
  expect(w.controller.signal(get, params).value?.body).toBe('text');
});

test('[O5] an optimistic change of a summary stays above the detail that arrives later', async () => {
  const { w, get } = await listed();
  const update = w.mutation('update', ArticleSummary, {
    getOptimisticResponse: (_: unknown, body: object) => ({ id: 1, ...body }),
  });
  void w.controller.fetch(update, { title: 'mine' });
  void w.controller.fetch(get, params);
  await w.call(2).answer(whole);
  const shown = () => w.controller.signal(get, params).value;
  expect([shown()?.title, shown()?.body, shown()?.tags[0]?.label]).toEqual(['mine', 'text', 'x']);
  expect(shown()).toBeInstanceOf(Article);
  await w.call(1).answer({ ...brief, title: 'mine' });
  expect([shown()?.title, shown()?.body]).toEqual(['mine', 'text']);
});

test('[N4] a deleted entity is restored as the class of the later write', async () => {
  const { w, list, get } = await listed();
  await w.controller.setResponse(get, params, whole);
  await w.controller.set(new Delete(Article), params, params);
  await w.controller.setResponse(list, {}, [brief]);
  expect(w.controller.get(ArticleSummary, params)).not.toBeInstanceOf(Article);
  expect(waits(w, get)).toBe(true);
});

test('[N4] merge of the summary class applies to writes of both classes', async () => {
  class Short extends Entity {
    id = 0;
    count = 0;
    static override key = 'Merged';
    static override merge(existing: object, incoming: { count?: number }): object {
      const { count } = existing as Short;
      return { ...existing, ...incoming, count: count + (incoming.count ?? 0) };
    }
  }
  class Long extends Short {
    body = '';
  }
  const w = world();
  await w.controller.set([Short], [{ id: 1, count: 1 }]);
  await w.controller.set([Long], [{ id: 1, count: 2, body: 'text' }]);
  await w.controller.set([Short], [{ id: 1, count: 3 }]);
  const { ...all } = w.controller.get(Long, params);
  expect(all).toEqual({ id: 1, count: 6, body: 'text' });
});

test('[N4] classes that do not extend each other reject with S5 for the same key, even with a common base', async () => {
  class Other extends ArticleSummary {
    other = '';
  }
  class Alien extends EntityMixin(class { id = 0; }, { key: 'Article' }) {} // prettier-ignore
  const w = world();
  await w.controller.set(ArticleSummary, params, brief);
  await w.controller.set(Article, params, whole);
  for (const Class of [Other, Alien])
    await expect(w.controller.set(Class, params, { id: 1 })).rejects.toMatchObject({ code: 'S5' });
});
