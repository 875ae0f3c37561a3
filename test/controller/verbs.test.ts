/** The methods that write, read, invalidate and expire without a request. */
import { AbortOptimistic, Collection, Controller, Entity, transaction, live } from 'signalbox';
import { expect, test } from 'vitest';
import { Article, Todo, User, refusal, settled, watch, world } from '../setup/world.ts';

const params = { id: 1 };

async function filled() {
  const w = world();
  const get = w.read('get', Todo, { reply: ({ id }: { id: number }) => ({ id, title: 'a' }) });
  const list = w.read('list', new Collection([Todo]), { reply: () => [{ id: 1 }, { id: 2 }] });
  for (const id of [1, 2]) await w.controller.fetch(get, { id });
  await w.controller.fetch(list, {});
  return { w, get, list };
}

test('[I1] methods of a controller can be destructured and called alone', async () => {
  const { w, get } = await filled();
  // oxlint-disable-next-line typescript/unbound-method -- that is what is tested
  const { fetch, set, invalidate, getResponse, signal } = w.controller;
  await set(Todo, params, { title: 'z' });
  expect(signal(get, params).value?.title).toBe('z');
  expect(live(w.controller, Todo, 1).title).toBe('z');
  await transaction(w.controller, (steps) => steps.set(Todo, params, { title: 'y' }));
  invalidate(get, params);
  expect(getResponse(get, params).data).toBeUndefined();
  expect((await fetch(get, params))?.title).toBe('a');
});

test('[I1] a method that a subclass of Controller overrides can be destructured', () => {
  class Loud extends Controller {
    override sweep(): number {
      return super.sweep() + 100;
    }
  }
  // oxlint-disable-next-line typescript/unbound-method -- that is what is tested
  const { sweep } = new Loud();
  expect(sweep()).toBe(100);
  expect(Object.keys(new Loud())).toEqual([]);
});

test('[I1] set writes synchronously, and its promise resolves', async () => {
  const { w } = await filled();
  const done = w.controller.set(Todo, params, { title: 'z' });
  expect(w.controller.get(Todo, params)?.title).toBe('z');
  await expect(done).resolves.toBeUndefined();
});

test.each<[string, unknown]>([
  ['an object', { id: 5 }],
  ['a number', 5],
  ['text', '5'],
])('[I1] set takes the primary key from its arguments: %s', async (_, pk) => {
  const w = world();
  await w.controller.set(User, pk, { name: 'Ada' });
  expect(w.controller.entity(User, 5).value?.name).toBe('Ada');
});

test('[I1] set takes the primary key from its arguments if pk() returns another field than id', async () => {
  class Slug extends Entity {
    slug = '';
    text = '';
    override pk() {
      return this.slug;
    }
  }
  const w = world();
  await w.controller.set(Slug, { slug: 'a' }, { text: 'x' });
  await w.controller.set(Slug, { slug: 'b' }, { text: 'y' });
  expect(w.controller.entity(Slug, 'a').value).toMatchObject({ slug: 'a', text: 'x' });
});

test('[I1] a function passed to set gets the stored entity, and its result is stored', async () => {
  const { w } = await filled();
  const before = w.controller.get(Todo, params);
  await w.controller.set(Todo, params, (todo: Todo) => {
    expect(todo).toBe(before);
    return { title: `${todo.title}!` };
  });
  expect(w.controller.get(Todo, params)?.title).toBe('a!');
});

test('[I1] a function passed to set that spreads the entity keeps the nested members', async () => {
  const w = world();
  await w.controller.set(Article, params, { title: 'a', author: { id: 2, name: 'Ada' } });
  await w.controller.set(Article, params, (article: Article) => ({ ...article, title: 'b' }));
  expect(w.controller.get(Article, params)).toMatchObject({ title: 'b', author: { name: 'Ada' } });
});

