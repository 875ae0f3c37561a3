/** The lists that a member enters and leaves, by the response, the body, the params, and the stored row. */
import { Collection, Entity } from 'signalbox';
import { expect, test } from 'vitest';
import { refusal, refused, Todo, world } from '../setup/world.ts';

class Post extends Entity {
  id = 0;
  author: number | null = null;
}

/** Lists of posts by author, with the first rows of each. */
async function posts(start: Readonly<Record<number, readonly object[]>>) {
  const w = world();
  const collection = new Collection([Post]);
  const list = w.read('list', collection);
  for (const [author, rows] of Object.entries(start))
    await w.controller.setResponse(list, { author: Number(author) }, rows);
  const ids = (author: unknown) => w.controller.get(collection, { author })?.map(({ id }) => id);
  return { w, collection, ids };
}

test('[N15] a created row joins lists by the text in the params if the response has an object in that field', async () => {
  const { w, collection, ids } = await posts({ 1: [] });
  const push = w.mutation('push', collection.push, { reply: () => ({ id: 2, at: { x: 1 } }) });
  const here = w.read('here', collection);
  await w.controller.setResponse(here, { at: 'home' }, []);
  await w.controller.fetch(push, { at: 'home' }, {});
  expect(w.controller.get(collection, { at: 'home' })?.length).toBe(1);
  expect(ids(1)).toEqual([]);
});

class Task extends Entity {
  id = 0;
  userId = 0;
  static override process(input: unknown): unknown {
    const { user_id: userId, ...rest } = input as Record<string, unknown>;
    return userId === undefined ? rest : { ...rest, userId };
  }
}

test('[N15] list filters compare the fields that `process` returns', async () => {
  const w = world();
  const collection = new Collection([Task]);
  const list = w.read('list', collection);
  for (const userId of [1, 2]) await w.controller.setResponse(list, { userId }, []);
  const ids = (userId: number) => w.controller.get(collection, { userId })?.map(({ id }) => id);
  await w.controller.set(collection.push, {}, { id: 1, user_id: 1 });
  expect([ids(1), ids(2)]).toEqual([[1], []]);
  await w.controller.set(collection.move, {}, { id: 1, user_id: 2 });
  expect([ids(1), ids(2)]).toEqual([[], [1]]);
});

test('[N15] moveWith moves a row by the fields that `process` returns', async () => {
  const w = world();
  const collection = new Collection([Task]);
  const list = w.read('list', collection);
  await w.controller.setResponse(list, { userId: 1 }, [{ id: 1, user_id: 1 }]);
  await w.controller.setResponse(list, { userId: 2 }, [{ id: 2, user_id: 2 }]);
  const ids = (userId: number) => w.controller.get(collection, { userId })?.map(({ id }) => id);
  const first = collection.moveWith((existing, incoming) => [...incoming, ...existing]);
  await w.controller.set(first, {}, { id: 1, user_id: 2 });
  expect([ids(1), ids(2)]).toEqual([[], [1, 2]]);
});

test.each([
  ['confirmed', undefined],
  ['optimistic', (_: unknown, params: object, fields: object) => ({ ...params, ...fields })],
])(
  '[O4] of two %s moves the one issued later decides, in any order of responses',
  async (_, getOptimisticResponse) => {
    const { w, collection, ids } = await posts({ 1: [{ id: 1, author: 1 }], 2: [], 3: [] });
    const move = w.mutation('move', collection.move, { getOptimisticResponse });
    void w.controller.fetch(move, { id: 1 }, { author: 2 });
    void w.controller.fetch(move, { id: 1 }, { author: 3 });
    await w.call(1).answer({ id: 1, author: 3 });
    expect([ids(1), ids(2), ids(3)]).toEqual([[], [], [1]]);
    await w.call(0).answer({ id: 1, author: 2 });
    expect([ids(1), ids(2), ids(3)]).toEqual([[], [], [1]]);
  },
);

test('[O5] of two optimistic moves there and back, the one issued later decides when it is confirmed first', async () => {
  const { w, collection, ids } = await posts({ 1: [{ id: 1, author: 1 }], 2: [] });
  const move = w.mutation('move', collection.move, {
    getOptimisticResponse: (_: unknown, params: object, fields: object) => ({
      ...params,
      ...fields,
    }),
  });
  void w.controller.fetch(move, { id: 1 }, { author: 2 });
  void w.controller.fetch(move, { id: 1 }, { author: 1 });
  await w.call(1).answer({ id: 1, author: 1 });
  expect([ids(1), ids(2)]).toEqual([[1], []]);
  await w.call(0).answer({ id: 1, author: 2 });
  expect([ids(1), ids(2)]).toEqual([[1], []]);
});

