/** The readers that a write notifies, how often, and the values that keep their reference. */
import { batch, computed } from '@preact/signals-core';
import { Collection, Delete, Entity, live as liveOf, liveResult } from 'signalbox';
import { expect, test } from 'vitest';
import { Article, Tag, Todo, User, watch, world } from '../setup/world.ts';

const rows = () => [
  { id: 1, title: 'a', author: { id: 1, name: 'Ada' }, tags: [{ id: 1, label: 'x' }] },
  {
    id: 2,
    title: 'b',
    author: { id: 2, name: 'Bob' },
    tags: [{ id: 1 }, { id: 2 }],
    meta: { n: [1] },
  },
  { id: 3, title: 'c', author: 1, tags: [] },
];

async function filled() {
  const w = world();
  const list = w.read('list', new Collection([Todo]), { reply: rows });
  await w.controller.fetch(list, {});
  return { w, list, signal: w.controller.signal(list, {}) };
}

test('[V1] a request and an entity are read-only signals', async () => {
  const { w, signal } = await filled();
  const todo = w.controller.entity(Todo, 1);
  expect(signal.value?.[0]).toBe(todo.value);
  expect(signal.peek()?.[0]).toBe(todo.peek());
  expect(() => Object.assign(todo, { value: 1 })).toThrow(TypeError);
});

test('[V1] subscribe calls back with the present value and after each change, until stopped', async () => {
  const { w } = await filled();
  const titles: unknown[] = [];
  const stop = w.controller.entity(Todo, 1).subscribe((todo) => titles.push(todo?.title));
  await w.controller.set(Todo, { id: 1 }, { title: 'z' });
  stop();
  await w.controller.set(Todo, { id: 1 }, { title: 'y' });
  expect(titles).toEqual(['a', 'z']);
});

test('[V1] a computed signal over a signal does not notify readers of equal values', async () => {
  const { w, signal } = await filled();
  const count = computed(() => signal.value?.length);
  const watcher = watch(count);
  await w.controller.set(Todo, { id: 1 }, { title: 'z' });
  expect(watcher.seen).toEqual([3]);
  await w.controller.set(new Delete(Todo), { id: 1 }, {});
  expect(watcher.seen).toEqual([3, 2]);
});

test('[V1] the reader of a missing entity or request is notified only by its own data', async () => {
  const { w } = await filled();
  const missing = watch(w.controller.entity(Todo, 9));
  const unasked = watch(w.controller.signal(w.read('other', Todo), { id: 'x' }));
  await w.controller.set(Todo, { id: 8 }, { title: 'h' });
  expect([missing.runs, unasked.runs]).toEqual([1, 1]);
  await w.controller.set(Todo, { id: 9 }, { title: 'i' });
  expect([missing.runs, unasked.runs]).toEqual([2, 1]);
  expect(missing.last?.title).toBe('i');
});

test('[V2] a commit runs a reader of several changed signals once', async () => {
  const { w, list, signal } = await filled();
  const all = watch(() => [
    signal.value,
    w.controller.entity(Todo, 1).value,
    w.controller.entity(User, 1).value,
    w.controller.view(list, {}).result.value,
    liveOf(w.controller, Todo, 1).title,
    liveOf(w.controller, Todo, 1).author?.name,
  ]);
  const changed = [{ ...rows()[0], title: 'z', author: { id: 1, name: 'Eve' } }, rows()[2]];
  await w.controller.fetch(w.read('again', [Todo], { reply: () => changed }), {});
  expect(all.runs).toBe(2);
});

test('[V2] no reader sees a mix of two commits', async () => {
  const w = world();
  const pair = w.read('pair', [User], {
    reply: (n: number) => [1, 2].map((id) => ({ id, name: `${n}` })),
  });
  await w.controller.fetch(pair, 0);
  const names = watch(() => [1, 2].map((pk) => w.controller.entity(User, pk).value?.name).join());
  const live = watch(() => [1, 2].map((pk) => liveOf(w.controller, User, pk).name).join());
  for (let n = 1; n <= 3; n++) await w.controller.fetch(pair, n);
  expect(names.seen).toEqual(['0,0', '1,1', '2,2', '3,3']);
  expect(live.seen).toEqual(names.seen);
});

test('[V2] plain listeners run once per commit, after the effects', async () => {
  const { w, list, signal } = await filled();
  const order: string[] = [];
  const view = w.controller.view(list, {});
  view.listen(() => order.push(`listener ${signal.peek()?.[0]?.title}`));
  watch(() => order.push(`effect ${signal.value?.[0]?.title}`));
  await w.controller.set(
    [Todo],
    [
      { id: 1, title: 'z' },
      { id: 2, title: 'y' },
    ],
  );
  expect(order).toEqual(['effect a', 'effect z', 'listener z']);
});

