// A resource with optimistic mutations against a real json-server.
import { createResource } from 'signalbox';
import { expect, test } from 'vitest';
import { Todo, world } from './world.ts';

const w = world();

function stage() {
  const { controller, url } = w;
  const todos = createResource({
    path: '/todos/:id',
    schema: Todo,
    urlPrefix: url,
    optimistic: true,
  });
  const titles = () => controller.getResponse(todos.getList).data?.map(({ title }) => title);
  return { controller, todos, titles };
}

test('[M5] updates, deletions and creations are shown before the response, and stay after the response', async () => {
  const { controller, todos, titles } = stage();
  await controller.fetch(todos.getList);
  const sent = [
    controller.fetch(todos.partialUpdate, { id: 1 }, { title: 'OIL' }),
    controller.fetch(todos.update, { id: 2 }, { title: 'TRIM' }),
    controller.fetch(todos.delete, { id: 3 }),
    controller.fetch(todos.create, { title: 'NEW' }),
  ];
  const shown = ['OIL', 'TRIM', 'NEW'];
  expect(titles()).toEqual(shown);
  await Promise.all(sent);
  expect(titles()).toEqual(shown);
  await controller.fetch(todos.getList);
  expect(titles()).toEqual(shown);
  // the server gives the key of a deleted row again, where the deletion came first
  const created = controller.getResponse(todos.getList).data?.at(-1);
  expect([3, 4]).toContain(created?.id);
});

test('[M5] an update of a row whose creation is in flight is sent with the key from the server', async () => {
  const { controller, todos, titles } = stage();
  await controller.fetch(todos.getList);
  const created = controller.fetch(todos.create, { title: 'new' });
  const id = controller.getResponse(todos.getList).data?.at(-1)?.id as number;
  const changed = controller.fetch(todos.partialUpdate, { id }, { title: 'renamed' });
  expect(titles()?.at(-1)).toBe('renamed');
  await Promise.all([created, changed]);
  expect(w.sent.slice(1)).toEqual(['POST /todos', 'PATCH /todos/4']);
  expect(await w.stored('/todos/4')).toMatchObject({ title: 'renamed' });
  expect(titles()?.at(-1)).toBe('renamed');
});

test('[O14] an optimistic update of an unknown row shows nothing, also after the server rejects the update', async () => {
  const { controller, todos, titles } = stage();
  await controller.fetch(todos.getList);
  const before = titles();
  const gone = controller.fetch(todos.partialUpdate, { id: 99 }, { title: 'nobody' });
  expect(controller.get(Todo, { id: 99 })).toBeUndefined();
  await expect(gone).rejects.toMatchObject({ status: 404 });
  expect(controller.get(Todo, { id: 99 })).toBeUndefined();
  expect(titles()).toEqual(before);
});
