// `update` of a mutation while a read is in flight: no row twice, nothing counted twice for good.
import { Collection, Entity, Values, optimistic, replay, transaction } from 'signalbox';
import { describe, expect, test } from 'vitest';
import { Todo, world } from '../setup/world.ts';

class Stock extends Entity {
  id = 0;
  open = 0;
}

const append = (made: string) => (pks: string[]) => [...pks, made];

async function stage(options: object = {}) {
  const w = world();
  const { controller } = w;
  const list = w.read('list', [Todo]);
  const count = w.read('count', { open: 0 });
  const create = w.mutation('create', Todo, {
    ...options,
    update: (made: string) => ({
      [list.key({})]: append(made),
      [count.key({})]: ({ open }: { open: number }) => ({ open: open + 1 }),
    }),
  });
  const rows = (...ids: number[]) => ids.map((id) => ({ id, title: `t${id}` }));
  await controller.setResponse(list, {}, rows(1));
  await controller.setResponse(count, {}, { open: 1 });
  const leave = [list, count].map((endpoint) =>
    controller.view(endpoint as typeof list, {}).retain(),
  );
  const ids = () => controller.getResponse(list, {}).data?.map(({ id }) => id);
  const open = () => controller.getResponse(count, {}).data?.open;
  const send = (endpoint: typeof list | typeof count | typeof create, ...args: object[]) => {
    controller.fetch(endpoint as typeof list, ...(args.length > 0 ? args : [{}])).catch(() => {});
    return w.call();
  };
  const asked = (name: string) => w.calls.filter((call) => call.name === name);
  return { w, controller, list, count, create, rows, ids, open, send, asked, leave };
}

describe.each([
  ['without optimism', {}],
  [
    'with optimism',
    { getOptimisticResponse: (_: unknown, body: object) => ({ title: 't', ...body }) },
  ],
])('%s', (_, options) => {
  test('[O11] a list with a created row, answered before the creation, shows the row once and is refetched', async () => {
    const { list, create, rows, ids, send, asked } = await stage(options);
    const creating = send(create);
    const reading = send(list);
    await reading.answer(rows(1, 10));
    await creating.answer({ id: 10, title: 't10' });
    expect(ids()).toEqual([1, 10]);
    expect(asked('list')).toHaveLength(2);
    await asked('list')[1]?.answer(rows(1, 10, 11));
    expect(ids()).toEqual([1, 10, 11]);
  });

  test('[O11] a list without a created row, answered before the creation, gets the row and is refetched', async () => {
    const { list, create, rows, ids, send, asked } = await stage(options);
    const creating = send(create);
    const reading = send(list);
    await reading.answer(rows(1, 4));
    await creating.answer({ id: 10, title: 't10' });
    expect(ids()).toEqual([1, 4, 10]);
    expect(asked('list')).toHaveLength(2);
  });

  test('[O11] a counter answered before the mutation that it may have counted is refetched', async () => {
    const { count, create, open, send, asked } = await stage(options);
    const creating = send(create);
    const reading = send(count);
    await reading.answer({ open: 2 });
    await creating.answer({ id: 10, title: 't10' });
    expect(asked('count')).toHaveLength(2);
    await asked('count')[1]?.answer({ open: 2 });
    expect(open()).toBe(2);
  });

  test('[O11] two creations answered in reverse order, after a poll with both rows, are in the list once', async () => {
    const { list, create, rows, ids, send } = await stage(options);
    const first = send(create);
    const second = send(create);
    await send(list).answer(rows(1, 11, 10));
    await second.answer({ id: 11, title: 't11' });
    expect(ids()?.filter((id) => id === 11)).toEqual([11]);
    await first.answer({ id: 10, title: 't10' });
    expect(ids()).toEqual([1, 11, 10]);
  });

  test('[O11] a list requested before a creation, and answered with the row before the creation, shows the row once', async () => {
    const { list, create, rows, ids, send, asked } = await stage(options);
    const reading = send(list);
    const creating = send(create);
    await reading.answer(rows(1, 10));
    await creating.answer({ id: 10, title: 't10' });
    expect(ids()).toEqual([1, 10]);
    expect(asked('list')).toHaveLength(2);
  });

  test('[O11] a row created under a key of the caller, and contained in a list answered first, shows once', async () => {
    const { list, create, rows, ids, send } = await stage(options);
    const creating = send(create, { id: 10 });
    await send(list).answer(rows(1, 10));
    await creating.answer({ id: 10, title: 't10' });
    expect(ids()).toEqual([1, 10]);
  });
});

test('[O11] a list answered before a creation is sent gets the created row without a refetch', async () => {
  const { list, create, rows, ids, send, asked } = await stage();
  await send(list).answer(rows(1, 2));
  await send(create).answer({ id: 10, title: 't10' });
  expect(ids()).toEqual([1, 2, 10]);
  expect(asked('list')).toHaveLength(1);
});

test('[O11] a list without readers, answered during a creation, is refetched when read', async () => {
  const { controller, list, create, rows, ids, send, asked, leave } = await stage();
  for (const end of leave) end();
  const creating = send(create);
  await send(list).answer(rows(1, 10));
  await creating.answer({ id: 10, title: 't10' });
  expect(asked('list')).toHaveLength(1);
  void controller.fetchIfStale(list, {});
  expect(asked('list')).toHaveLength(2);
  await asked('list')[1]?.answer(rows(10));
  expect(ids()).toEqual([10]);
});

