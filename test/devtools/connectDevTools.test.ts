/** The bridge to the Redux DevTools extension: its messages and its buttons. */
import { Collection, Entity, Values } from 'signalbox';
import { connectDevTools } from 'signalbox/devtools';
import { afterEach, expect, test, vi } from 'vitest';
import { refused, refusal, settled, Tag, Todo, User, watch, world } from '../setup/world.ts';
import type { World } from '../setup/world.ts';
import { FakeExtension } from './fakeExtension.ts';

afterEach(() => vi.unstubAllGlobals());

function connected(w: World = world(), options: object = {}) {
  const extension = new FakeExtension();
  const stop = connectDevTools(w.controller, { extension, ...options });
  return { w, extension, stop, controller: w.controller };
}

test('[T2] without the extension, connectDevTools registers no listener', () => {
  const { controller } = world();
  const listened = vi.spyOn(controller, 'on');
  connectDevTools(controller)();
  expect(listened).not.toHaveBeenCalled();
});

test('[T2] connectDevTools uses the extension of the page with the name of the controller', () => {
  const extension = new FakeExtension();
  vi.stubGlobal('__REDUX_DEVTOOLS_EXTENSION__', extension);
  connectDevTools(world().controller, { trace: true });
  expect(extension.options).toMatchObject({ name: 'signalbox', maxAge: 50, trace: true });
  expect(extension.types).toEqual(['@@INIT']);
});

test('[T2] a read sends an action at the request and an action at the response, with the duration', async () => {
  const { w, extension, controller } = connected();
  const getTodo = w.read('getTodo', Todo);
  void controller.fetch(getTodo, { id: 1 });
  w.clock.advance(120);
  await w.call().answer({ id: 1, title: 'a', author: { id: 2, name: 'bo' } });
  expect(extension.types).toEqual(['@@INIT', 'request getTodo', 'answer getTodo']);
  const key = getTodo.key({ id: 1 });
  expect(extension.actions[1]).toMatchObject({ id: 1, key, args: [{ id: 1 }] });
  expect(extension.actions[2]).toMatchObject({
    key,
    requests: [{ id: 1, endpoint: 'getTodo', key, args: [{ id: 1 }], ms: 120 }],
    writes: [{ key, endpoint: 'getTodo', schema: 'Todo', value: { id: 1, title: 'a' } }],
  });
  expect(extension.state()).toMatchObject({
    entities: {
      Todo: { 1: { id: 1, title: 'a', author: 'User 2', tags: '[undefined]' } },
      User: { 2: { id: 2, name: 'bo' } },
    },
    requests: { [key]: { data: 'Todo 1', expiresAt: expect.stringMatching(/^1970-/) } },
  });
});

test('[T2] failures, retries and aborts are actions with the error', async () => {
  const { w, extension, controller } = connected(world({ retry: 1 }));
  const getTodo = w.read('getTodo', Todo);
  const update = w.mutation('update', Todo);
  const read = refused(controller.fetch(getTodo, { id: 1 }));
  await w.call().fail(refusal(500));
  w.clock.advance(5_000);
  await settled();
  await w.call().fail(refusal(404));
  await read;
  const mutation = refused(controller.fetch(update, { id: 1 }, { title: 'x' }));
  await w.call().fail(refusal(400));
  await mutation;
  const leaving = new AbortController();
  const left = refused(controller.fetch(getTodo.extend({ signal: leaving.signal }), { id: 2 }));
  leaving.abort();
  await left;
  expect(extension.types.slice(1)).toEqual([
    'request getTodo',
    'retry getTodo',
    'error getTodo',
    'request update',
    'failed update',
    'request getTodo',
    'abort getTodo',
  ]);
  expect(extension.actions[2]).toMatchObject({ attempt: 2, error: { message: 'refused 500' } });
  expect(extension.actions[3]).toMatchObject({ writes: [{ error: { status: 404 } }] });
  expect(extension.actions[5]).toMatchObject({ ms: 0, error: { message: 'refused 400' } });
});

test('[T2] sets, optimistic layers, rollbacks, invalidations and resets are actions named by their cause', async () => {
  const { w, extension, controller } = connected();
  const getOptimisticResponse = (_: unknown, params: object, body: object) => ({
    ...params,
    ...body,
  });
  const update = w.mutation('update', Todo, { getOptimisticResponse });
  await controller.set(Todo, { id: 1 }, { title: 'a' });
  const failing = refused(controller.fetch(update, { id: 1 }, { title: 'b' }));
  expect(extension.state()).toMatchObject({ entities: { Todo: { 1: { title: 'b' } } } });
  await w.call().fail(refusal(400));
  await failing;
  controller.invalidate(w.read('getTodo', Todo), { id: 1 });
  controller.reset();
  expect(extension.types.slice(1)).toEqual([
    'set Todo',
    'request update',
    'optimistic update',
    'rollback update',
    'failed update',
    'invalidate Todo',
    'reset',
  ]);
  expect(extension.state()).toMatchObject({ entities: {}, lists: {}, requests: {} });
});

