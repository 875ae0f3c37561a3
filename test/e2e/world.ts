// A small REST server on a real json-server, one per test file; requests are counted.
import { Controller, createResource, Entity, optimistic } from 'signalbox';
import { afterAll, beforeAll, beforeEach, vi, type MockInstance } from 'vitest';
import { startJsonServer, type JsonServer } from '../../examples/demo/jsonServer.ts';

export class Todo extends Entity {
  id = 0;
  title = '';
  done = false;
  userId = 0;
}

export const rows: readonly Partial<Todo>[] = [
  { id: 1, title: 'oil the points', done: false, userId: 1 },
  { id: 2, title: 'trim the lamp', done: true, userId: 1 },
  { id: 3, title: 'log the goods', done: false, userId: 2 },
];

interface World {
  readonly url: string;
  /** New for each test. */
  readonly controller: Controller;
  readonly todos: ReturnType<typeof todosAt>;
  /** `GET /todos` for each request since the test began. */
  readonly sent: readonly string[];
  /** The rows of the server, fetched without the library. */
  readonly stored: (path: string) => Promise<unknown>;
}

const todosAt = (urlPrefix: string) =>
  createResource({ path: '/todos/:id', schema: Todo, urlPrefix });

/** Called once, at the top of a test file. At the start of each test the database has the initial rows. */
export function world(): World {
  let server: JsonServer;
  let controller: Controller;
  let fetched: MockInstance<typeof fetch>;
  const plainFetch = fetch;
  beforeAll(async () => {
    server = await startJsonServer({ todos: [] });
  });
  afterAll(() => server?.close());
  beforeEach(async () => {
    await refill(server.url, plainFetch);
    // the tests concern failures, not retries, which would take seconds
    controller = new Controller({ optimistic, retry: 0 });
    fetched = vi.spyOn(globalThis, 'fetch');
  });
  return {
    get url() {
      return server.url;
    },
    get controller() {
      return controller;
    },
    get todos() {
      return todosAt(server.url);
    },
    get sent() {
      return fetched.mock.calls.map(
        ([url, init]) => `${init?.method} ${String(url).slice(server.url.length)}`,
      );
    },
    stored: async (path) => (await plainFetch(server.url + path)).json(),
  };
}

async function refill(url: string, send: typeof fetch): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const present = (await (await send(`${url}/todos`)).json()) as { id: number }[];
  for (const { id } of present) await send(`${url}/todos/${id}`, { method: 'DELETE' });
  for (const row of rows) {
    await send(`${url}/todos`, { method: 'POST', headers, body: JSON.stringify(row) });
  }
}
