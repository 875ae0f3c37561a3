// @vitest-environment happy-dom
/** The panel shows the store and changes neither the store nor the page. */
import { Collection, transaction, live } from 'signalbox';
import { why } from 'signalbox/devtools';
import { expect, test } from 'vitest';
import { refusal, refused, Todo, User, watch, wholeTodo, world } from '../setup/world.ts';
import type { World } from '../setup/world.ts';
import { OpenedPanel } from './openedPanel.ts';

const paint = (_: unknown, params: object, body: object) => ({ ...params, ...body });

async function filled(w: World) {
  const getTodos = w.read('getTodos', [Todo]);
  void w.controller.fetch(getTodos);
  await w.call().answer([
    { id: 1, title: 'one', done: false, author: { id: 7, name: 'Wen' } },
    { id: 2, title: 'two', done: true },
  ]);
  return getTodos;
}

test('[T2] the panel lists tables and rows, and filters rows by text', async () => {
  const w = world();
  await filled(w);
  const panel = new OpenedPanel(w.controller);
  expect(panel.all('nav button').map(({ textContent }) => textContent)).toEqual([
    'All3',
    'Todo2',
    'User1',
  ]);
  expect(panel.rows).toEqual([
    'Todo 1 id: 1, title: "one", done: false, userId: 0, author: User 7, tags: undefined',
    'Todo 2 id: 2, title: "two", done: true, userId: 0, author: undefined, tags: undefined',
    'User 7 id: 7, name: "Wen"',
  ]);
  panel.press('User', 'nav button');
  expect(panel.rows).toHaveLength(1);
  panel.press('All', 'nav button');
  panel.filter('TITLE: T');
  expect(panel.rows.map((row) => row.slice(0, 6))).toEqual(['Todo 2']);
  panel.filter('nobody');
  expect(panel.text).toContain('Nothing matches.');
});

test('[T2] a field names the source of its value, its optimistic value, and its readers', async () => {
  const w = world();
  const panel = new OpenedPanel(w.controller);
  const getTodos = await filled(w);
  const release = w.controller.view(getTodos).retain();
  const reader = watch(() => live(w.controller, Todo, 1).title);
  panel.frame();
  panel.choose('Todo 1');
  expect(panel.line('title')).toEqual(['title', '"one"', 'getTodos 0 s ago', '1 watcher']);
  expect(panel.line('author')).toEqual(['author', 'User 7', 'getTodos 0 s ago', '']);
  expect(panel.detail).toContain('request getTodos');

  w.clock.advance(5_000);
  const update = w.mutation('update', Todo, { getOptimisticResponse: paint });
  void w.controller.set(Todo, { id: 1 }, { done: true });
  const failed = refused(w.controller.fetch(update, { id: 1 }, { title: 'mine' }));
  panel.frame();
  expect(panel.line('done')).toEqual(['done', 'true', 'set 0 s ago', '']);
  expect(panel.line('title')?.slice(1)).toEqual([
    '"mine" expected by update #4; confirmed: "one"',
    'getTodos 5 s ago',
    '1 watcher',
  ]);
  await w.call().fail(refusal(400));
  await failed;
  panel.frame();
  expect(panel.line('title')?.[1]).toBe('"one"');
  reader.stop();
  release();

  panel.press('User 7', '.detail button');
  expect(panel.detail).toContain('User 7');
});

test('[T2] the panel shows the members of a list and the requests that contain the list', async () => {
  const w = world();
  const getList = w.read('getList', new Collection([Todo]));
  void w.controller.fetch(getList, { userId: 1 });
  await w.call().answer([{ id: 1 }, { id: 2 }]);
  const panel = new OpenedPanel(w.controller);
  panel.press('Collection([Todo])', 'nav button');
  expect(panel.rows).toEqual(['Collection([Todo]) {"userId":"1"} 2 members: [Todo 1, Todo 2]']);
  panel.choose('Collection');
  expect(panel.detail).toContain('2 members Todo 1 Todo 2 Shown in request getList');
  panel.press('Todo 2', '.detail button');
  expect(panel.detail).toContain('Shown in list Collection([Todo]) {"userId":"1"}');
});

test('[T2] with 100,000 entities the panel renders only the visible rows', async () => {
  const w = world();
  const many = Array.from({ length: 100_000 }, (_, id) => ({ id, title: `todo ${id}` }));
  await w.controller.set([Todo], many);
  const panel = new OpenedPanel(w.controller);
  expect(panel.one('#tab-0').textContent).toBe('Entities100,000');
  expect(panel.all('*').length).toBeLessThan(400);
  expect(panel.rows[0]).toContain('Todo 0');
  const list = panel.one('.rows');
  list.scrollTop = 24 * 50_000;
  list.dispatchEvent(new Event('scroll'));
  panel.frame();
  expect(panel.rows.some((row) => row.includes('todo 50000'))).toBe(true);
  expect(panel.all('*').length).toBeLessThan(400);
  panel.key('.rows', 'End');
  expect(panel.detail).toContain('Todo 99999');
  panel.filter('todo 4242');
  expect(panel.text).toContain('11 match');
});

