// A todo list in pure Data Client style runs with the imports of signalbox/data-client alone.
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { App, LoggingManager, StreamManager } from './TodoApp.tsx';

let rows: Record<string, unknown>[] = [];
const requests: string[] = [];

const network = setupServer(
  http.get('http://api.test/todos', () => HttpResponse.json(rows)),
  http.post('http://api.test/todos', async ({ request }) => {
    const row = { id: 9, completed: false, ...((await request.json()) as object) };
    rows.push(row);
    return HttpResponse.json(row);
  }),
  http.patch('http://api.test/todos/:id', async ({ params, request }) =>
    HttpResponse.json({ id: Number(params['id']), ...((await request.json()) as object) }),
  ),
  http.delete('http://api.test/todos/:id', () => new HttpResponse(null, { status: 204 })),
  http.get('http://api.test/settings', () => HttpResponse.json({ results: [], link: 'x' })),
);

beforeAll(() => {
  network.listen({ onUnhandledRequest: 'error' });
  network.events.on('request:start', ({ request }) => {
    requests.push(`${request.method} ${new URL(request.url).pathname}`);
  });
});
afterAll(() => network.close());
afterEach(() => {
  network.resetHandlers();
  requests.length = 0;
  vi.restoreAllMocks();
});

const todo = (id: number, title: string) => ({ id, title, userId: 1, completed: false });

test('[T5] a todo list of Data Client reads, changes, creates and deletes with its managers', async () => {
  rows = [todo(1, 'milk'), todo(2, 'bread')];
  const logging = new LoggingManager();
  const stream = new StreamManager();
  const { unmount } = render(<App managers={[logging, stream]} />);
  expect(screen.getByText('settings: {"link":""}')).toBeTruthy();
  await screen.findByText('2 tasks remaining');
  await screen.findByText('settings: 0');
  fireEvent.click(screen.getByLabelText('milk'));
  await screen.findByText('1 tasks remaining');
  fireEvent.submit(screen.getByRole('form'));
  await screen.findByText('tea');
  await screen.findByText('2 tasks remaining');
  fireEvent.click(screen.getByText('delete bread'));
  await waitFor(() => expect(screen.queryByText('bread')).toBeNull());
  await stream.push({ id: 1, title: 'oat milk' });
  await screen.findByText('oat milk');
  expect(stream.started).toBe(1);
  expect(requests.sort()).toEqual(
    ['GET /todos', 'GET /settings', 'PATCH /todos/1', 'POST /todos', 'DELETE /todos/2'].sort(),
  );
  unmount();
  expect(logging.log.at(-1)).toBe('cleanup');
});

test('[T5] a manager sees each action before and after the store has changed', async () => {
  rows = [todo(1, 'milk')];
  const logging = new LoggingManager();
  render(<App managers={[logging]} />);
  await screen.findByText('1 tasks remaining');
  await screen.findByText('settings: 0');
  const { log } = logging;
  expect(log.slice(0, 2)).toEqual(['before rdc/fetch', 'before rdc/fetch']);
  expect(log.filter((line) => line.startsWith('after rdc/fetch'))).toEqual([
    'after rdc/fetch: 0',
    'after rdc/fetch: 0',
  ]);
  expect(log.filter((line) => line.startsWith('before rdc/setresponse')).length).toBe(2);
  await waitFor(() => expect(log).toContain('after rdc/setresponse: 1'));
});

test('[T5] a response with status 401 calls onLogout once, and the list is refetched', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  network.use(http.get('http://api.test/todos', () => HttpResponse.json({}, { status: 401 })));
  const onLogout = vi.fn(() => {
    rows = [todo(1, 'milk')];
    network.resetHandlers();
  });
  render(<App onLogout={onLogout} />);
  await waitFor(() => expect(onLogout).toHaveBeenCalledOnce());
  await screen.findByText('1 tasks remaining');
  expect(requests.filter((line) => line === 'GET /todos').length).toBe(2);
});

test('[T5] requests are not retried', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  network.use(http.get('http://api.test/todos', () => HttpResponse.json({}, { status: 503 })));
  render(<App />);
  await screen.findByText('failed 503');
  expect(requests.filter((line) => line === 'GET /todos').length).toBe(1);
});
