import 'fake-indexeddb/auto';
import { Controller, Delete, createResource } from 'signalbox';
import { persist } from 'signalbox/persist';
import { expect, test } from 'vitest';
import { Article, settled, StoppedClock, Todo, User, world } from '../setup/world.ts';

test('[P1] smoke', async () => {
  const w = world();
  const TodoResource = createResource({ path: '/todos/:id', schema: Todo });
  const rows = [{ id: 1, title: 'a', author: { id: 3, name: 'x' } }, { id: 2, title: 'b' }];
  const first = persist(w.controller, { names: { todo: TodoResource }, name: 'smoke' });
  await first.ready;
  await w.controller.setResponse(TodoResource.getList, {}, rows);
  await w.controller.setResponse(TodoResource.get, { id: 7 }, { id: 7, title: 'c' });
  await w.controller.set(TodoResource.getList.push.schema, { id: 9, title: 'pushed' });
  await first.flush();
  const second = new Controller({ clock: w.clock });
  const kept = persist(second, { names: { todo: TodoResource }, name: 'smoke' });
  await kept.ready;
  expect(second.getResponse(TodoResource.getList)).toEqual(w.controller.getResponse(TodoResource.getList));
  expect(second.getResponse(TodoResource.getList).data).toHaveLength(3);
  expect(second.getResponse(TodoResource.get, { id: 7 })).toEqual(w.controller.getResponse(TodoResource.get, { id: 7 }));
  expect(second.getResponse(TodoResource.get, { id: 1 })).toEqual(w.controller.getResponse(TodoResource.get, { id: 1 }));
  expect(second.view(TodoResource.getList).freshness()).toBe('valid');
});
