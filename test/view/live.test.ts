/** Live objects keep their reference and track fields one by one. */
import { Collection, Delete, Entity, live as liveOf, liveResult, peek } from 'signalbox';
import { expect, test } from 'vitest';
import { Article, Knot, Todo, User, watch, world } from '../setup/world.ts';

const answer = () => [
  { id: 1, title: 'a', author: { id: 1, name: 'Ada' }, tags: [{ id: 1, label: 'x' }] },
  { id: 2, title: 'b', author: 1, tags: [] },
];

async function filled() {
  const w = world();
  const collection = new Collection([Todo]);
  const list = w.read('list', collection, { reply: answer });
  await w.controller.fetch(list, {});
  const view = w.controller.view(list, {});
  return { w, collection, list, view, live: liveOf(w.controller, Todo, 1) };
}

test('[V5] a changed field notifies only readers of that field of that entity', async () => {
  const { w, view, live } = await filled();
  const other = liveOf(w.controller, Todo, 2);
  const readers = {
    title: watch(() => live.title),
    done: watch(() => live.done),
    author: watch(() => live.author),
    name: watch(() => live.author?.name),
    tags: watch(() => live.tags.length),
    other: watch(() => other.title),
    list: watch(liveResult(view)),
    inList: watch(() => liveResult(view).value.data?.[0]?.title),
  };
  await w.controller.set(Todo, { id: 1 }, { title: 'z' });
  const runs = Object.entries(readers).map(([name, { runs }]) => `${name} ${runs}`);
  expect(runs).toEqual([
    'title 2',
    'done 1',
    'author 1',
    'name 1',
    'tags 1',
    'other 1',
    'list 1',
    'inList 2',
  ]);
});

test('[V5] a changed nested entity notifies only readers of its field', async () => {
  const { w, live } = await filled();
  const author = watch(() => live.author);
  const name = watch(() => live.author?.name);
  await w.controller.set(User, { id: 1 }, { name: 'Eve' });
  expect([author.runs, name.runs]).toEqual([1, 2]);
  expect(name.last).toBe('Eve');
});

test('[V5] another nested entity notifies readers of the member', async () => {
  const { w, live } = await filled();
  const author = watch(() => live.author);
  await w.controller.set(Todo, { id: 1 }, { author: { id: 2, name: 'Bob' } });
  expect(author.last).toBe(liveOf(w.controller, User, 2));
  expect(author.runs).toBe(2);
});

test('[V5] an entity has one live object on each path, also after changes and refetches', async () => {
  const { w, view, live, list } = await filled();
  expect(liveResult(view).value.data?.[0]).toBe(live);
  expect(live.author).toBe(liveOf(w.controller, User, 1));
  expect(liveOf(w.controller, Todo, 2).author).toBe(live.author);
  await w.controller.set(Todo, { id: 1 }, { title: 'z' });
  await w.controller.fetch(list, {});
  expect(liveOf(w.controller, Todo, 1)).toBe(live);
  expect(liveResult(view).value.data?.[0]).toBe(live);
});

test('[V5] a live object is an instance of its class, with its methods and getters', async () => {
  const { live } = await filled();
  expect(live).toBeInstanceOf(Todo);
  expect(live.author).toBeInstanceOf(User);
  expect([live.upper, live.titled('* '), live.pk()]).toEqual(['A', '* a', 1]);
  expect('title' in live && 'upper' in live && !('other' in live)).toBe(true);
  expect(Object.keys(live).sort()).toEqual(Object.keys(new Todo()).sort());
  expect(JSON.parse(JSON.stringify(live))).toMatchObject({ id: 1, author: { name: 'Ada' } });
  expect({ ...live }.title).toBe('a');
});

test('[V5] fields that getters and methods read are tracked', async () => {
  const { w, live } = await filled();
  const upper = watch(() => live.upper);
  const titled = watch(() => live.titled('* '));
  await w.controller.set(Todo, { id: 1 }, { done: true });
  expect([upper.runs, titled.runs]).toEqual([1, 1]);
  await w.controller.set(Todo, { id: 1 }, { title: 'z' });
  expect([upper.last, titled.last]).toEqual(['Z', '* z']);
});

test('[V5] a live object rejects assignments and deletions of fields', async () => {
  const { live } = await filled();
  expect(() => Object.assign(live, { title: 'x' })).toThrow(TypeError);
  expect(() => Reflect.deleteProperty(live, 'title') || live.title).not.toThrow();
  expect(live.title).toBe('a');
});

test('[V5] changed membership or order notifies readers of the list, and no reader of a field', async () => {
  const { w, collection, view, live } = await filled();
  const list = watch(() => liveResult(view).value.data?.map(({ id }) => id));
  const title = watch(() => live.title);
  await w.controller.fetch(w.mutation('push', collection.push, { reply: () => ({ id: 3 }) }), {});
  expect(list.last).toEqual([1, 2, 3]);
  await w.controller.set(
    collection,
    {},
    [3, 1, 2].map((id) => ({ id })),
  );
  expect(list.last).toEqual([3, 1, 2]);
  await w.controller.set(new Delete(Todo), { id: 2 }, {});
  expect(list.last).toEqual([3, 1]);
  expect([list.runs, title.runs]).toEqual([4, 1]);
});