test('[T2] data shown in the panel are garbage collected after the same time as without the panel', async () => {
  const w = world({ sweepAfter: 10_000 });
  await filled(w);
  const panel = new OpenedPanel(w.controller);
  panel.choose('Todo 1');
  expect(panel.detail).toContain('"one"');
  w.clock.advance(80_000);
  panel.frame();
  expect(w.controller.sweep()).toBe(0);
  w.clock.advance(1_000);
  panel.frame();
  expect(panel.rows).toEqual([]);
  expect(panel.detail).toBe('× Deleted, or no longer stored.');
});

test('[T2] the panel counts as no reader, and sends no request', async () => {
  const w = world();
  const getTodos = await filled(w);
  const before = why(w.controller, Todo, 1)?.readers;
  const panel = new OpenedPanel(w.controller);
  for (const tab of ['Entities', 'Requests', 'Layers', 'Timeline', 'Entities']) panel.open(tab);
  panel.choose('Todo 1');
  await w.controller.set(Todo, { id: 1 }, { title: 'three' });
  panel.frame();
  expect(why(w.controller, Todo, 1)?.readers).toEqual(before);
  w.controller.expireAll(getTodos);
  w.controller.invalidateAll(getTodos);
  w.page.comeBack('focus');
  panel.frame();
  expect(w.log).toEqual(['getTodos']);
});

test('[T2] the Requests tab shows the state of each request, and can refetch, expire and invalidate a request', async () => {
  const w = world();
  const { controller, clock } = w;
  const get = w.read('get', Todo, { dataExpiryLength: 60_000, errorExpiryLength: 5_000 });
  const panel = new OpenedPanel(controller);
  panel.open('Requests');
  const state = (id: number) => {
    panel.frame();
    return panel.rows
      .find((row) => row.includes(get.key({ id })))
      ?.replace(` ${get.key({ id })}`, '');
  };
  void controller.fetch(get, { id: 1 });
  expect(state(1)).toBe('in flight Todo 1');
  await w.call().answer({ id: 1, title: 'one' });
  expect(state(1)).toBe('valid Todo 1 60 s');
  clock.advance(45_000);
  expect(state(1)).toBe('valid Todo 1 15 s');
  clock.advance(16_000);
  expect(state(1)).toBe('stale Todo 1');

  const failed = refused(controller.fetch(get, { id: 2 }));
  await w.call().fail(refusal(404));
  await failed;
  panel.frame();
  panel.choose('error get');
  expect(panel.detail).toContain('Error 404: refused 404');
  expect(panel.detail).toContain('remembered 5 s more');

  const view = controller.view(get, { id: 1 });
  const release = view.retain();
  // mounts and unmounts are checked once a second
  clock.advance(1_000);
  expect(state(1)).toBe('stale Todo 1 read by 1');
  panel.choose('stale');
  panel.press('Refetch');
  expect(state(1)).toBe('in flight Todo 1 read by 1');
  await w.call().answer({ id: 1, title: 'one' });
  expect(state(1)).toBe('valid Todo 1 60 s read by 1');
  panel.press('Expire');
  await w.call().answer({ id: 1, title: 'one' });
  panel.frame();
  panel.press('Invalidate');
  expect(state(1)).toContain('invalid');
  expect(w.calls).toHaveLength(4);
  release();
});

test('[T2] the Timeline tab says why each request was sent', async () => {
  const w = world();
  const { controller, clock } = w;
  const get = w.read('get', Todo, { dataExpiryLength: 60_000, retry: 0 });
  const update = w.mutation('update', Todo);
  const panel = new OpenedPanel(controller);
  panel.open('Timeline');
  const send = async (endpoint: typeof get, response?: object) => {
    const sent = Promise.allSettled([controller.fetch(endpoint, { id: 1 })]);
    await (response === undefined ? w.call().fail(refusal(404)) : w.call().answer(response));
    await sent;
    panel.frame();
    panel.one('[role=option]:has(.answered, .failed)').click();
    panel.frame();
    return /sent because (.+?) sent \d/.exec(panel.detail)?.[1];
  };
  const todo = wholeTodo();
  expect(await send(get, todo)).toBe('no response is stored');
  expect(await send(get, todo)).toBe('a refetch of fresh data, by the application or a poll');
  clock.advance(72_000);
  expect(await send(get, todo)).toBe('the data expired 12 s ago');
  controller.expireAll(get);
  expect(await send(get, todo)).toBe('expireAll, or a mutation, expired the data');
  controller.invalidate(get, { id: 1 });
  expect(await send(get)).toBe('the data were invalidated');
  expect(await send(get, todo)).toBe('the last attempt failed');
  expect(await send(update, todo)).toBe('the application sent a mutation');
});

