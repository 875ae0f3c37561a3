/** The reason for each value of a field. */
import { Collection, transaction, live } from 'signalbox';
import { connectDevTools, recordCommits, why } from 'signalbox/devtools';
import { expect, test } from 'vitest';
import { refusal, refused, Todo, User, watch, world } from '../setup/world.ts';
import { FakeExtension } from './fakeExtension.ts';

test('[T2] why names the response that wrote a field, also after other fields were written', async () => {
  const w = world();
  const { controller } = w;
  connectDevTools(controller, { extension: new FakeExtension() });
  const getTodo = w.read('getTodo', Todo);
  void controller.fetch(getTodo, { id: 1 });
  w.clock.advance(30);
  await w.call().answer({ id: 1, title: 'read', done: false });
  await controller.set(Todo, { id: 1 }, { done: true });
  expect(why(controller, Todo, 1, 'title')).toMatchObject({
    value: 'read',
    written: {
      time: 1,
      by: {
        cause: 'answer',
        key: getTodo.key({ id: 1 }),
        at: 1_000_030,
        requests: [{ id: 1, endpoint: 'getTodo', args: [{ id: 1 }], at: 1_000_000, ms: 30 }],
      },
    },
    layers: [],
  });
  expect(why(controller, Todo, 1, 'done')).toMatchObject({
    value: true,
    written: { by: { cause: 'set', requests: [] } },
  });
  expect(why(controller, Todo, 1)?.written?.by?.cause).toBe('set');
});

test('[T2] why names the mutation that wrote a field', async () => {
  const w = world();
  const { controller } = w;
  const stop = recordCommits(controller);
  const update = w.mutation('update', Todo);
  await controller.set(Todo, { id: 1 }, { title: 'a', done: true });
  void controller.fetch(update, { id: 1 }, { title: 'mine' });
  await w.call().answer({ id: 1, title: 'mine' });
  const { written } = why(controller, Todo, 1, 'title') ?? {};
  expect(written?.by?.requests.map(({ endpoint }) => endpoint)).toEqual(['update']);
  expect(why(controller, Todo, 1, 'done')?.written?.by?.cause).toBe('set');
  stop();
  expect(why(controller, Todo, 1, 'title')?.written).toMatchObject({ by: undefined });
});

test('[T2] why lists the optimistic values above the confirmed value', async () => {
  const w = world();
  const { controller } = w;
  const getOptimisticResponse = (_: unknown, params: object, body: object) => ({
    ...params,
    ...body,
  });
  const update = w.mutation('update', Todo, { getOptimisticResponse });
  const remove = w.mutation('remove', Todo, {
    getOptimisticResponse: () => ({ id: 1, done: true }),
  });
  await controller.set(Todo, { id: 1 }, { title: 'a' });
  const first = refused(controller.fetch(update, { id: 1 }, { title: 'b' }));
  const second = refused(controller.fetch(update, { id: 1 }, { title: 'c' }));
  const third = refused(controller.fetch(remove, { id: 1 }));
  const { value, layers, written } = why(controller, Todo, 1, 'title') ?? {};
  expect(value).toBe('c');
  expect(layers).toEqual([
    { id: 2, endpoint: 'update', key: update.key({ id: 1 }, { title: 'b' }), value: 'b' },
    { id: 3, endpoint: 'update', key: update.key({ id: 1 }, { title: 'c' }), value: 'c' },
  ]);
  expect(written?.time).toBe(1);
  expect(why(controller, Todo, 1)?.layers.map(({ endpoint }) => endpoint)).toEqual([
    'update',
    'update',
    'remove',
  ]);
  for (const call of w.calls) await call.fail(refusal(400));
  await Promise.all([first, second, third]);
  expect(why(controller, Todo, 1, 'title')?.layers).toEqual([]);
});

test('[T2] why lists the readers: signals, fields, listeners, and records that contain the entity', async () => {
  const w = world();
  const { controller } = w;
  const getList = w.read('getList', new Collection([Todo]), {
    reply: () => [{ id: 1, title: 'a', author: { id: 2, name: 'bo' } }],
  });
  await controller.fetch(getList, {});
  expect(why(controller, User, 2, 'name')?.readers.filter(({ read }) => read)).toEqual([]);
  const list = watch(controller.signal(getList, {}));
  const title = watch(() => live(controller, Todo, 1).title);
  const author = watch(controller.entity(User, 2));
  const reads = (readers: readonly { kind: string; name: string; read: boolean }[] = []) =>
    readers.map(({ kind, name, read }) => `${kind} ${name}${read ? ' *' : ''}`);
  expect(reads(why(controller, User, 2, 'name')?.readers)).toEqual([
    'signal entity *',
    'entity Todo 1',
    'list Collection([Todo]) {}',
    `request ${getList.key({})} *`,
  ]);
  expect(reads(why(controller, Todo, 1, 'title')?.readers)).toContain('field title *');
  expect(reads(why(controller, Todo, 1, 'done')?.readers)).not.toContain('field title *');
  const stop = controller.view(getList, {}).listen(() => {});
  expect(reads(why(controller, Todo, 1)?.readers)).toContain(`request ${getList.key({})} *`);
  stop();
  for (const watcher of [list, title, author]) watcher.stop();
});

test('[T2] why returns undefined for missing data, and creates no record', async () => {
  const { controller } = world();
  expect(why(controller, Todo, 1, 'title')).toBeUndefined();
  await controller.set(Todo, { id: 1 }, { title: 'a' });
  expect(why(controller, Todo, 2, 'title')).toBeUndefined();
  expect(controller.sweep()).toBe(0);
});

test('[T2] why lists the value set by a transaction as a layer until the transaction is confirmed', async () => {
  const w = world();
  const { controller } = w;
  await controller.set(User, { id: 1 }, { name: 'Wen' });
  const done = transaction(controller, ({ fetch, set }) => {
    void set(User, { id: 1 }, { name: 'Olu' });
    return fetch(w.read('getUser', User), { id: 2 });
  });
  expect(why(controller, User, 1, 'name')).toMatchObject({
    value: 'Olu',
    layers: [{ endpoint: 'transaction', key: '', value: 'Olu' }],
  });
  await w.call().answer({ id: 2, name: 'Ines' });
  await done;
  expect(why(controller, User, 1, 'name')).toMatchObject({ value: 'Olu', layers: [] });
});
