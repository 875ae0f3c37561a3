import { createResource, NetworkError } from 'signalbox';
import { expect, test } from 'vitest';
import { startJsonServer } from '../../examples/demo/jsonServer.ts';
import { rows, Todo, world } from './world.ts';

const w = world();

const failureOf = async (promise: Promise<unknown>): Promise<NetworkError> => {
  const error: unknown = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(NetworkError);
  return error as NetworkError;
};

test('[R6] a missing todo is a NetworkError with the status, the method, the url and the body', async () => {
  const { controller, todos, url } = w;
  const error = await failureOf(controller.fetch(todos.get, { id: 404 }));
  expect(error).toMatchObject({
    status: 404,
    code: 'R7',
    method: 'GET',
    url: `${url}/todos/404`,
    body: {},
  });
  expect(error.response?.status).toBe(404);
  expect(controller.getError(todos.get, { id: 404 })).toBe(error);
  expect(controller.get(Todo, { id: 404 })).toBeUndefined();
});

test('[R6] an error of the server is a NetworkError with its status, and changes nothing', async () => {
  const { controller, todos } = w;
  const list = await controller.fetch(todos.getList);
  // json-server fails on a primary key that is taken
  const error = await failureOf(controller.fetch(todos.create, { id: 1, title: 'taken' }));
  expect(error).toMatchObject({ status: 500, code: 'R7', method: 'POST' });
  expect(error.body).toMatch(/duplicate id/);
  expect(controller.getResponse(todos.getList).data).toBe(list);
});

test('[R6] a change of a deleted row is rejected, and leaves the data of other readers', async () => {
  const { controller, todos } = w;
  const list = await controller.fetch(todos.getList);
  const refused = await Promise.all(
    [
      controller.fetch(todos.partialUpdate, { id: 9 }, { done: true }),
      controller.fetch(todos.update, { id: 9 }, { title: 'x' }),
      controller.fetch(todos.delete, { id: 9 }),
    ].map(failureOf),
  );
  for (const error of refused) expect(error).toMatchObject({ status: 404, code: 'R7' });
  expect(controller.getResponse(todos.getList).data).toBe(list);
});

test('[R6] an HTML page in place of JSON is an error with status 404 and the body of the response', async () => {
  const { controller, url } = w;
  // json-server serves a home page there
  const pages = createResource({ path: '/:id', schema: Todo, urlPrefix: url });
  const error = await failureOf(controller.fetch(pages.get, { id: 'index.html' }));
  expect(error).toMatchObject({ status: 404, code: 'R5' });
  expect(error.message).toContain('text/html');
  expect(error.body).toMatch(/<html/);
  expect(error.response?.status).toBe(200);
});

test('[R6] an unreachable server is an error with status 500 and its cause, and stored data stay', async () => {
  const { controller } = w;
  const server = await startJsonServer({ todos: rows });
  const todos = createResource({ path: '/todos/:id', schema: Todo, urlPrefix: server.url });
  const list = await controller.fetch(todos.getList);
  await server.close();
  const error = await failureOf(controller.fetch(todos.getList));
  expect(error).toMatchObject({ status: 500, code: 'R8' });
  expect(error.cause).toBeInstanceOf(Error);
  expect(error.response).toBeUndefined();
  expect(controller.getResponse(todos.getList).data).toBe(list);
});

test('[F1] a failed request is not shared: a later read sends another request', async () => {
  const { controller, todos } = w;
  await failureOf(controller.fetch(todos.get, { id: 4 }));
  await controller.fetch(todos.create, { id: 4, title: 'now there' });
  await expect(controller.fetch(todos.get, { id: 4 })).resolves.toMatchObject({
    title: 'now there',
  });
  expect(controller.getError(todos.get, { id: 4 })).toBeUndefined();
  expect(w.sent).toEqual(['GET /todos/4', 'POST /todos', 'GET /todos/4']);
});