test('[I1] set writes arrays of entities and Collections', async () => {
  const { w, list } = await filled();
  await w.controller.set([Todo], [{ id: 7, title: 'g' }]);
  expect(w.controller.get(Todo, { id: 7 })?.title).toBe('g');
  await w.controller.set(list.schema, {}, (rows: Todo[]) => [...rows, { id: 8 }]);
  expect(w.controller.signal(list, {}).value?.map(({ id }) => id)).toEqual([1, 2, 8]);
});

test('[I1] an exception in a function passed to set rejects, and writes nothing', async () => {
  const { w } = await filled();
  const watcher = watch(w.controller.entity(Todo, 1));
  const broken = () => {
    throw new Error('mine');
  };
  await expect(w.controller.set(Todo, params, broken)).rejects.toThrow('mine');
  expect(watcher.runs).toBe(1);
});

test('[I1] set with a function for a missing entity or list rejects with S10', async () => {
  const w = world();
  for (const schema of [Todo, new Collection([Todo])]) {
    const outcome = w.controller.set(schema, params, (value: object) => value);
    await expect(outcome).rejects.toMatchObject({ code: 'S10' });
  }
});

test('[I1] setResponse stores a response that arrived now: fresh for one minute', async () => {
  const { w, get } = await filled();
  await w.controller.setResponse(get, { id: 3 }, { id: 3, title: 'c' });
  const { data, error, expiresAt } = w.controller.getResponse(get, { id: 3 });
  expect([data?.title, error, expiresAt]).toEqual(['c', undefined, w.clock.now() + 60_000]);
  expect(w.controller.view(get, { id: 3 }).ensure(true)).toBeUndefined();
});

test('[I1] setError stores an error that readers get, and that expires after one second', async () => {
  const { w, get } = await filled();
  const error = refusal(404);
  await w.controller.setError(get, params, error);
  expect(w.controller.getError(get, params)).toBe(error);
  expect(w.controller.view(get, params).result.value.status).toBe('error');
  const { length } = w.calls;
  w.clock.advance(1_001);
  await w.controller.view(get, params).ensure(true);
  expect(w.calls).toHaveLength(length + 1);
});

test('[I1] get, getResponse and snapshot are not tracked by the reader that calls them', async () => {
  const { w, get } = await filled();
  const snapshot = w.controller.snapshot();
  const watcher = watch(() => [
    w.controller.get(Todo, params)?.title,
    w.controller.getResponse(get, params).data?.title,
    snapshot.get(Todo, params)?.title,
    snapshot.getResponse(get, params).data?.title,
  ]);
  expect(watcher.last).toEqual(['a', 'a', 'a', 'a']);
  await w.controller.set(Todo, params, { title: 'z' });
  expect(watcher.runs).toBe(1);
  expect(snapshot.get(Todo, params)?.title).toBe('z');
  expect(snapshot.getError(get, params)).toBeUndefined();
});

test('[I1] controller.snapshot() has `abort` and the present time as fetchedAt', () => {
  const w = world();
  const { abort, fetchedAt } = w.controller.snapshot();
  expect(abort).toBeInstanceOf(AbortOptimistic);
  expect(fetchedAt).toBe(w.clock.now());
});

test('[I1] get, getResponse and signal return undefined for missing data, and send no request', () => {
  const w = world();
  const get = w.read('get', Todo);
  expect(w.controller.get(Todo, params)).toBeUndefined();
  expect(w.controller.getResponse(get, params)).toEqual({
    data: undefined,
    error: undefined,
    expiresAt: 0,
  });
  expect(w.controller.signal(get, params).value).toBeUndefined();
  expect(w.calls).toHaveLength(0);
});

test('[I1] entity() and live() without a primary key in the arguments throw S9, which names the class', () => {
  const w = world();
  const wrong = {} as { id: number };
  expect(() => w.controller.entity(User, wrong)).toThrow(expect.objectContaining({ code: 'S9' }));
  expect(() => live(w.controller, User, wrong)).toThrow(/S9.*"User"/);
});

