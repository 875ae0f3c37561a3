/** Plain arrays and objects of an answer, with the defaults that the schema writes for them. */
import { Collection } from 'signalbox';
import { expect, test } from 'vitest';
import { Tag, Todo, User, world } from '../setup/world.ts';

const page = {
  results: [Todo],
  nextPage: '',
  total: 0,
  exact: false,
  meta: { took: 0, by: User },
};

test('[N8] members that are no entities keep their values', async () => {
  const w = world();
  const answer = { results: [], nextPage: 'b', total: 3, exact: true, other: { x: [1, 2] } };
  const list = w.read('list', page, { reply: () => answer });
  expect(await w.controller.fetch(list, {})).toMatchObject(answer);
});

test('[N8] members that the answer lacks read as the schema writes them', async () => {
  const w = world();
  const list = w.read('list', page, { reply: () => ({ total: undefined }) });
  expect(await w.controller.fetch(list, {})).toEqual({
    results: [],
    nextPage: '',
    total: 0,
    exact: false,
    meta: { took: 0, by: undefined },
  });
});

test('[N8] null arguments read as the schema writes it', () => {
  const w = world();
  const { result } = w.controller.view(w.read('list', page), null);
  expect(result.value).toEqual({
    status: 'success',
    data: {
      results: [],
      nextPage: '',
      total: 0,
      exact: false,
      meta: { took: 0, by: undefined },
    },
    error: undefined,
  });
});

test('[N8] an explicit null stays null', async () => {
  const w = world();
  const list = w.read('list', page, {
    reply: () => ({ results: null, nextPage: null, total: null, meta: null }),
  });
  expect(await w.controller.fetch(list, {})).toEqual({
    results: null,
    nextPage: null,
    total: null,
    exact: false,
    meta: null,
  });
});

test('[N8] a collection that the answer lacks is empty', async () => {
  const w = world();
  const list = w.read('list', { results: new Collection([Todo]), total: 0 }, { reply: () => ({}) });
  expect(await w.controller.fetch(list, {})).toEqual({ results: [], total: 0 });
});

test('[N8] an answer without a schema is kept as it came', async () => {
  const w = world();
  const raw = w.read('raw', undefined, { reply: () => ({ a: [1, { b: null }] }) });
  expect(await w.controller.fetch(raw, {})).toEqual({ a: [1, { b: null }] });
  expect(w.controller.signal(raw, {}).value).toEqual({ a: [1, { b: null }] });
});

test('[N8] arrays of arrays and of objects are followed', async () => {
  const w = world();
  const grid = w.read(
    'grid',
    { rows: [[Tag]], boxes: [{ tag: Tag }] },
    {
      reply: () => ({ rows: [[{ id: 1 }], [{ id: 2 }, 1]], boxes: [{ tag: 2, x: 5 }] }),
    },
  );
  const { rows, boxes } = (await w.controller.fetch(grid, {})) as {
    rows: Tag[][];
    boxes: { tag: Tag; x: number }[];
  };
  expect(rows.map((row) => row.map(({ id }) => id))).toEqual([[1], [2, 1]]);
  expect(boxes[0]?.tag).toBe(rows[1]?.[0]);
  expect(boxes[0]?.x).toBe(5);
});
