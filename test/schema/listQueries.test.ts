// Endpoints that read a list with fixed search params.
import { expect, test } from 'vitest';
import { Collection, Controller, createResource, Entity, optimistic } from 'signalbox';

class Todo extends Entity {
  id = 0;
  title = '';
  done = false;
}

/** The list of a resource, with `?_expand=user`; and another list with `?kind=old`. */
function world() {
  const todos = createResource({
    path: '/todos/:id',
    schema: Todo,
    optimistic: true,
    searchParams: undefined as { done?: boolean } | undefined,
    fetchResponse: () => new Promise<Response>(() => {}),
  });
  return todos.extend({
    getList: { path: '/todos?_expand=user' },
    getOld: { path: '/todos?kind=old', schema: new Collection([Todo]) },
    partialUpdate: { schema: todos.getList.schema.move },
  });
}

test('[N14] creations and moves change lists that are read with fixed search params, but not another Collection', () => {
  const { getList, getOld, create, partialUpdate } = world();
  const controller = new Controller({ optimistic });
  const titlesOf = (params: { done?: boolean }) =>
    controller.getResponse(getList, params).data?.map(({ title }) => title);
  void controller.setResponse(getList, {}, [{ id: 1, title: 'a', done: false }]);
  void controller.setResponse(getList, { done: true }, []);
  void controller.setResponse(getOld, []);
  void controller.fetch(create, { title: 'b', done: false });
  expect([titlesOf({}), titlesOf({ done: true })]).toEqual([['a', 'b'], []]);
  void controller.fetch(partialUpdate, { id: 1 }, { done: true });
  expect([titlesOf({}), titlesOf({ done: true })]).toEqual([['a', 'b'], ['a']]);
  expect(controller.getResponse(getOld).data).toEqual([]);
});