test('[I2] invalidate notifies readers of its key alone, and makes them suspend', async () => {
  const { w, get, list } = await filled();
  const readers = [watch(w.controller.signal(get, params)), watch(w.controller.signal(list, {}))];
  w.controller.invalidate(get, params);
  expect(readers.map(({ runs }) => runs)).toEqual([2, 1]);
  expect(readers[0]?.last).toBeUndefined();
  expect(w.controller.view(get, params).ensure(true)).toBeInstanceOf(Promise);
  expect(w.controller.view(get, { id: 2 }).ensure(true)).toBeUndefined();
  expect(w.controller.entity(Todo, 1).value?.title).toBe('a');
});

test('[I2] invalidate of an entity invalidates each result that contains the entity, at any depth', async () => {
  const { w, get, list } = await filled();
  const article = w.read('article', { article: Article }, {});
  await w.controller.setResponse(article, { id: 1 }, { article: { id: 1, author: { id: 7 } } });
  const shown = () => {
    const { controller } = w;
    const details = [1, 2].map((id) => controller.getResponse(get, { id }).data);
    const others = [controller.getResponse(list, {}), controller.getResponse(article, { id: 1 })];
    return [...details, ...others.map(({ data }) => data as unknown)].map(
      (data) => data !== undefined,
    );
  };
  w.controller.invalidate(User, 7);
  expect(shown()).toEqual([true, true, true, false]);
  w.controller.invalidate(Todo, { id: 2 });
  expect(shown()).toEqual([true, false, false, false]);
});

test('[I2] invalidateAll invalidates the keys that match testKey', async () => {
  const { w, get, list } = await filled();
  w.controller.invalidateAll(get);
  const shown = () => [
    w.controller.signal(get, params).value,
    w.controller.signal(get, { id: 2 }).value,
    w.controller.signal(list, {}).value,
  ];
  expect(shown().map((value) => value === undefined)).toEqual([true, true, false]);
  w.controller.invalidateAll({ testKey: (key) => key.startsWith('list') });
  expect(shown()[2]).toBeUndefined();
  expect(w.controller.get(Todo, params)?.title).toBe('a');
});

test('[I2] invalidateAll of an endpoint does not invalidate an endpoint with a longer name with the same beginning', async () => {
  const w = world();
  const get = w.read('get', Todo, { reply: () => ({ id: 1 }) });
  const getter = w.read('getter', Todo, { reply: () => ({ id: 1 }) });
  for (const endpoint of [get, getter]) await w.controller.fetch(endpoint, {});
  w.controller.invalidateAll(get);
  expect(w.controller.signal(getter, {}).value?.id).toBe(1);
});

test('[I2] invalidate and invalidateAll clear an error without data, and a reader sends a new request', async () => {
  const w = world();
  const get = w.read('get', Todo, { reply: () => Promise.reject(refusal(404)) });
  const view = w.controller.view(get, params);
  for (const invalidate of [
    () => w.controller.invalidate(get, params),
    () => w.controller.invalidateAll(get),
  ]) {
    w.clock.advance(2_000);
    await view.ensure(true);
    expect([view.ensure(true), view.result.value.status]).toEqual([undefined, 'error']);
    invalidate();
    expect(view.result.value.status).toBe('pending');
    expect(w.controller.getError(get, params)).toBeUndefined();
    void view.ensure(true);
    await settled();
  }
  expect(w.calls).toHaveLength(4);
});

test('[I1] expireAll notifies no reader and sends nothing, and the next reader refetches', async () => {
  const { w, get, list } = await filled();
  const watcher = watch(w.controller.signal(get, params));
  const { length } = w.calls;
  w.controller.expireAll(get);
  expect([watcher.runs, w.calls.length]).toEqual([1, length]);
  for (const id of [1, 2]) {
    expect(w.controller.view(get, { id }).ensure(true)).toBeUndefined();
    w.controller.view(get, { id }).revalidate();
  }
  w.controller.view(list, {}).revalidate();
  expect(w.calls).toHaveLength(length + 2);
});