test('[V5] one changed row among 1,000 notifies only the reader of that row', async () => {
  const w = world();
  const rows = Array.from({ length: 1_000 }, (_, id) => ({ id, title: `t${id}` }));
  const list = w.read('list', new Collection([Todo]), { reply: () => rows });
  await w.controller.fetch(list, {});
  const view = w.controller.view(list, {});
  const whole = watch(liveResult(view));
  const readers = (liveResult(view).value.data ?? []).map((todo) => watch(() => todo.title));
  await w.controller.set(Todo, { id: 500 }, { title: 'z' });
  expect(readers.filter(({ runs }) => runs > 1)).toEqual([readers[500]]);
  expect(whole.runs).toBe(1);
});

test('[V5] a deleted nested entity reads as the default, and as the entity once restored', async () => {
  const { w, live } = await filled();
  const name = watch(() => live.author?.name ?? 'nobody');
  await w.controller.set(new Delete(User), { id: 1 }, {});
  await w.controller.set(User, { id: 1 }, { name: 'Bob' });
  expect(name.seen).toEqual(['Ada', 'nobody', 'Bob']);
});

test.each<[string, unknown]>([
  ['a collection', new Collection([Article])],
  ['a plain list', [Article]],
])('[V5] live rows of %s are omitted while incomplete', async (_, schema) => {
  const w = world();
  const rows = [
    { id: 1, author: 1 },
    { id: 2, author: { id: 2 } },
  ];
  const list = w.read('list', schema, { reply: () => rows });
  await w.controller.fetch(list, {});
  const live = liveResult(w.controller.view(list, {}));
  const ids = watch(() => (live.value.data as Article[] | undefined)?.map(({ id }) => id));
  expect(ids.last).toEqual([2]);
  await w.controller.set(User, { id: 1 }, { name: 'Ada' });
  expect(ids.last).toEqual([1, 2]);
  await w.controller.set(Article, { id: 2 }, { author: 9 });
  expect(ids.last).toEqual([1]);
  await w.controller.set(new Delete(User), { id: 1 }, {});
  expect(ids.last).toEqual([]);
});

test('[V5] a field that is added later notifies its readers', async () => {
  const { w, live } = await filled();
  const extra = watch(() => (live as Todo & { extra?: number }).extra);
  await w.controller.set(Todo, { id: 1 }, { title: 'z' });
  await w.controller.set(Todo, { id: 1 }, { extra: 5 });
  expect(extra.seen).toEqual([undefined, 5]);
});

test('[V5] the fields of a missing entity notify their readers when it arrives', async () => {
  const { w } = await filled();
  const missing = liveOf(w.controller, Todo, 9);
  const title = watch(() => missing.title);
  await w.controller.set(Todo, { id: 9 }, { title: 'i' });
  expect(title.last).toBe('i');
});

test('[C10] a live object of a deleted entity keeps its fields, and follows the restored entity', async () => {
  const { w, live } = await filled();
  const title = watch(() => live.title);
  await w.controller.set(new Delete(Todo), { id: 1 }, {});
  expect(title.runs).toBe(1);
  await w.controller.set(Todo, { id: 1 }, { title: 'again' });
  expect(title.last).toBe('again');
});

test('[V5] peek returns the immutable snapshot of a live object, and does not subscribe', async () => {
  const { w, live } = await filled();
  expect(peek(live)).toBe(w.controller.entity(Todo, 1).value);
  const watcher = watch(() => peek(live).title);
  await w.controller.set(Todo, { id: 1 }, { title: 'z' });
  expect(watcher.runs).toBe(1);
  expect(peek('text')).toBe('text');
});

test('[V5] live objects in an object schema and in nested arrays are tracked field by field', async () => {
  const w = world();
  class Group extends Entity {
    id = 0;
    pairs: Todo[][] = [];
    static override schema = { pairs: [[Todo]] };
  }
  const get = w.read(
    'get',
    { data: Group },
    {
      reply: () => ({ data: { id: 1, pairs: [[{ id: 1, title: 'a' }, { id: 2 }]] } }),
    },
  );
  await w.controller.fetch(get, {});
  const group = liveResult(w.controller.view(get, {})).value.data?.data;
  const title = watch(() => group?.pairs[0]?.[0]?.title);
  const pairs = watch(() => group?.pairs);
  await w.controller.set(Todo, { id: 1 }, { title: 'z' });
  expect([title.last, pairs.runs]).toEqual(['z', 1]);
});

test('[V5] an added field notifies readers of the keys of a live object', async () => {
  const { w, live } = await filled();
  const keys = watch(() => Object.keys(live).length);
  await w.controller.set(Todo, { id: 1 }, { extra: 1 });
  expect(keys.last).toBe(Object.keys(new Todo()).length + 1);
});

test('[V5] a live reader runs when a nested entity that it read is deleted, also without a snapshot', async () => {
  const w = world();
  const nested = { id: 2, label: 'b', next: null };
  await w.controller.set(Knot, { id: 1, label: 'a', next: nested });
  const reader = watch(() => liveOf(w.controller, Knot, 1).next);
  await w.controller.set(new Delete(Knot), { id: 2 }, {});
  expect([reader.last, reader.runs]).toEqual([null, 2]);
});
