// Functions of the present value are applied to the current value when the response arrives, in any order of arrival.
import { Collection, Entity, replay, transaction } from 'signalbox';
import { describe, expect, test } from 'vitest';
import { refused, Todo, watch, world } from '../setup/world.ts';

class Shelf extends Entity {
  id = 0;
  open = 0;
}

const kinds = [
  ['a plain list', [Todo]],
  ['a Collection', new Collection([Todo])],
] as const;

async function stage(schema: (typeof kinds)[number][1] = [Todo]) {
  const w = world();
  const { controller } = w;
  const list = w.read('list', schema);
  const copy = world();
  copy.read('list', schema);
  controller.on('commit', (commit) => replay(copy.controller, commit));
  const answer = (...ids: number[]) => ids.map((id) => ({ id, title: `t${id}` }));
  await controller.setResponse(list, {}, answer(1));
  const create = w.mutation('create', Todo, {
    update: (created: string) => ({
      [list.key({})]: (rows: string[]) => [created, ...rows.filter((pk) => pk !== created)],
    }),
  });
  const ids = (of = controller) => of.getResponse(list, {}).data?.map(({ id }) => id);
  const post = () => {
    controller.fetch(create, {}).catch(() => {});
    const call = w.call();
    return (id: number) => call.answer({ id, title: `t${id}` });
  };
  const poll = () => {
    controller.fetch(list, {}).catch(() => {});
    const call = w.call();
    return (...rows: number[]) => call.answer(answer(...rows));
  };
  return { w, controller, copy, list, ids, post, poll, answer };
}

describe.each(kinds)('%s', (_, schema) => {
  test('[O11] two creations whose responses arrive in reverse order are both in the list', async () => {
    const { ids, post, copy } = await stage(schema);
    const first = post();
    const second = post();
    await second(3);
    await first(2);
    expect(ids()).toEqual([2, 3, 1]);
    expect(ids(copy.controller)).toEqual([2, 3, 1]);
  });

  test.each([
    ['without', [1, 4], [2, 1, 4]],
    ['with', [2, 1, 4], [2, 1, 4]],
  ])(
    '[O11] a poll issued after a creation and answered first, %s the row, shows the row once',
    async (__, polled, shown) => {
      const { ids, post, poll } = await stage(schema);
      const created = post();
      const read = poll();
      await read(...polled);
      await created(2);
      expect(ids()).toEqual(shown);
    },
  );

  test.each([
    ['before', false],
    ['after', true],
  ])(
    '[O11] a poll issued %s a creation, with a response after it, drops no row and is refetched',
    async (__, after) => {
      const { w, controller, ids, post, poll, list } = await stage(schema);
      const view = controller.view(list, {});
      const leave = view.retain();
      const early = after ? undefined : poll();
      const created = post();
      const read = early ?? poll();
      await created(2);
      expect(ids()).toEqual([2, 1]);
      await read(1, 4);
      expect(ids()).toEqual([2, 1]);
      expect(w.log.filter((line) => line.startsWith('list'))).toHaveLength(2);
      await w.call().answer([{ id: 4 }, { id: 2 }]);
      expect(ids()).toEqual([4, 2]);
      leave();
    },
  );

  test('[O11] a poll issued before a creation and answered after it leaves an unmounted key stale', async () => {
    const { w, controller, ids, post, poll, list } = await stage(schema);
    const read = poll();
    const created = post();
    await created(2);
    await read(1);
    expect(w.calls).toHaveLength(2);
    void controller.fetchIfStale(list, {});
    await w.call().answer([{ id: 5 }]);
    expect(ids()).toEqual([5]);
  });

  test('[O7] a key invalidated between request and response of a creation stays invalid until its refetch', async () => {
    const { w, controller, ids, post, list } = await stage(schema);
    const view = controller.view(list, {});
    const leave = view.retain();
    const created = post();
    controller.invalidate(list, {});
    void view.ensure(false);
    const refetch = w.call();
    await created(2);
    expect(view.result.peek().status).toBe('pending');
    await refetch.answer([{ id: 1 }]);
    await w.call().answer([{ id: 2 }, { id: 1 }]);
    expect(ids()).toEqual([2, 1]);
    leave();
  });
});

