/** Details are shown without a request if each declared field has been received. */
import {
  All,
  Collection,
  Delete,
  Entity,
  Query,
  Scalar,
  Union,
  transaction,
  liveResult,
} from 'signalbox';
import { expect, onTestFinished, test } from 'vitest';
import { User, refusal, watch, world } from '../setup/world.ts';
import type { World } from '../setup/world.ts';

class Article extends Entity {
  id = 0;
  slug = '';
  title = '';
  body = '';
  votes = 1;
  images: string[] = ['none'];
  createdAt = new Date(0);
  author: User | null = null;
  note: string | undefined = undefined;
  static override schema = { author: User, createdAt: Date };
  static override indexes = ['slug'] as const;

  get words(): number {
    return this.body.length;
  }
  shout = () => this.title.toUpperCase();
}

const brief = { id: 1, slug: 'a', title: 'A', votes: 0, images: [], createdAt: '2020-01-01' };
const row = { ...brief, body: '' };
const params = { id: 1 };

async function listed(fields: object, options: object = {}) {
  const w = world(options);
  const list = w.read('list', new Collection([Article]), { reply: () => [fields] });
  await w.controller.fetch(list, {});
  const get = w.read('get', Article);
  return { w, list, get, view: w.controller.view(get, params) };
}

/** The behaviour of a reader that mounts now. */
function mount({ controller }: World, get: ReturnType<World['read']>, args: object = params) {
  const view = controller.view(get, args);
  if (view.ensure(true) !== undefined) return 'waits';
  view.revalidate();
  return 'shows';
}

test('[C6] a row with all declared fields needs no request; undefined and null defaults may be absent', async () => {
  const { w, get } = await listed(row);
  expect(mount(w, get)).toBe('shows');
  expect(w.log).toEqual(['list {}']);
});

test.each(['slug', 'title', 'body', 'votes', 'images', 'createdAt'])(
  '[C6] a detail of a row without `%s` is pending until its own response',
  async (name) => {
    const { w, get, view } = await listed({ ...row, [name]: undefined });
    expect(view.result.value.status).toBe('pending');
    expect(liveResult(view).value.status).toBe('pending');
    expect(w.controller.getResponse(get, params)).toMatchObject({ data: undefined, expiresAt: 0 });
    expect([mount(w, get), mount(w, get)]).toEqual(['waits', 'waits']);
    await w.call(1).answer({ ...row, body: 'text' });
    expect(view.result.value.data?.body).toBe('text');
    expect(w.log).toEqual(['list {}', 'get {"id":1}']);
  },
);

test('[C6] an explicit null counts as a received field', async () => {
  const { w, get } = await listed({ ...row, body: null });
  expect(mount(w, get)).toBe('shows');
});

test('[C6] fields that `process` adds count as received', async () => {
  class Filled extends Article {
    static override process(input: object): object {
      return { body: '', ...input };
    }
  }
  const w = world();
  await w.controller.set([Filled], [brief]);
  expect(mount(w, w.read('get', Filled))).toBe('shows');
});

test('[C6] several responses together complete an entity and notify its readers', async () => {
  const { w, get } = await listed(brief);
  const watcher = watch(w.controller.signal(get, params));
  const live = liveResult(w.controller.view(get, params));
  const bodies = watch(() => live.value.data?.body);
  await w.controller.set(Article, params, { title: 'B' });
  await w.controller.set(Article, params, { body: '' });
  expect(watcher.seen.map((article) => article?.title)).toEqual([undefined, 'B']);
  expect(bodies.seen).toEqual([undefined, '']);
  expect(mount(w, get)).toBe('shows');
});

test('[C6] the own response completes a detail, even if fields are missing', async () => {
  const { w, get, view } = await listed(brief);
  await w.controller.fetchIfStale(w.read('get', Article, { reply: () => brief }), params);
  expect(mount(w, get)).toBe('shows');
  expect(view.result.value.data?.body).toBe('');
  expect(w.log).toEqual(['list {}', 'get {"id":1}']);
  w.clock.advance(60_001);
  expect(mount(w, get)).toBe('shows');
  expect(w.log).toHaveLength(3);
});

test('[C6] the own response of an endpoint completes only the detail of that endpoint', async () => {
  const { w, get } = await listed(brief);
  await w.controller.fetch(w.read('get', Article, { reply: () => brief }), params);
  expect(mount(w, w.read('other', Article))).toBe('waits');
  expect(mount(w, get)).toBe('shows');
});

