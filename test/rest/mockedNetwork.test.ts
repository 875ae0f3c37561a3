// Under Mock Service Worker: each request uses the current global fetch.
import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { Controller, createResource } from 'signalbox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Todo } from '../setup/samples.ts';

const todos = createResource({ urlPrefix: 'http://api.test', path: '/todos/:id', schema: Todo });

const network = setupServer(
  http.get('http://api.test/todos/:id', ({ params }) =>
    params['id'] === '9'
      ? HttpResponse.json({ reason: 'gone' }, { status: 410 })
      : HttpResponse.json({ id: Number(params['id']), title: 'mocked' }),
  ),
  http.patch('http://api.test/todos/:id', async ({ params, request }) =>
    HttpResponse.json({ id: Number(params['id']), ...((await request.json()) as object) }),
  ),
);

beforeAll(() => network.listen({ onUnhandledRequest: 'error' }));
afterAll(() => network.close());

test('[R6] a response of Mock Service Worker is stored', async () => {
  const controller = new Controller();
  const todo = await controller.fetch(todos.get, { id: 1 });
  expect(todo).toMatchObject({ id: 1, title: 'mocked' });
  await controller.fetch(todos.partialUpdate, { id: 1 }, { title: 'patched' });
  expect(controller.signal(todos.get, { id: 1 }).value?.title).toBe('patched');
});

test('[R6] an error response of Mock Service Worker rejects with its status and body', async () => {
  const refusal = new Controller().fetch(todos.get, { id: 9 });
  await expect(refusal).rejects.toMatchObject({
    code: 'R7',
    status: 410,
    body: { reason: 'gone' },
  });
});