test('[V2] two writes in a batch run readers and listeners once', async () => {
  const { w, list, signal } = await filled();
  const watcher = watch(signal);
  let heard = 0;
  w.controller.view(list, {}).listen(() => heard++);
  batch(() => {
    void w.controller.set(Todo, { id: 1 }, { title: 'y' });
    void w.controller.set(Todo, { id: 2 }, { title: 'z' });
  });
  expect([watcher.runs, heard]).toEqual([2, 1]);
});

test('[V2] a reader and a listener may write during a commit, and other readers see the results', async () => {
  const { w, list } = await filled();
  const one = w.controller.entity(Todo, 1);
  watch(() => void w.controller.set(Todo, { id: 2 }, { title: `after ${one.value?.title}` }));
  w.controller.view(list, {}).listen(() => {
    void w.controller.set(Todo, { id: 3 }, { title: `heard ${one.peek()?.title}` });
  });
  const titles = watch(() => w.controller.signal(list, {}).value?.map(({ title }) => title));
  await w.controller.set(Todo, { id: 1 }, { title: 'z' });
  expect(titles.last).toEqual(['z', 'after z', 'heard z']);
});

test('[V2] an identical refetch notifies no reader, changes no reference and writes no signal', async () => {
  const { w, list, signal } = await filled();
  const view = w.controller.view(list, {});
  const readers = [
    watch(signal),
    watch(view.result),
    watch(liveResult(view)),
    watch(w.controller.entity(Todo, 2)),
    watch(() => liveOf(w.controller, Todo, 2).tags),
  ];
  const before = readers.map(({ last }) => last);
  const written: number[] = [];
  w.controller.on('commit', (commit) => written.push(commit.written));
  await w.controller.fetch(list, {});
  expect(readers.map(({ runs }) => runs)).toEqual([1, 1, 1, 1, 1]);
  expect([signal.value, view.result.value, liveResult(view).value]).toEqual(before.slice(0, 3));
  expect(signal.value).toBe(before[0]);
  expect(view.result.value).toBe(before[1]);
  expect(written).toEqual([0]);
});

test('[V2] a change of an entity runs only readers of data that contain the entity', async () => {
  const { w, signal } = await filled();
  const unrelated = w.read('user', User, { reply: () => ({ id: 2, name: 'Bob' }) });
  await w.controller.fetch(unrelated, { id: 2 });
  const readers = {
    list: watch(signal),
    one: watch(w.controller.entity(Todo, 1)),
    two: watch(w.controller.entity(Todo, 2)),
    three: watch(w.controller.entity(Todo, 3)),
    ada: watch(w.controller.entity(User, 1)),
    bob: watch(w.controller.signal(unrelated, { id: 2 })),
    tag: watch(w.controller.entity(Tag, 1)),
  };
  await w.controller.set(User, { id: 1 }, { name: 'Eve' });
  const runs = Object.entries(readers).map(([name, { runs }]) => `${name} ${runs}`);
  expect(runs).toEqual(['list 2', 'one 2', 'two 1', 'three 2', 'ada 2', 'bob 1', 'tag 1']);
});

test('[V2] an incomplete value that stays incomplete notifies no reader', async () => {
  const w = world();
  await w.controller.set(
    [Article],
    [
      { id: 1, author: 1 },
      { id: 2, author: { id: 2 } },
    ],
  );
  const list = w.read('list', new Collection([Article]), { reply: () => [{ id: 1 }, { id: 2 }] });
  await w.controller.fetch(list, {});
  const one = watch(w.controller.entity(Article, 1));
  const three = watch(w.controller.entity(Article, 3));
  const all = watch(w.controller.signal(list, {}));
  await w.controller.set(Article, { id: 1 }, { title: 'still not whole' });
  await w.controller.set(Article, { id: 3 }, { title: 'not whole from the first' });
  expect([one.runs, three.runs, all.runs]).toEqual([1, 1, 1]);
});

test('[V2] a change below an invalidated key notifies no reader of the key', async () => {
  const { w, list, signal } = await filled();
  const watcher = watch(signal);
  w.controller.invalidate(list, {});
  w.controller.invalidate(list, {});
  await w.controller.set(Todo, { id: 1 }, { title: 'z' });
  expect(watcher.seen.map((value) => value?.length)).toEqual([3, undefined]);
});

test('[V2] deleting a missing entity notifies no reader', async () => {
  const { w, signal } = await filled();
  const watchers = [watch(signal), watch(w.controller.entity(Todo, 9))];
  await w.controller.set(new Delete(Todo), { id: 9 }, {});
  expect(watchers.map(({ runs }) => runs)).toEqual([1, 1]);
});

test('[V3] unchanged entities, lists and nested arrays keep their reference', async () => {
  const { w, signal } = await filled();
  const [one, two, three] = signal.value as Todo[];
  await w.controller.set(Todo, { id: 2 }, { title: 'z' });
  const [sameOne, newTwo, sameThree] = signal.value as (Todo & { meta: unknown })[];
  expect(sameOne).toBe(one);
  expect(sameThree).toBe(three);
  expect(newTwo).not.toBe(two);
  expect(newTwo?.tags).toBe(two?.tags);
  expect(newTwo?.author).toBe(two?.author);
  expect(newTwo?.meta).toBe((two as typeof newTwo)?.meta);
});

