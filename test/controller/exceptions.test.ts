// A reader that throws affects no other reader, and recovers with the next valid value.
import { effect } from '@preact/signals-core';
import { All, Collection, Entity, Query, liveResult } from 'signalbox';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { refused, Todo, watch, world } from '../setup/world.ts';

const reported = vi.fn();
beforeEach(() => vi.stubGlobal('reportError', reported));
afterEach(() => {
  vi.unstubAllGlobals();
  reported.mockReset();
});

const broken = new Error('cannot choose');

function titles(todos: readonly { readonly title: string }[]): string[] {
  return todos.map(({ title }) => {
    if (title === 'broken') throw broken;
    return title;
  });
}

const all = new All(Todo);
const picked = new Query(all, titles);
const declared = new Query(all, {
  filter: ({ title }: Todo) => titles([{ title }]).length > 0,
  sort: 'title',
});

async function stage() {
  const w = world();
  const rename = (id: number, title: string) => w.controller.set(Todo, { id }, { title });
  await rename(1, 'one');
  await rename(2, 'two');
  return { w, rename, controller: w.controller };
}

test.each([0, 1, 2])(
  '[C11] a listener that throws is reported, and all other listeners are called: the listener at %i',
  async (at) => {
    const { controller, rename } = await stage();
    const reader = controller.query(all);
    const heard: number[] = [];
    for (let place = 0; place < 3; place++) {
      reader.listen(() => {
        heard.push(place);
        if (place === at) throw broken;
      });
    }
    const other = vi.fn();
    controller.query(Todo, { id: 1 }).listen(other);
    await rename(1, 'uno');
    await rename(1, 'ein');
    expect(heard).toEqual([0, 1, 2, 0, 1, 2]);
    expect(other).toHaveBeenCalledTimes(2);
    expect(reported.mock.calls).toEqual([[broken], [broken]]);
  },
);

test.each([0, 1, 2])(
  '[C11] an effect that throws is reported, and all other effects run: the effect at %i',
  async (at) => {
    const { controller, rename } = await stage();
    const titleOf = controller.entity(Todo, 1);
    const seen: unknown[] = [];
    for (let place = 0; place < 3; place++) {
      effect(() => {
        const title = titleOf.value?.title;
        if (place === at && title === 'broken') throw broken;
        seen.push(title);
      });
    }
    const heard = vi.fn();
    controller.query(all).listen(heard);
    seen.length = 0;
    await rename(1, 'broken');
    await rename(1, 'ein');
    expect(seen).toEqual(['broken', 'broken', 'ein', 'ein', 'ein']);
    expect(heard).toHaveBeenCalledTimes(2);
    expect(reported.mock.calls).toEqual([[broken]]);
  },
);

test.each([
  ['a function', picked, ['ein', 'two']],
  ['a declaration', declared, [{ title: 'ein' }, { title: 'two' }]],
] as const)(
  '[C11] a Query with %s that throws gives its own reader an error, until the next valid value',
  async (_, query, healed) => {
    const { controller, rename } = await stage();
    const reader = controller.query(query);
    expect(reader.result.peek().status).toBe('success');
    const heard = vi.fn();
    const live = watch(() => liveResult(reader).value.status);
    const rows = watch(controller.query(all).result);
    reader.listen(heard);
    await rename(1, 'broken');
    const result = reader.result.peek();
    expect(result).toEqual({ status: 'error', data: undefined, error: broken, thrown: true });
    expect(reader.result.peek()).toBe(result);
    expect(() => controller.get(query)).toThrow(broken);
    await rename(2, 'three');
    expect(reader.result.peek().error).toBe(broken);
    await rename(2, 'two');
    await rename(1, 'ein');
    expect(reader.result.peek().data).toMatchObject(healed);
    expect(live.last).toBe('success');
    expect(live.seen).toContain('error');
    expect(rows.runs).toBe(5);
    expect(heard.mock.calls.length).toBeGreaterThanOrEqual(2);
    expect(reported).not.toHaveBeenCalled();
  },
);

test('[C11] a response is stored although its Query throws, and only its caller and reader get the error', async () => {
  const { w, controller, rename } = await stage();
  const list = w.read('list', new Query(new Collection([Todo]), titles));
  const reader = controller.view(list, {});
  const other = watch(controller.query(Todo, { id: 3 }).result);
  const heard = vi.fn();
  reader.listen(heard);
  const done = refused(controller.fetch(list, {}));
  await w.call().answer([{ id: 3, title: 'broken' }]);
  expect(await done).toBe(broken);
  expect(other.last).toMatchObject({ data: { title: 'broken' } });
  expect(reader.result.peek()).toMatchObject({ status: 'error', error: broken });
  expect(heard).toHaveBeenCalledTimes(1);
  expect(reader.ensure(true)).toBeUndefined();
  await rename(3, 'three');
  expect(reader.result.peek().data).toEqual(['three']);
  expect(w.calls).toHaveLength(1);
});

test('[C11] a mutation with an empty response resolves although a Query over the row throws', async () => {
  const { w, controller } = await stage();
  const list = w.read('list', new Query(new Collection([Todo]), titles));
  await controller.setResponse(list, {}, [{ id: 3, title: 'broken' }]).catch(() => {});
  const update = w.mutation('update', Todo, { reply: () => null });
  expect(await controller.fetch(update, { id: 3 }, { title: 'three' })).toBeNull();
  controller.fetchIfStale(list, {}).catch(() => {});
  expect(w.log.at(-1)).toBe('list {}');
});

class Board extends Entity {
  id = 0;
  todos: readonly string[] = [];
  static override schema = { todos: new Query([Todo], titles) };
}

test('[C11] a nested Query that throws gives an error to readers of its entity alone, until the next valid value', async () => {
  const { controller, rename } = await stage();
  const boards = new Collection([Board]);
  await controller.set(boards, {}, [
    { id: 1, todos: [{ id: 1 }] },
    { id: 2, todos: [{ id: 2 }] },
  ]);
  const second = watch(controller.query(Board, { id: 2 }).result);
  const reader = controller.query(boards, {});
  const shown = () => reader.result.peek().data?.map(({ todos }) => todos.join());
  expect(shown()).toEqual(['one', 'two']);
  await rename(1, 'broken');
  expect(reader.result.peek().error).toBe(broken);
  await rename(2, 'zwei');
  expect(second.last?.data?.todos).toEqual(['zwei']);
  expect(reader.result.peek().error).toBe(broken);
  await rename(1, 'ein');
  expect(shown()).toEqual(['ein', 'zwei']);
});

test('[C11] a listener is called after each commit that changed the result, and not after it is removed', async () => {
  const { controller, rename } = await stage();
  const heard = vi.fn();
  const stop = controller.query(all).listen(heard);
  for (const title of ['a', 'b', 'b', 'c']) await rename(1, title);
  expect(heard).toHaveBeenCalledTimes(3);
  stop();
  await rename(1, 'd');
  expect(heard).toHaveBeenCalledTimes(3);
});
