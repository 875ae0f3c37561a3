// Keys that are not known yet, or change, while mutations wait for the network.
import { All } from 'signalbox';
import { expect, test } from 'vitest';
import { bare, offlineServer, Task, until } from './OfflineServer.ts';

test('[O13] a temporary key inside a body is replaced by the key of the server, also after a reload', async () => {
  const { tasks, asked, page: open } = await offlineServer();
  const first = open();
  first.page.offline = true;
  await first.controller.fetch(tasks.getList);
  first.controller.fetch(tasks.getList.push, { title: 'x' }).catch(() => {});
  const id = first.controller.getResponse(tasks.getList).data?.at(-1)?.id as number;
  const body = { title: 'y', parent: { id }, tags: [id, 'z'] };
  first.controller.fetch(tasks.getList.push, body as object).catch(() => {});
  await until(() => first.queue.pending.value.length === 2);
  first.queue.stop();
  const second = open();
  await second.queue.ready;
  await until(() => second.queue.pending.value.length === 0);
  expect(asked.map(bare)).toEqual([
    ['POST', '/tasks', { title: 'x' }],
    ['POST', '/tasks', { title: 'y', parent: { id: 101 }, tags: [101, 'z'] }],
  ]);
});

test('[N19] mutations that wait behind a change of the primary key are sent to the new key', async () => {
  const { tasks, asked, rows, page: open } = await offlineServer();
  rows.set(5, { id: 5, title: 'a' });
  const { page, controller, queue } = open();
  await controller.fetch(tasks.getList);
  page.offline = true;
  const renamed = controller.fetch(tasks.partialUpdate, { id: 5 }, { id: 50 });
  controller.fetch(tasks.partialUpdate, { id: 5 }, { title: 'b' }).catch(() => {});
  await until(() => queue.pending.value.length === 2);
  page.comeBack('reconnect');
  await renamed;
  await until(() => queue.pending.value.length === 0);
  expect(asked.map(bare)).toEqual([
    ['PATCH', '/tasks/5', { id: 50 }],
    ['PATCH', '/tasks/50', { title: 'b' }],
  ]);
});

test('[P2] a foreign key to a row with a temporary key keeps its type over a reload', async () => {
  const { tasks, asked, page: open } = await offlineServer();
  const before = open();
  before.page.offline = true;
  await before.controller.fetch(tasks.getList);
  before.controller.fetch(tasks.getList.push, { title: 'parent' }).catch(() => {});
  const [parent] = before.controller.get(new All(Task)) ?? [];
  const child = { title: 'child', parentId: parent?.id };
  before.controller.fetch(tasks.getList.push, child).catch(() => {});
  await until(() => before.queue.pending.value.length === 2);
  before.queue.stop();

  const after = open();
  after.page.offline = true;
  await after.queue.ready;
  const rows = after.controller.get(new All(Task)) as readonly (Task & { parentId?: unknown })[];
  const keyOf = (title: string) => rows.find((row) => row.title === title)?.id;
  expect(rows.find(({ title }) => title === 'child')?.parentId).toBe(keyOf('parent'));
  expect(keyOf('parent')).toBeTypeOf('number');
  // the arguments in `pending` contain the key that is shown
  expect(after.queue.pending.value[1]?.args).toMatchObject([{ parentId: keyOf('parent') }]);
  // a third mutation of the next page names the row as well
  const third = { title: 'third', parentId: keyOf('parent') };
  after.controller.fetch(tasks.getList.push, third).catch(() => {});
  await until(() => after.queue.pending.value.length === 3);
  after.page.comeBack('reconnect');
  await until(() => after.queue.pending.value.length === 0);
  expect(asked.map(({ body }) => body)).toEqual([
    { title: 'parent' },
    { title: 'child', parentId: 101 },
    { title: 'third', parentId: 101 },
  ]);
});