test('[V3] a response with the defaults of absent nested members changes no reference and notifies no reader', async () => {
  const w = world();
  await w.controller.set(Todo, { id: 3 }, { id: 3, title: 'one' });
  const row = watch(w.controller.entity(Todo, 3));
  await w.controller.set(Todo, { id: 3 }, { id: 3, title: 'one', tags: [], author: null });
  expect(row.runs).toBe(1);
  expect(w.controller.get(Todo, { id: 3 })).toBe(row.last);
});

test('[V3] the same entity is the same reference everywhere', async () => {
  const { w, list, signal } = await filled();
  const get = w.read('get', { data: Todo }, { reply: () => ({ data: { id: 1 } }) });
  const { data } = await w.controller.fetch(get, {});
  const user = w.controller.entity(User, 1).value;
  expect(data).toBe(signal.value?.[0]);
  expect(data).toBe(w.controller.get(Todo, { id: 1 }));
  expect(data).toBe(w.controller.getResponse(list, {}).data?.[0]);
  expect([data.author, signal.value?.[2]?.author]).toEqual([user, user]);
  expect(signal.value?.[2]?.author).toBe(user);
});

test('[V3] unchanged parts of a plain value keep their reference', async () => {
  const w = world();
  const meta = (n: number) => ({ id: 1, meta: { same: { x: [1, 2] }, other: { n } } });
  await w.controller.set(User, { id: 1 }, meta(1));
  const before = w.controller.get(User, { id: 1 }) as User & ReturnType<typeof meta>;
  await w.controller.set(User, { id: 1 }, meta(2));
  const after = w.controller.get(User, { id: 1 }) as typeof before;
  expect(after.meta.same).toBe(before.meta.same);
  expect(after.meta.other).toEqual({ n: 2 });
});

test('[V4] a changed entity changes the snapshots of all parents and lists that contain the entity', async () => {
  const { w, signal } = await filled();
  const before = signal.value as Todo[];
  await w.controller.set(Tag, { id: 1 }, { label: 'z' });
  const after = signal.value as Todo[];
  expect(after).not.toBe(before);
  expect(after.map((todo, at) => todo === before[at])).toEqual([false, false, true]);
  expect(after[0]?.tags).not.toBe(before[0]?.tags);
  expect(after[1]?.tags.map(({ label }) => label)).toEqual(['z', '']);
});

test('[V4] one changed entity among 10,000 rebuilds only that entity and its parent', async () => {
  let made = 0;
  class Leaf extends Entity {
    id = ++made && 0;
    label = '';
  }
  class Twig extends Entity {
    id = ++made && 0;
    leaf: Leaf | null = null;
    static override schema = { leaf: Leaf };
  }
  const w = world();
  const answer = Array.from({ length: 10_000 }, (_, id) => ({ id, leaf: { id, label: 'x' } }));
  const list = w.read('list', new Collection([Twig]), { reply: () => answer });
  await w.controller.fetch(list, {});
  const watcher = watch(w.controller.signal(list, {}));
  made = 0;
  await w.controller.set(Leaf, { id: 5_000 }, { label: 'z' });
  expect(watcher.last?.[5_000]?.leaf?.label).toBe('z');
  expect([watcher.runs, made]).toEqual([2, 2]);
});

test('[V4] 100 writes without a reader copy an entity at most once per write', async () => {
  let made = 0;
  class Leaf extends Entity {
    id = ++made && 0;
    n = 0;
  }
  const w = world();
  const list = w.read('list', new Collection([Leaf]), { reply: () => [{ id: 1 }, { id: 2 }] });
  await w.controller.fetch(list, {});
  made = 0;
  for (let n = 0; n < 100; n++) await w.controller.set(Leaf, { id: 1 }, { n });
  // each write may copy the last read value, and no more
  expect(made).toBeLessThanOrEqual(100);
  expect(w.controller.signal(list, {}).value?.[0]?.n).toBe(99);
});

test('[V4] a row that gets an author of more than a thousand rows follows the changes of the author', async () => {
  const w = world();
  const todos = w.read('many', [Todo], {
    reply: () =>
      Array.from({ length: 1100 }, (_, at) => ({ id: at + 1, author: { id: 1, name: 'Ada' } })),
  });
  await w.controller.fetch(todos, {});
  await w.controller.set(Todo, { id: 2000 }, { id: 2000, author: { id: 2, name: 'Bob' } });
  const row = w.controller.entity(Todo, 2000);
  expect(row.value?.author?.name).toBe('Bob');
  await w.controller.set(Todo, { id: 2000 }, { id: 2000, author: { id: 1, name: 'Ada' } });
  await w.controller.set(User, { id: 1 }, { id: 1, name: 'Countess' });
  expect(row.value?.author?.name).toBe('Countess');
});