test('[O4] a creation that responds after a later move of the row does not move the row back', async () => {
  const { w, collection, ids } = await posts({ 1: [], 2: [] });
  const create = w.mutation('create', collection.push);
  const move = w.mutation('move', collection.move);
  void w.controller.fetch(create, { author: 1 });
  void w.controller.fetch(w.read('list', collection), { author: 1 });
  await w.call().answer([{ id: 1, author: 1 }]);
  void w.controller.fetch(move, { id: 1 }, { author: 2 });
  await w.call().answer({ id: 1, author: 2 });
  await w.call(0).answer({ id: 1, author: 1 });
  expect([ids(1), ids(2)]).toEqual([[], [1]]);
});

test('[O4] of two moves to places chosen by the server, the response of the later issued move decides', async () => {
  const { w, collection, ids } = await posts({ 1: [{ id: 1, author: 1 }], 2: [], 3: [] });
  const hand = w.mutation('hand', collection.move);
  void w.controller.fetch(hand, { id: 1 }, {});
  void w.controller.fetch(hand, { id: 1 }, {});
  await w.call(1).answer({ id: 1, author: 3 });
  await w.call(0).answer({ id: 1, author: 2 });
  expect([ids(1), ids(2), ids(3)]).toEqual([[], [], [1]]);
});

test('[N14] a removed row leaves all lists with the row, also lists that its stored fields do not match', async () => {
  const w = world();
  const collection = new Collection([Todo]);
  const list = w.read('list', collection);
  const done = () => w.controller.get(collection, { done: true })?.map(({ id }) => id);
  const titled = () => w.controller.get(collection, { title: 'active' })?.map(({ id }) => id);
  await w.controller.setResponse(list, { done: true }, [{ id: 1, done: false }]);
  await w.controller.setResponse(list, { title: 'active' }, [{ id: 2, title: 'ACTIVE' }]);
  const remove = w.mutation('remove', collection.remove, {
    getOptimisticResponse: (_: unknown, { id }: { id: number }) => ({ id }),
  });
  for (const id of [1, 2]) {
    const sent = refused(w.controller.fetch(remove, { id }));
    expect([done(), titled()]).toEqual(id === 1 ? [[], [2]] : [[1], []]);
    await w.call().fail(refusal(500));
    await sent;
  }
  expect([done(), titled()]).toEqual([[1], [2]]);
  await w.controller.set(collection.remove, {}, [{ id: 1 }, { id: 2 }]);
  expect([done(), titled()]).toEqual([[], []]);
});

test('[N14] a removal with list arguments removes the row only from lists with these arguments', async () => {
  const { w, collection, ids } = await posts({ 1: [{ id: 1 }], 2: [{ id: 1 }], 3: [{ id: 1 }] });
  await w.controller.set(collection.remove, { author: 1 }, { id: 1 });
  expect([ids(1), ids(2), ids(3)]).toEqual([[], [1], [1]]);
  await w.controller.set(collection.remove, { author: 3 }, { id: 1 });
  expect([ids(1), ids(2), ids(3)]).toEqual([[], [1], []]);
});

test.each(['before the move', 'between the moves'])(
  '[O3] a move back that is issued later and confirmed first ends an optimistic move; lists read %s',
  async (when) => {
    const w = world();
    const rows = new Collection([Todo]);
    const list = w.read('list', rows);
    const move = w.mutation('move', rows.move, {
      getOptimisticResponse: (_: unknown, params: object, body: object) => ({ ...params, ...body }),
    });
    const read = async () => {
      await w.controller.setResponse(list, { userId: 1 }, [{ id: 1, userId: 1 }]);
      await w.controller.setResponse(list, { userId: 2 }, []);
    };
    const shown = () =>
      [1, 2].map((userId) => w.controller.get(rows, { userId })?.map(({ id }) => id));
    await w.controller.set(Todo, { id: 1, userId: 1 });
    if (when === 'before the move') await read();
    void w.controller.fetch(move, { id: 1 }, { userId: 2 });
    if (when === 'between the moves') await read();
    expect(shown()).toEqual([[], [1]]);
    void w.controller.fetch(w.mutation('back', rows.move), { id: 1 }, { userId: 1 });
    await w.call().answer({ id: 1, userId: 1 });
    expect(shown()).toEqual([[1], []]);
    await w.call(0).answer({ id: 1, userId: 2 });
    expect(shown()).toEqual([[1], []]);
  },
);