test('[O11] `update` for a row that was in the list before is applied to the response of a concurrent read', async () => {
  const w = world();
  const { controller } = w;
  const page = w.read('page', { rows: [Todo], open: 0 });
  await controller.setResponse(page, {}, { rows: [{ id: 1 }], open: 1 });
  const close = w.mutation('close', Todo, {
    update: () => ({
      [page.key({})]: (value: { rows: string[]; open: number }) => ({
        ...value,
        open: value.open - 1,
      }),
    }),
  });
  void controller.fetch(close, { id: 1 });
  const closing = w.call();
  void controller.fetch(page, {});
  await w.call().answer({ rows: [{ id: 1 }], open: 1 });
  await closing.answer({ id: 1, done: true });
  expect(controller.getResponse(page, {}).data?.open).toBe(0);
});

test('[O11] a map with a created entry, answered before the creation, has the entry once and is refetched', async () => {
  const w = world();
  const { controller } = w;
  const map = w.read('map', { byName: new Values(Todo), size: 0 });
  await controller.setResponse(map, {}, { byName: { a: { id: 1 } }, size: 1 });
  const leave = controller.view(map, {}).retain();
  type Form = { byName: Record<string, string>; size: number };
  const create = w.mutation('create', Todo, {
    update: (made: string) => ({
      [map.key({})]: ({ byName, size }: Form) => ({
        byName: { ...byName, [`k${size}`]: made },
        size: size + 1,
      }),
    }),
  });
  void controller.fetch(create, {});
  const creating = w.call();
  void controller.fetch(map, {});
  await w.call().answer({ byName: { a: { id: 1 }, k1: { id: 10 } }, size: 2 });
  await creating.answer({ id: 10 });
  expect(controller.getResponse(map, {}).data?.size).toBe(2);
  expect(Object.keys(controller.getResponse(map, {}).data?.byName ?? {})).toEqual(['a', 'k1']);
  expect(w.calls).toHaveLength(3);
  leave();
});

test('[O11] a list read after the response to a creation in a transaction is not changed when the transaction ends', async () => {
  const { w, controller, list, create, rows, ids, send, asked } = await stage();
  const touch = w.mutation('touch', Stock);
  let made = false;
  const done = transaction(controller, async ({ fetch }) => {
    await fetch(create, {});
    made = true;
    await fetch(touch, {});
  });
  await w.call().answer({ id: 10, title: 't10' });
  expect(made).toBe(true);
  const touching = w.call();
  await send(list).answer(rows(1, 10));
  await touching.answer({ id: 1 });
  await done;
  expect(ids()).toEqual([1, 10]);
  expect(asked('list')).toHaveLength(1);
});

test('[O11] a list answered during a creation in a transaction shows the row once, and is refetched at the end', async () => {
  const { w, controller, list, create, rows, ids, send, asked } = await stage();
  const done = transaction(controller, ({ fetch }) => fetch(create, {}));
  const creating = w.call();
  await send(list).answer(rows(1, 10));
  await creating.answer({ id: 10, title: 't10' });
  await done;
  expect(ids()).toEqual([1, 10]);
  expect(asked('list')).toHaveLength(2);
});

test('[O11] another tab shows a row that the list and then the creation contain once, and refetches the list', async () => {
  const { controller, list, create, rows, send } = await stage();
  const other = world();
  const copy = other.read('list', [Todo]);
  const leave = other.controller.view(copy, {}).retain();
  controller.on('commit', (commit) => replay(other.controller, commit));
  const creating = send(create);
  await send(list).answer(rows(1, 10));
  await creating.answer({ id: 10, title: 't10' });
  expect(other.controller.getResponse(copy, {}).data?.map(({ id }) => id)).toEqual([1, 10]);
  expect(other.log).toEqual(['list {}']);
  leave();
});

describe.each([
  ['a plain list', [Todo]],
  ['a Collection', new Collection([Todo])],
] as const)('%s', (_, schema) => {
  async function invalidated() {
    const w = world({ optimistic });
    const { controller } = w;
    const list = w.read('list', schema);
    await controller.setResponse(list, {}, [{ id: 1 }]);
    const create = w.mutation('create', Todo, {
      update: (made: string) => ({ [list.key({})]: append(made) }),
    });
    const view = controller.view(list, {});
    const leave = view.retain();
    controller.invalidate(list, {});
    void view.ensure(false);
    const seen: (number[] | undefined)[] = [];
    const look = () => {
      const { status, data } = view.result.peek();
      seen.push(status === 'success' ? data?.map(({ id }) => id) : undefined);
    };
    const stop = view.listen(look);
    const end = () => (stop(), leave());
    return { w, controller, list, create, view, seen, end };
  }

  test('[O11] an invalidated list never shows a response to a read issued before a creation without the created row', async () => {
    const { w, controller, create, seen, end } = await invalidated();
    const reading = w.call();
    void controller.fetch(create, {});
    await w.call().answer({ id: 10 });
    await reading.answer([{ id: 1 }, { id: 4 }]);
    await w.call().answer([{ id: 1 }, { id: 4 }, { id: 10 }]);
    const shown = seen.filter((ids) => ids !== undefined);
    expect(shown.length).toBeGreaterThan(0);
    for (const ids of shown) expect(ids).toContain(10);
    expect(seen.at(-1)).toEqual([1, 4, 10]);
    expect(w.log.filter((line) => line.startsWith('list'))).toHaveLength(2);
    end();
  });

  test('[O11] an invalidated list shows a created row once if a read issued before the creation contains the row', async () => {
    const { w, controller, create, seen, end } = await invalidated();
    const reading = w.call();
    void controller.fetch(create, {});
    await w.call().answer({ id: 10 });
    await reading.answer([{ id: 10 }, { id: 1 }]);
    for (const ids of seen) expect(ids?.filter((id) => id === 10) ?? [10]).toEqual([10]);
    end();
  });
});