test('[C6] a later list without some fields removes no stored field', async () => {
  const { w, list, get } = await listed(row);
  await w.controller.setResponse(list, {}, [brief]);
  expect(mount(w, get)).toBe('shows');
  expect(w.controller.get(Article, params)?.body).toBe('');
});

test('[C6] an entity deleted and received again with fewer fields is incomplete, even after its detail', async () => {
  const { w, get, list } = await listed(row);
  await w.controller.setResponse(get, params, { ...row, body: 'text' });
  await w.controller.set(new Delete(Article), params, params);
  await w.controller.setResponse(list, {}, [brief]);
  expect(mount(w, get)).toBe('waits');
});

test('[C6] a complete row that has expired is shown and refetched', async () => {
  const { w, get } = await listed(row, { dataExpiryLength: 0 });
  w.clock.advance(1);
  expect(mount(w, get)).toBe('shows');
  expect(w.log).toEqual(['list {}', 'get {"id":1}']);
});

test('[C6] a failed detail of an incomplete row has the error, and no data', async () => {
  const { w, get, view } = await listed(brief);
  mount(w, get);
  await w.call(1).fail(refusal(500));
  expect(view.result.value).toMatchObject({ status: 'error', data: undefined });
});

test.each([
  ['endpoint', {}, { returnPartialData: true }],
  ['controller', { returnPartialData: true }, {}],
])(
  '[C6] returnPartialData of the %s shows the known fields and fetches the others',
  async (_, wide, own) => {
    const { w } = await listed(brief, wide);
    const get = w.read('get', Article, { ...own, invalidIfStale: true });
    const view = w.controller.view(get, params);
    expect(view.result.value.data?.title).toBe('A');
    expect([mount(w, get), mount(w, get)]).toEqual(['shows', 'shows']);
    expect(w.log).toEqual(['list {}', 'get {"id":1}']);
    await w.call(1).answer({ ...row, body: 'text' });
    expect(view.result.value.data?.body).toBe('text');
    expect(mount(w, get)).toBe('shows');
    expect(w.calls).toHaveLength(2);
  },
);

test('[E3] returnPartialData of an endpoint overrides the controller', async () => {
  const { w } = await listed(brief, { returnPartialData: true });
  expect(mount(w, w.read('get', Article, { returnPartialData: false }))).toBe('waits');
});

test('[C6] a detail found by an index is pending while fields are missing', async () => {
  const { w, get } = await listed(brief);
  expect(mount(w, get, { slug: 'a' })).toBe('waits');
  await w.controller.set(Article, params, { body: '' });
  expect(w.controller.signal(get, { slug: 'a' }).value?.title).toBe('A');
});

test('[C6] an object or a union is complete only if each root entity is complete', async () => {
  const { w } = await listed(brief);
  expect(mount(w, w.read('wrapped', { article: Article, note: '' }))).toBe('waits');
  const either = new Union({ article: Article, user: User }, 'type');
  expect(mount(w, w.read('either', either), { id: 1, type: 'article' })).toBe('waits');
  await w.controller.set(Article, params, { body: '' });
  expect(mount(w, w.read('wrapped', { article: Article, note: '' }))).toBe('shows');
  expect(w.controller.signal(w.read('anew', { article: Article }), params).value).toBeDefined();
});

test('[C6] a detail is complete with an incomplete nested entity', async () => {
  const { w, get } = await listed({ ...row, author: { id: 7 } });
  expect(mount(w, get)).toBe('shows');
  expect(mount(w, w.read('user', User), { id: 7 })).toBe('waits');
});

test('[C6] lists, queries, lookups and optimistic snapshots return incomplete entities', async () => {
  const { w, list } = await listed(brief);
  const { controller } = w;
  const all = controller.query(new Query(new All(Article), (rows) => rows.length));
  expect(all.result.value.data).toBe(1);
  expect(controller.query(Article, params).result.value.data?.title).toBe('A');
  expect(controller.query(Article, { slug: 'a' }).result.value.data?.title).toBe('A');
  expect(controller.get(Article, params)?.body).toBe('');
  expect(controller.getResponse(list, {}).data).toHaveLength(1);
  const seen: unknown[] = [];
  const vote = w.mutation('vote', Article, {
    getOptimisticResponse: (snapshot: typeof controller) => {
      const article = snapshot.get(Article, params);
      seen.push(article?.body);
      return { ...article, votes: 2 };
    },
  });
  void controller.fetch(vote, params);
  expect([seen[0], controller.get(Article, params)?.votes]).toEqual(['', 2]);
});