test('[O11] a counter counts each of three responses in mixed order, over a push in between', async () => {
  const w = world();
  const { controller } = w;
  const count = w.read('count', { open: 0 });
  await controller.setResponse(count, {}, { open: 0 });
  const more = w.mutation('more', undefined, {
    update: () => ({ [count.key({})]: ({ open }: { open: number }) => ({ open: open + 1 }) }),
  });
  for (let at = 0; at < 3; at++) void controller.fetch(more, {});
  await w.call(2).answer({});
  await w.call(0).answer({});
  await controller.setResponse(count, {}, { open: 10 });
  await w.call(1).answer({});
  expect(controller.getResponse(count, {}).data).toEqual({ open: 11 });
});

test('[O11] the first response of a counter requested before an increment is refetched after the increment', async () => {
  const w = world();
  const { controller } = w;
  const count = w.read('count', { open: 0 });
  const more = w.mutation('more', undefined, {
    update: () => ({ [count.key({})]: ({ open }: { open: number }) => ({ open: open + 1 }) }),
  });
  const leave = controller.view(count, {}).retain();
  void controller.fetch(count, {});
  const early = w.call();
  void controller.fetch(more, {});
  await w.call().answer({});
  await early.answer({ open: 0 });
  expect(controller.getResponse(count, {}).data).toEqual({ open: 0 });
  expect(w.log.at(-1)).toBe('count {}');
  expect(w.calls).toHaveLength(3);
  await w.call().answer({ open: 1 });
  expect(controller.getResponse(count, {}).data).toEqual({ open: 1 });
  leave();
});

test('[O11] `update` keeps the expiry and the error of the response that the function changes', async () => {
  const { w, controller, list, post } = await stage();
  const created = post();
  w.clock.advance(59_000);
  await created(2);
  w.clock.advance(2_000);
  const again = controller.fetchIfStale(list, {});
  expect(w.log.at(-1)).toBe('list {}');
  const failed = refused(again);
  await w.call().fail(Object.assign(new Error('gone'), { status: 404 }));
  await failed;
  await post()(3);
  expect(controller.view(list, {}).result.peek().error?.message).toBe('gone');
});

test('[O11] a failed creation changes no list, and a creation confirmed before stays', async () => {
  const { w, ids, post, controller } = await stage();
  post();
  const refusing = w.call();
  await post()(3);
  await refusing.fail(new Error('no'));
  expect(ids()).toEqual([3, 1]);
  const late = post();
  controller.reset();
  await late(4);
  expect(ids()).toBeUndefined();
});

test('[O11] a function passed to set in a transaction is applied to data that arrived before the end', async () => {
  const w = world();
  const { controller } = w;
  await controller.set(Shelf, { id: 1 }, { id: 1, open: 1 });
  const touch = w.mutation('touch', Todo);
  const seen = watch(() => controller.entity(Shelf, 1).value?.open);
  const done = transaction(controller, async ({ fetch, set }) => {
    void set(Shelf, { id: 1 }, ({ open }) => ({ open: open + 1 }));
    void set(Shelf, { id: 1 }, ({ open }) => ({ open: open + 1 }));
    await fetch(touch, {}, {});
  });
  expect(seen.last).toBe(3);
  await controller.set(Shelf, { id: 1 }, { open: 10 });
  expect(seen.last).toBe(12);
  await w.call().answer({ id: 1 });
  await done;
  expect(seen.last).toBe(12);
});

test('[O11] a row added by `update` during an optimistic removal stays when the removal is rolled back', async () => {
  const schema = new Collection([Todo]);
  const { w, controller, ids, post, poll } = await stage(schema);
  const drop = w.mutation('drop', schema.remove, { getOptimisticResponse: () => ({ id: 1 }) });
  controller.fetch(drop, {}).catch(() => {});
  const dropping = w.call();
  const created = post();
  const read = poll();
  await read(1, 4);
  await created(2);
  expect(ids()).toEqual([2, 4]);
  await dropping.fail(new Error('no'));
  expect(ids()).toEqual([2, 1, 4]);
});

test('[O11] the functions of a transaction are applied at its end, over data that arrived meanwhile', async () => {
  const { w, controller, ids, list, poll } = await stage();
  const put = w.mutation('put', Todo, {
    update: (made: string) => ({ [list.key({})]: (pks: string[]) => [made, ...pks] }),
  });
  const done = transaction(controller, ({ fetch }) => fetch(put, {}));
  const creating = w.call();
  await poll()(1, 4);
  const late = poll();
  await creating.answer({ id: 2 });
  await done;
  expect(ids()).toEqual([2, 1, 4]);
  await late(1);
  expect(ids()).toEqual([2, 1, 4]);
});
