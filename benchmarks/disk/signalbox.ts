/** `persist` of this library: rows in chunks, decoded when they are looked up. */
import { Controller, createResource, Entity } from '../../src/index.ts';
import { persist } from '../../src/persist/persist.ts';
import { bytesOf, costOf } from './rows.ts';
import type { Kept } from './rows.ts';

class Todo extends Entity {
  id = 0;
  userId = 0;
  title = '';
  body = '';
  completed = false;
}
const todo = createResource({ path: '/todos/:id', schema: Todo });
const controller = new Controller({ dataExpiryLength: 3_600_000 });
const begin = () => persist(controller, { names: { todo } });
let kept: ReturnType<typeof begin> | undefined;

export const library: Kept = {
  store: (rows) => costOf(async () => controller.setResponse(todo.getList, {}, rows)),
  async save(rows) {
    kept = begin();
    await kept.ready;
    await controller.setResponse(todo.getList, {}, rows);
    return costOf(() => kept?.flush() ?? Promise.resolve());
  },
  start: () =>
    costOf(async () => {
      kept = begin();
      await kept.ready;
    }),
  readOne: () => costOf(async () => controller.get(Todo, { id: 40_000 })?.title),
  readAll: () => costOf(async () => controller.getResponse(todo.getList, {}).data?.length),
  change: () =>
    bytesOf(async () => {
      await controller.set(Todo, { id: 25_000 }, { title: 'changed' });
    }),
  refetch: (rows) =>
    bytesOf(async () => {
      await controller.setResponse(todo.getList, {}, rows);
    }),
};
