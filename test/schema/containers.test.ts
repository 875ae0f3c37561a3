/** Plain arrays and objects of a response, with the defaults of the schema. */
import { Collection, Delete, Entity, Query } from 'signalbox';
import { expect, test } from 'vitest';
import { Tag, Todo, User, watch, world } from '../setup/world.ts';

const page = {
  results: [Todo],
  nextPage: '',
  total: 0,
  exact: false,
  meta: { took: 0, by: User },
};

test('[N8] plain members of an object response keep the received values', async () => {
  const w = world();
  const answer = { results: [], nextPage: 'b', total: 3, exact: true, other: { x: [1, 2] } };
  const list = w.read('list', page, { reply: () => answer });
  expect(await w.controller.fetch(list, {})).toMatchObject(answer);
});

test('[N8] members absent from a response have the values in the schema', async () => {
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

test('[N8] with null arguments a view of an object schema has the values in the schema', () => {
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

test('[N8] explicit null members of a response stay null', async () => {
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

test('[N8] a Collection absent from a response is an empty list', async () => {
  const w = world();
  const list = w.read('list', { results: new Collection([Todo]), total: 0 }, { reply: () => ({}) });
  expect(await w.controller.fetch(list, {})).toEqual({ results: [], total: 0 });
});

test('[N8] a response without a schema is stored as received', async () => {
  const w = world();
  const raw = w.read('raw', undefined, { reply: () => ({ a: [1, { b: null }] }) });
  expect(await w.controller.fetch(raw, {})).toEqual({ a: [1, { b: null }] });
  expect(w.controller.signal(raw, {}).value).toEqual({ a: [1, { b: null }] });
});

test('[N8] entities in arrays of arrays and in arrays of objects are normalized', async () => {
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

test('[N7] a query over an object is undefined while one entity is missing, and follows changes of each entity', async () => {
  const w = world();
  const { controller } = w;
  const both = new Query({ user: User, tag: Tag }, ({ user, tag }) => `${user.name} ${tag.label}`);
  const reader = controller.query(both, { id: 1 });
  const seen = watch(() => reader.result.value.data);
  expect(controller.get(both, { id: 1 })).toBeUndefined();
  await controller.set(User, { id: 1 }, { name: 'Ada' });
  expect(controller.get(both, { id: 1 })).toBeUndefined();
  await controller.set(Tag, { id: 1 }, { label: 'new' });
  expect(controller.get(both, { id: 1 })).toBe('Ada new');
  await controller.set(new Delete(User), { id: 1 }, {});
  expect(controller.get(both, { id: 1 })).toBeUndefined();
  await controller.set(User, { id: 1 }, { name: 'Bob' });
  await controller.set(Tag, { id: 1 }, { label: 'old' });
  expect(seen.seen).toEqual([undefined, 'Ada new', undefined, 'Bob new', 'Bob old']);
});

test('[N7] a reader of an object that was incomplete at first is notified of later changes of each entity', async () => {
  class Pair extends Entity {
    id = 0;
    of: { user: User; tag: Tag } | null = null;
    static override schema = { of: { user: User, tag: Tag } };
  }
  const w = world();
  const { controller } = w;
  const get = w.read('get', { user: User, tag: Tag });
  const sent = { user: { id: 1, name: 'Ada' }, tag: { id: 1, label: 'new' } };
  await controller.setResponse(get, {}, sent);
  await controller.set(Pair, {}, { id: 1, of: sent });
  await controller.set(new Delete(User), { id: 1 }, {});
  const data = watch(() => controller.signal(get, {}).value?.tag.label);
  const pair = watch(() => controller.entity(Pair, 1).value?.of?.tag.label);
  await controller.set(User, { id: 1 }, { name: 'Bob' });
  await controller.set(Tag, { id: 1 }, { label: 'old' });
  for (const { seen } of [data, pair]) expect(seen).toEqual([undefined, 'new', 'old']);
});