test('[C6] neither an optimistic value nor an empty response to its mutation completes a row', async () => {
  const { w, get } = await listed(brief);
  const getOptimisticResponse = (snapshot: World['controller']) => ({
    ...snapshot.get(Article, params),
    votes: 2,
  });
  void w.controller.fetch(w.mutation('vote', Article, { getOptimisticResponse }), params);
  expect(w.controller.signal(get, params).value).toBeUndefined();
  await w.call(1).answer(null);
  expect(w.controller.get(Article, params)?.votes).toBe(2);
  expect(w.controller.signal(get, params).value).toBeUndefined();
});

test('[C6] the entity of a pending creation is complete: a detail sends no request', async () => {
  const w = world();
  const create = w.mutation('create', Article, {
    getOptimisticResponse: (_: unknown, body: object) => body,
  });
  void w.controller.fetch(create, { title: 'mine' });
  const [made] = w.controller.get(new All(Article)) ?? [];
  expect(mount(w, w.read('get', Article), { id: made?.id })).toBe('shows');
  expect(w.log).toEqual(['create {"title":"mine"}']);
});

test.each([
  ['an empty response', null, 'mine'],
  ['the key alone', { id: 7 }, 'mine'],
  ['some fields', { id: 7, title: 'MINE' }, 'MINE'],
])(
  '[C6] a detail that shows an optimistic creation stays when %s confirms the creation, and is fetched',
  async (_, response, title) => {
    const { w } = await listed(brief);
    const { controller } = w;
    const get = w.read('get', Article);
    const create = w.mutation('create', new Collection([Article]).push, {
      getOptimisticResponse: (_snapshot: unknown, body: object) => body,
    });
    void controller.fetch(create, { id: 7, title: 'mine' });
    const view = controller.view(get, { id: 7 });
    onTestFinished(view.retain());
    const { seen } = watch(() => view.result.value.data?.title);
    await w.call(1).answer(response);
    expect(seen.at(-1)).toBe(title);
    expect(seen).not.toContain(undefined);
    expect(w.log.at(-1)).toBe('get {"id":7}');
    await w.call(2).answer({ ...row, id: 7 });
    expect(controller.signal(get, { id: 7 }).value?.title).toBe('A');
  },
);

test.each(['one', 'rows', 'a transaction'])(
  '[C6] a function of the current value (%s) does not count defaults as received',
  async (how) => {
    const { w, list, get } = await listed(brief);
    const { controller } = w;
    const voted = (article: Article) => ({ ...article, votes: 5 });
    if (how === 'one') await controller.set(Article, params, voted);
    else if (how === 'rows')
      await controller.set(list.schema, {}, (rows: Article[]) => rows.map(voted));
    else await transaction(controller, ({ set }) => void set(Article, params, voted));
    expect(controller.get(Article, params)?.votes).toBe(5);
    expect(mount(w, get)).toBe('waits');
    await controller.set(Article, params, (article: Article) => ({ ...article, body: 'mine' }));
    expect(controller.signal(get, params).value?.body).toBe('mine');
  },
);

test('[C6] a detail is complete without the fields of a Scalar', async () => {
  const shares = new Scalar({ lens: ([of]) => of?.portfolio, key: 'completeness' });
  class Company extends Entity {
    id = '';
    name = '';
    shares = 0;
    static override schema = { shares };
  }
  const w = world();
  await w.controller.set([Company], { portfolio: 'x' }, [{ id: '1', name: 'A' }]);
  expect(mount(w, w.read('get', Company), { id: '1', portfolio: 'x' })).toBe('shows');
});

test('[C6] a received default counts as received in a class with shouldReorder', async () => {
  class Decided extends Article {
    static override shouldReorder(): boolean {
      return false;
    }
  }
  const w = world();
  const get = w.read('get', Decided);
  await w.controller.set([Decided], [brief]);
  expect(w.controller.signal(get, params).value).toBeUndefined();
  await w.controller.set([Decided], [row]);
  expect(w.controller.signal(get, params).value?.body).toBe('');
});