class Odd extends Entity {
  id = 0;
  when = new Date(0);
  known: unknown;
  more: unknown;
  static override schema = { when: Date };
}

test('[T2] values without a JSON form are sent as text', async () => {
  const { extension, controller } = connected();
  const cyclic: { self?: unknown } = {};
  cyclic.self = cyclic;
  const more = [NaN, 5n, new Map([[1, 2]]), new Set([1]), new TypeError('bad'), cyclic, () => 1];
  const odd = { id: 1, when: '2026-01-02T03:04:05.000Z', known: new Date(NaN), more };
  await controller.set(Odd, { id: 1 }, odd);
  expect(extension.state()).toMatchObject({
    entities: {
      Odd: {
        1: {
          when: '2026-01-02T03:04:05.000Z',
          known: '[Invalid Date]',
          more: [
            '[NaN]',
            '5n',
            { '[Map]': [[1, 2]] },
            { '[Set]': [1] },
            { name: 'TypeError', message: 'bad' },
            { self: '[cyclic]' },
            '[function ]',
          ],
        },
      },
    },
  });
});

test('[T2] a jump shows a past state, and notifies only readers whose data differ', async () => {
  const { extension, controller } = connected();
  await controller.set(Todo, { id: 1 }, { title: 'a' });
  await controller.set(Todo, { id: 2 }, { title: 'other' });
  await controller.set(Todo, { id: 1 }, { title: 'b' });
  const one = watch(controller.entity(Todo, 1));
  const two = watch(controller.entity(Todo, 2));
  extension.jump(1);
  expect([one.last?.title, two.last]).toEqual(['a', undefined]);
  extension.jump(2, 'JUMP_TO_STATE');
  expect([one.last?.title, two.last?.title]).toEqual(['a', 'other']);
  const runs = two.runs;
  extension.jump(3);
  expect(one.last?.title).toBe('b');
  expect(two.runs).toBe(runs);
  extension.jump(0);
  expect([one.last, two.last]).toEqual([undefined, undefined]);
});

test('[T2] a jump restores lists, maps, responses and errors', async () => {
  const { w, extension, controller } = connected();
  const getList = w.read('getList', new Collection([Todo]), {
    reply: () => [{ id: 1 }, { id: 2 }],
  });
  const getMap = w.read('getMap', new Collection(new Values(Tag)), {
    reply: () => ({ a: { id: 1 }, b: { id: 2 } }),
  });
  const getPlain = w.read(
    'getPlain',
    { user: User, total: 0 },
    {
      reply: () => ({ user: { id: 3, name: 'cy' }, total: 7 }),
    },
  );
  const broken = w.read('broken', User);
  await controller.fetch(getList, {});
  await controller.fetch(getMap, {});
  await controller.fetch(getPlain);
  await controller.setError(broken, refusal(404));
  const seen = () => [
    controller.get(getList.schema, {})?.map(({ id }) => id),
    Object.keys(controller.getResponse(getMap, {}).data ?? {}),
    controller.getResponse(getPlain).data?.user?.name,
    controller.getError(broken)?.message,
  ];
  const then = seen();
  expect(then).toEqual([[1, 2], ['a', 'b'], 'cy', 'refused 404']);
  const at = extension.types.length - 1;
  await controller.fetch(
    w.mutation('push', getList.schema.unshift, { reply: () => ({ id: 9 }) }),
    {},
    {},
  );
  await controller.set(getMap.schema, {}, { c: { id: 5 } });
  await controller.set(User, { id: 3 }, { name: 'di' });
  controller.invalidate(getPlain);
  await controller.setResponse(broken, { id: 8 });
  const now = seen();
  expect(now).toEqual([[9, 1, 2], ['c'], undefined, undefined]);
  extension.jump(at);
  expect(seen()).toEqual(then);
  extension.jump(0);
  expect(seen()).toEqual([undefined, [], undefined, undefined]);
  extension.jump(-1);
  expect(seen()).toEqual(now);
});

