import { expect, test } from 'vitest';
import { rows, Todo, world } from './world.ts';

const w = world();

test('[M1] getList and get read the data of a real server', async () => {
  const { controller, todos } = w;
  const list = await controller.fetch(todos.getList);
  expect(list).toEqual(rows);
  expect(list[0]).toBeInstanceOf(Todo);
  const todo = await controller.fetch(todos.get, { id: 3 });
  expect(todo).toBe(list[2]);
  expect(w.sent).toEqual(['GET /todos', 'GET /todos/3']);
});

test('[M1] create, update, partialUpdate and delete change the database and the store equally', async () => {
  const { controller, todos, stored } = w;
  await controller.fetch(todos.getList);
  const made = await controller.fetch(todos.create, { title: 'ring Ashdown', userId: 2 });
  const { id } = made;
  expect(await stored(`/todos/${id}`)).toEqual({ id, title: 'ring Ashdown', userId: 2 });

  await controller.fetch(todos.partialUpdate, { id }, { done: true });
  const patched = { id, title: 'ring Ashdown', userId: 2, done: true };
  expect(await stored(`/todos/${id}`)).toEqual(patched);
  expect(controller.get(Todo, { id })).toEqual(patched);

  const whole = { id, title: 'ring again', userId: 1, done: false };
  await controller.fetch(todos.update, { id }, whole);
  expect(await stored(`/todos/${id}`)).toEqual(whole);
  expect(controller.get(Todo, { id })).toEqual(whole);

  await controller.fetch(todos.delete, { id });
  expect(await stored('/todos')).toEqual(rows);
  expect(controller.getResponse(todos.getList).data).toEqual(rows);
  expect(w.sent).toEqual([
    'GET /todos',
    'POST /todos',
    `PATCH /todos/${id}`,
    `PUT /todos/${id}`,
    `DELETE /todos/${id}`,
  ]);
});

test('[M1] a body with quotes, line breaks and Unicode characters is stored and read unchanged', async () => {
  const { controller, todos, stored } = w;
  const title = 'Tomás said: "Größe \\ 線路"\n\t</script> \u2028 🚂';
  const { id } = await controller.fetch(todos.create, { title });
  expect(await stored(`/todos/${id}`)).toMatchObject({ title });
  const again = await controller.fetch(todos.get, { id });
  expect(again.title).toBe(title);
});

test('[M4] delete resolves with the params if the server responds with {}, and the todo is deleted', async () => {
  const { controller, todos, stored } = w;
  await controller.fetch(todos.getList);
  await expect(controller.fetch(todos.delete, { id: 2 })).resolves.toEqual({ id: 2 });
  expect(controller.get(Todo, { id: 2 })).toBeUndefined();
  expect(await stored('/todos')).toEqual([rows[0], rows[2]]);
});

test('[F1] concurrent reads of a key share one request and one result', async () => {
  const { controller, todos } = w;
  const asked = Array.from({ length: 10 }, () => controller.fetch(todos.getList));
  const answers = await Promise.all(asked);
  expect(new Set(answers).size).toBe(1);
  expect(w.sent).toEqual(['GET /todos']);
});

test('[F1] each key has its own request', async () => {
  const { controller, todos } = w;
  await Promise.all([
    controller.fetch(todos.get, { id: 1 }),
    controller.fetch(todos.get, { id: '1' }),
    controller.fetch(todos.get, { id: 2 }),
    controller.fetch(todos.getList),
    controller.fetch(todos.getList, { userId: 1 }),
  ]);
  expect([...w.sent].sort()).toEqual([
    'GET /todos',
    'GET /todos/1',
    'GET /todos/2',
    'GET /todos?userId=1',
  ]);
});

test('[F1] two mutations with the same body are both sent', async () => {
  const { controller, todos, stored } = w;
  const body = { title: 'twice' };
  const made = await Promise.all([1, 2].map(() => controller.fetch(todos.create, body)));
  expect(made[0]?.id).not.toBe(made[1]?.id);
  expect(await stored('/todos')).toHaveLength(rows.length + 2);
});

test('[F5] a detail that a list contains is read without a request', async () => {
  const { controller, todos } = w;
  const list = await controller.fetch(todos.getList);
  await expect(controller.fetchIfStale(todos.get, { id: 2 })).resolves.toBe(list[1]);
  expect(w.sent).toEqual(['GET /todos']);
});