test('[T2] the Entities tab and the Requests tab say why a list is stale', async () => {
  const w = world();
  const { controller, clock } = w;
  const getList = w.read('getList', new Collection([Todo]), { dataExpiryLength: 60_000 });
  void controller.fetch(getList, { userId: 1 });
  await w.call().answer([wholeTodo()]);
  const panel = new OpenedPanel(controller);
  const inBothTabs = () => {
    panel.open('Requests');
    panel.choose('');
    const request = panel.detail;
    panel.press('show it', '.detail button');
    return [request, panel.detail].map((text) => /(?:because|is stale) (.+? ago)/.exec(text)?.[1]);
  };
  expect(inBothTabs()).toEqual([undefined, undefined]);
  clock.advance(65_000);
  expect(inBothTabs()).toEqual(['the data expired 5 s ago', 'the data expired 5 s ago']);
});

test('[T2] the Layers tab lists optimistic values until the mutation is confirmed', async () => {
  const w = world();
  const { controller } = w;
  await filled(w);
  const panel = new OpenedPanel(controller);
  panel.open('Layers');
  expect(panel.text).toContain('No optimistic changes.');
  const update = w.mutation('update', Todo, { getOptimisticResponse: paint });
  void controller.fetch(update, { id: 1 }, { title: 'mine' });
  const answer = w.call();
  const together = transaction(controller, async ({ fetch, set }) => {
    await set(User, { id: 7 }, { name: 'Olu' });
    await fetch(w.read('getUser', User), { id: 8 });
  });
  w.clock.advance(3_000);
  panel.frame();
  expect(panel.rows).toEqual(['#3 update Todo 1 3 s', '#4 transaction User 7']);
  panel.choose('#3');
  expect(panel.line('title')).toEqual(['title', '"one"', '"mine"']);
  panel.choose('#4');
  expect(panel.line('name')).toEqual(['name', '"Wen"', '"Olu"']);
  await answer.answer({ id: 1, title: 'mine' });
  await w.call().answer({ id: 8, name: 'Ines' });
  await together;
  panel.frame();
  expect(panel.rows).toEqual([]);
});

test('[T2] each commit in the Timeline tab names its cause, its changes and the notified readers', async () => {
  const w = world();
  const { controller } = w;
  const panel = new OpenedPanel(controller);
  const getTodos = await filled(w);
  const list = watch(controller.signal(getTodos));
  const title = watch(() => live(controller, Todo, 1).title);
  const whole = watch(controller.entity(User, 7));
  const stop = controller.view(getTodos).listen(() => {});
  panel.open('Timeline');
  panel.press('Clear');
  const update = w.mutation('update', Todo, { getOptimisticResponse: paint });
  void controller.fetch(update, { id: 1 }, { title: 'mine' });
  w.clock.advance(40);
  await w.call().answer({ id: 1, title: 'mine', done: true });
  await controller.set(User, { id: 7 }, { name: 'Wen' });
  panel.frame();
  const rows = panel.rows.map((row) => row.replace(/^[\d:.]+ /, ''));
  expect(rows).toEqual([
    'set User notified no reader',
    'answer update 1 signal notified 2',
    'optimistic update 2 signals notified 3',
    'answered update 40 ms',
  ]);
  panel.press('', '[role=option]:nth-of-type(4)');
  expect(panel.detail).toContain('why the optimistic result of a mutation in flight');
  expect(panel.line('Todo 1')).toEqual(['Todo 1', 'title', 'field title']);
  expect(panel.line(getTodos.key())).toEqual([
    getTodos.key(),
    'shows it',
    'signal data, 1 listener',
  ]);
  panel.press('update #', '.detail button');
  expect(panel.detail).toContain('took 40 ms');
  panel.press('2 records', '.detail button');
  expect(panel.detail).toContain('wrote 2 signals');
  for (const { stop } of [list, title, whole]) stop();
  stop();
});

test('[T2] the Timeline tab drops the oldest events, and records nothing while paused', async () => {
  const w = world();
  const panel = new OpenedPanel(w.controller, { most: 3 });
  panel.open('Timeline');
  const name = async (text: string) => {
    await w.controller.set(User, { id: 1 }, { name: text });
    panel.frame();
  };
  for (const text of ['a', 'b', 'c', 'd']) await name(text);
  expect(panel.rows).toHaveLength(3);
  panel.press('Pause');
  await name('e');
  w.clock.advance(2_000);
  expect(panel.rows).toHaveLength(3);
  panel.press('Record');
  expect(panel.rows[0]).toContain('nothing was recorded for 2.0 s');
  panel.press('Clear');
  expect(panel.text).toContain('No events since recording started.');
});