test('[T2] in a past state no request is sent and responses wait; a jump to the newest state continues both', async () => {
  const { w, extension, controller } = connected();
  const getTodo = w.read('getTodo', Todo);
  await controller.set(Todo, { id: 1 }, { title: 'a' });
  const under = controller.fetch(getTodo, { id: 1 });
  extension.jump(1);
  extension.jump(0);
  await w.call().answer({ id: 1, title: 'answered' });
  const waiting = controller.fetch(getTodo, { id: 2 });
  await settled();
  expect(w.log).toEqual(['getTodo {"id":1}']);
  expect(controller.get(Todo, { id: 1 })).toBeUndefined();
  extension.jump(-1);
  expect((await under).title).toBe('answered');
  await settled();
  expect(w.log).toEqual(['getTodo {"id":1}', 'getTodo {"id":2}']);
  await w.call().answer({ id: 2, title: 'later' });
  expect((await waiting).title).toBe('later');
  expect(controller.get(Todo, { id: 1 })?.title).toBe('answered');
});

test('[T2] a write in a past state is applied to that state', async () => {
  const { extension, controller } = connected();
  await controller.set(Todo, { id: 1 }, { title: 'a' });
  await controller.set(Todo, { id: 1 }, { title: 'b', done: true });
  extension.jump(1);
  await controller.set(Todo, { id: 1 }, { done: true });
  expect(controller.get(Todo, { id: 1 })).toMatchObject({ title: 'a', done: true });
  extension.jump(2);
  expect(controller.get(Todo, { id: 1 })?.title).toBe('b');
  extension.jump(3);
  expect(controller.get(Todo, { id: 1 })?.title).toBe('a');
});

test('[T2] COMMIT, ROLLBACK and RESET begin a new history', async () => {
  const { extension, controller } = connected();
  const title = () => controller.get(Todo, { id: 1 })?.title;
  await controller.set(Todo, { id: 1 }, { title: 'a' });
  extension.press('COMMIT');
  expect(extension.types).toEqual(['@@INIT']);
  expect(extension.state()).toMatchObject({ entities: { Todo: { 1: { title: 'a' } } } });
  await controller.set(Todo, { id: 1 }, { title: 'b' });
  extension.press('ROLLBACK');
  expect(title()).toBe('a');
  expect(extension.types).toEqual(['@@INIT']);
  await controller.set(Todo, { id: 1 }, { title: 'c' });
  extension.press('RESET');
  expect(title()).toBeUndefined();
  expect(extension.state()).toMatchObject({ entities: {} });
});

test('[T2] an imported history of this page is shown, and the history of another page changes nothing', async () => {
  const { w, extension, controller } = connected();
  await controller.set(Todo, { id: 1 }, { title: 'a' });
  const file = extension.export();
  await controller.set(Todo, { id: 1 }, { title: 'b' });
  extension.import(file);
  expect(extension.types).toEqual(['@@INIT', 'set Todo']);
  expect(controller.get(Todo, { id: 1 })?.title).toBe('a');
  extension.jump(0);
  expect(controller.get(Todo, { id: 1 })).toBeUndefined();
  w.clock.advance(1);
  const other = connected(world());
  await other.controller.set(Todo, { id: 1 }, { title: 'own' });
  other.extension.import(file.replaceAll('"session":"', '"session":"other '));
  expect(other.extension.types).toEqual(['@@INIT', 'set Todo']);
  expect(other.controller.get(Todo, { id: 1 })?.title).toBe('own');
  expect(other.extension.errors).toHaveLength(1);
});

test('[T2] the history has maxAge actions, and data in the history are not garbage collected', async () => {
  const { w, extension, controller } = connected(world({ sweepAfter: 1_000 }), { maxAge: 3 });
  for (let id = 1; id <= 6; id++) await controller.set(Todo, { id }, { title: `t${id}` });
  expect(extension.types).toHaveLength(4);
  w.clock.advance(3_600_000);
  controller.sweep();
  extension.jump(1);
  expect(controller.get(Todo, { id: 4 })?.title).toBe('t4');
  extension.press('ROLLBACK');
  expect(controller.get(Todo, { id: 3 })?.title).toBe('t3');
  expect(controller.get(Todo, { id: 4 })).toBeUndefined();
  expect(extension.errors).toEqual([]);
});

test('[T2] after disconnecting, the newest state is shown, no action is sent and no listener is left', async () => {
  const { w, extension, controller, stop } = connected(world({ sweepAfter: 1_000 }));
  await controller.set(Todo, { id: 1 }, { title: 'a' });
  await controller.set(Todo, { id: 1 }, { title: 'b' });
  extension.open();
  extension.jump(1);
  const waiting = controller.fetch(w.read('getTodo', Todo), { id: 2 });
  stop();
  expect(controller.get(Todo, { id: 1 })?.title).toBe('b');
  await settled();
  await w.call().answer({ id: 2 });
  expect((await waiting).id).toBe(2);
  expect([extension.listeners, extension.types.length]).toEqual([0, 3]);
});
