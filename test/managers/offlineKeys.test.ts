// Keys that are not known yet, or change, while mutations wait for the network.
import { expect, test } from 'vitest';
import { bare, depot, until } from './Depot.ts';

test('[O13] a temporary key inside of a body goes to the true one, also after a reload', async () => {
  const { tasks, asked, page: open } = await depot();
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

test('[N19] what waits behind a change of the key is sent with the new one', async () => {
  const { tasks, asked, rows, page: open } = await depot();
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
