// Messages that arrive together: their work and their commits, on a stopped clock.
import { Collection, Controller } from 'signalbox';
import { expect, test } from 'vitest';
import { settled, watch } from '../setup/world.ts';
import { isWaiting, Todo, gathered } from './streaming.ts';

test('[P4] 1,000 messages received together are one commit, and run each reader once', async () => {
  const { controller, clock, come, commits } = await gathered();
  const messages = Array.from({ length: 1_000 }, (_, at) => ({ id: at % 100, title: `${at}` }));
  for (let id = 0; id < 100; id++) await controller.set(Todo, { id }, { title: '' });
  commits.length = 0;
  const rows = messages.slice(0, 100).map(({ id }) => watch(controller.entity(Todo, id)));
  await come(...messages);
  expect(commits).toEqual([]);
  clock.advance(0);
  expect(rows.map(({ runs }) => runs)).toEqual(rows.map(() => 2));
  expect(rows.map(({ last }) => last?.title)).toEqual(
    messages.slice(900).map(({ title }) => title),
  );
  expect(commits).toHaveLength(1);
  expect(commits[0]).toMatchObject({ cause: 'set', ids: [] });
  expect(commits[0]?.writes).toHaveLength(1_000);
  expect(clock.waiting).toBe(0);
});

test('[P4] `batch` collects the messages of 50 ms in one commit', async () => {
  const { clock, come, commits, title } = await gathered({ batch: 50 });
  await come({ id: 1, title: 'a' });
  clock.advance(49);
  await come({ id: 1, title: 'b' });
  expect(title(1)).toBeUndefined();
  clock.advance(1);
  expect(title(1)).toBe('b');
  expect(commits).toHaveLength(1);
});

test('[P4] a queued message keeps the time of its receipt, so a later write wins', async () => {
  const { controller, clock, come, title } = await gathered({ batch: 50 });
  await come({ id: 1, title: 'received first' });
  await controller.set(Todo, { id: 1 }, { title: 'set later' });
  clock.advance(50);
  expect(title(1)).toBe('set later');
});

test('[P4] queued messages are written before the response to a later request', async () => {
  const { w, controller, clock, come, title } = await gathered({ batch: 50 });
  const todos = new Collection([Todo]);
  const list = w.read('list', todos);
  void controller.fetch(list, {});
  await w.call().answer([]);
  clock.advance(60_001);
  await come({ id: 1, title: 'pushed' });
  void controller.fetch(list, {});
  expect(title(1)).toBeUndefined();
  await settled();
  expect(title(1)).toBe('pushed');
  await w.call().answer([{ id: 1, title: 'asked later' }]);
  expect(title(1)).toBe('asked later');
});

test('[P4] invalidations in several messages refetch once, after the writes', async () => {
  const { w, controller, clock, come, commits, title } = await gathered({
    receive({ id, title }, { set, invalidate, invalidateAll, expireAll }) {
      expireAll(list);
      invalidateAll(other);
      invalidate(get, { id: 1 });
      set(Todo, { id }, { title });
    },
  });
  const get = w.read('get', Todo);
  const other = w.read('other', Todo);
  const list = w.read('list', [Todo]);
  const views = [controller.view(list, {}), controller.view(other, { id: 5 })];
  for (const view of views) view.retain();
  void views[0]?.ensure(true);
  await w.call().answer([{ id: 4, title: 'four' }]);
  commits.length = 0;
  await come({ id: 1, title: 'a' }, { id: 2, title: 'b' }, { id: 3, title: 'c' });
  clock.advance(0);
  expect(commits.map(({ cause }) => cause)).toEqual(['set', 'invalidate', 'invalidate', 'expire']);
  expect(w.log).toEqual(['list {}', 'list {}']);
  expect(title(3)).toBe('c');
  expect(controller.view(get, { id: 1 }).ensure(false)).toBeDefined();
});

test('[P4] methods of the controller called in receive belong to the batch', async () => {
  const stage = await gathered({
    receive: ({ id, title }) =>
      void stage.controller.set(Todo, { id: 1 }, { title: `${id} ${String(title)}` }),
  });
  const { controller, clock, come } = stage;
  const todo = watch(controller.entity(Todo, 1));
  await come({ id: 1, title: 'a' }, { id: 2, title: 'b' });
  clock.advance(0);
  expect(todo.seen.map((seen) => seen?.title)).toEqual([undefined, '2 b']);
});

test('[P4] queued messages are written when the connection is lost', async () => {
  const { server, clock, come, stream, title } = await gathered({ batch: 50 });
  await come({ id: 1, title: 'last words' });
  server.cut();
  await isWaiting(stream);
  clock.advance(50);
  expect(title(1)).toBe('last words');
});

test('[P4] wrapCommits is called once for several messages', async () => {
  const { controller, clock, come } = await gathered();
  let flushes = 0;
  controller.wrapCommits((commit) => {
    flushes++;
    commit();
  });
  await come({ id: 1, title: 'a' }, { id: 2, title: 'b' });
  clock.advance(0);
  expect(flushes).toBe(1);
  expect(controller).toBeInstanceOf(Controller);
});

test.each([
  { what: 'a change', params: [{ id: 1 }] },
  { what: 'a creation', params: [] },
])(
  '[O15] queued messages are written before the response to $what in flight: a row that they contradict is refetched',
  async ({ params }) => {
    const { w, controller, clock, come, title } = await gathered({ batch: 50 });
    const get = w.read('get', Todo);
    const view = controller.view(get, { id: 1 });
    const row = (text: string) => ({ id: 1, title: text, userId: 1 });
    if (params.length > 0) {
      void controller.fetch(get, { id: 1 });
      await w.call().answer(row('a'));
    }
    const sent = controller.fetch(w.mutation('write', Todo), ...params, { title: 'mine' });
    await come({ id: 1, title: 'theirs' });
    await w.call().answer(row('mine'));
    await sent;
    view.retain();
    view.revalidate();
    clock.advance(50);
    expect(w.log.at(-1)).toBe('get {"id":1}');
    await w.call().answer(row('theirs'));
    expect(title(1)).toBe('theirs');
  },
);
