// Many unconfirmed writes over few entities: the counted cost of each step, and the remaining data when layers end in any order.
import { Collection, Delete, transaction } from 'signalbox';
import type { OptimisticSnapshot } from 'signalbox';
import { expect, onTestFinished, test } from 'vitest';
import { refusal, settled, Todo, watch, world } from '../setup/world.ts';

const MANY = 200;

function stage() {
  const w = world();
  const said: string[] = [];
  const update = w.mutation('update', Todo, {
    getOptimisticResponse: (_: unknown, params: object, fields: { title: string }) => {
      said.push(fields.title);
      return { ...params, ...fields };
    },
  });
  const write = (fields: object) => w.controller.fetch(update, { id: 1 }, fields).catch(() => {});
  const row = () => w.controller.get(Todo, { id: 1 });
  return { w, update, write, row, said };
}

test('[O5] an optimistic function that reads no data is called once, with 200 layers over the same row', async () => {
  const { w, write, row, said } = stage();
  await w.controller.set(Todo, { id: 1 }, { title: 'base' });
  const seen = watch(() => w.controller.entity(Todo, 1).value?.title);
  for (let at = 0; at < MANY; at++) void write({ title: `t${at}` });
  expect(said).toHaveLength(MANY);
  expect(seen.runs).toBe(MANY + 1);
  for (let at = 0; at < MANY; at++) void w.call(at).answer({ id: 1, title: `t${at}` });
  await settled();
  expect(said).toHaveLength(MANY);
  expect(row()?.title).toBe(`t${MANY - 1}`);
  // each was hidden by the last
  expect(seen.runs).toBe(MANY + 1);
});

test('[O5] each failed layer of a row removes only its own fields', async () => {
  const { w, write, row } = stage();
  await w.controller.set(Todo, { id: 1 }, { title: 'base', author: { id: 1, name: 'Ada' } });
  void write({ title: 'one', note: 'mine' });
  void write({ title: 'two', author: { id: 2, name: 'Bob' } });
  void write({ done: true });
  const shown = () => [
    row()?.title,
    row()?.author?.name,
    row()?.done,
    Reflect.get(row() ?? {}, 'note'),
  ];
  expect(shown()).toEqual(['two', 'Bob', true, 'mine']);
  await w.call(0).fail(refusal(500));
  expect(shown()).toEqual(['two', 'Bob', true, undefined]);
  expect(Object.keys(row() ?? {})).not.toContain('note');
  await w.controller.set(Todo, { id: 1 }, { title: 'pushed', userId: 7 });
  expect(shown()).toEqual(['two', 'Bob', true, undefined]);
  expect(row()?.userId).toBe(7);
  await w.call(2).fail(refusal(500));
  expect(shown()).toEqual(['two', 'Bob', false, undefined]);
  await w.call(1).fail(refusal(500));
  expect(shown()).toEqual(['pushed', 'Ada', false, undefined]);
});

test('[O9] a transaction of 20 requests causes no warning about listeners of an abort signal', async () => {
  const warnings: Error[] = [];
  const note = (warning: Error) => void warnings.push(warning);
  process.on('warning', note);
  onTestFinished(() => void process.off('warning', note));
  const { w, update, row } = stage();
  const done = transaction(w.controller, ({ fetch }) => {
    for (let at = 0; at < 20; at++) void fetch(update, { id: 1 }, { title: `t${at}` });
  });
  for (let at = 0; at < 20; at++) void w.call(at).answer({ id: 1, title: `t${at}` });
  await done;
  await settled();
  expect(row()?.title).toBe('t19');
  expect(warnings).toEqual([]);
});

test('[O5] an optimistic layer is recomputed only if data that its function has read change', async () => {
  const { w } = stage();
  const said: string[] = [];
  const append = w.mutation('append', Todo, {
    getOptimisticResponse: (
      snapshot: OptimisticSnapshot,
      params: { id: number },
      fields: { title: string },
    ) => {
      said.push(fields.title);
      return { ...params, done: snapshot.get(Todo, params)?.done === true, ...fields };
    },
  });
  const row = () => w.controller.get(Todo, { id: 1 });
  await w.controller.set(Todo, { id: 1 }, { title: 'base' });
  for (let at = 0; at < MANY; at++)
    void w.controller.fetch(append, { id: 1 }, { title: `t${at}` }).catch(() => {});
  expect(said).toHaveLength(MANY);
  // the response equals the expected value: the layers above see the same data
  for (let at = 0; at < 10; at++) await w.call(at).answer({ id: 1, title: `t${at}` });
  expect(said).toHaveLength(MANY);
  // a layer fails: the next layer saw the title, and computes another title; the layer above saw that title
  await w.call(10).fail(refusal(500));
  expect(said.slice(MANY)).toEqual(['t11']);
  // another field is pushed: all layers see the push
  await w.controller.set(Todo, { id: 1 }, { userId: 7 });
  expect(said.slice(MANY + 1)).toHaveLength(MANY - 11);
  expect(row()).toMatchObject({ title: `t${MANY - 1}`, userId: 7 });
});

/** Lists of a row by user and by `done`, with the changes of these lists before the response. */
async function listed() {
  const w = world();
  const { controller } = w;
  const list = new Collection([Todo]);
  const getList = w.read('list', list);
  const over = {
    getOptimisticResponse: (_: unknown, params: object, fields: object) => ({
      ...params,
      ...fields,
    }),
  };
  const update = w.mutation('update', Todo, over);
  const erase = w.mutation('erase', new Delete(Todo), over);
  const move = w.mutation('move', list.move, over);
  const remove = w.mutation('remove', list.remove, over);
  const filters = [
    { userId: 1 },
    { userId: 2 },
    { userId: 1, done: true },
    { userId: 2, done: true },
  ];
  for (const [at, filter] of filters.entries())
    await controller.setResponse(
      getList,
      filter,
      at === 0
        ? [
            { id: 1, userId: 1 },
            { id: 2, userId: 1 },
          ]
        : [],
    );
  const send = (endpoint: typeof move, fields: object = {}) =>
    void controller.fetch(endpoint, { id: 1 }, fields).catch(() => {});
  /** Which rows are in each of the lists. */
  const shown = () =>
    filters.map((filter) =>
      (controller.getResponse(getList, filter).data as Todo[]).map(({ id }) => id),
    );
  return { w, send, shown, update, erase, move, remove };
}

test('[O5] an optimistic move above a deletion that fails shows the row in the lists of its fields', async () => {
  const { w, send, shown, erase, move } = await listed();
  send(erase as never);
  send(move, { done: true });
  await w.call(0).fail(refusal(500));
  expect(shown()).toEqual([[1, 2], [], [1], []]);
});

test('[O5] an optimistic move above a move that fails shows the row in the lists of the remaining fields', async () => {
  const { w, send, shown, move } = await listed();
  send(move, { userId: 2 });
  send(move, { done: true });
  expect(shown()).toEqual([[2], [1], [], [1]]);
  await w.call(0).fail(refusal(500));
  expect(shown()).toEqual([[1, 2], [], [1], []]);
});

test('[O5] an optimistic removal stays when a change below fails, and when a push moves the row', async () => {
  const { w, send, shown, update, remove } = await listed();
  send(update as never, { userId: 2 });
  send(remove);
  expect(shown()).toEqual([[2], [], [], []]);
  await w.call(0).fail(refusal(500));
  expect(shown()).toEqual([[2], [], [], []]);
  await w.controller.set(Todo, { id: 1 }, { userId: 2 });
  expect(shown()).toEqual([[2], [], [], []]);
});
