// The use of the library by an app of React Native, reported as JSON: run by platform.test.ts with few globals.
import {
  Controller,
  createResource,
  Entity,
  RestEndpoint,
  live as liveOf,
  subscribe,
  optimistic,
} from 'signalbox';
import { Provider } from 'signalbox/react/native';

class User extends Entity {
  id = 0;
  name = '';
  // the Babel preset turns a static field into an assignment
  static override key = 'User';
}

class Todo extends Entity {
  id = 0;
  title = '';
  author: User | null = null;
  static override schema = { author: User };
  static override key = 'Todo';
}

class Api extends RestEndpoint {
  override urlPrefix = 'https://host';
  override getHeaders(headers: HeadersInit): HeadersInit {
    return { ...headers, 'X-From': 'app' };
  }
}

interface Search {
  q?: string;
  page?: number;
}

const TodoResource = createResource({
  path: '/todos/:id',
  schema: Todo,
  searchParams: undefined as Search | undefined,
  Endpoint: Api,
  optimistic: true,
});

type Fetch = (url: string, init: { signal?: AbortSignal }) => Promise<unknown>;

const answer = (body: unknown) => ({
  ok: true,
  status: 200,
  headers: { get: () => 'application/json' },
  text: async () => JSON.stringify(body),
});

const told = (error: unknown): string => (error as Error).name;
const quiet = (ms = 0): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function reads(controller: Controller): Promise<unknown> {
  const urls: string[] = [];
  Reflect.set(globalThis, 'fetch', (async (url) => {
    urls.push(url);
    const todo = { id: 1, title: 'one', author: { id: 2, name: 'ada' } };
    return answer(url.includes('?') ? [todo] : todo);
  }) satisfies Fetch);
  const list = await controller.fetch(TodoResource.getList, { q: 'a b', page: 2 });
  const todo = await controller.fetch(TodoResource.get, { id: 1 });
  const live = liveOf(controller, Todo, { id: 1 });
  return { urls, same: list[0] === todo, live: [live?.title, live?.author?.name] };
}

/** A form is sent unchanged; the fields cannot be read, so no value is shown before the response. */
async function sendsForm(controller: Controller): Promise<unknown> {
  Reflect.set(globalThis, 'fetch', async () => answer({ id: 3, title: 'sent' }));
  const created = controller.fetch(TodoResource.getList.push, new FormData() as never);
  return (await created).title;
}

/** A request without callers leaves no trace, though the signal gives no reason. */
async function givesUp(controller: Controller): Promise<unknown> {
  const aborted: string[] = [];
  Reflect.set(
    globalThis,
    'fetch',
    ((url, { signal }) =>
      new Promise((_, reject) => {
        signal?.addEventListener('abort', () => {
          aborted.push(url);
          reject(Object.assign(new Error('Aborted'), { name: 'AbortError' }));
        });
      })) satisfies Fetch,
  );
  const abort = new AbortController();
  const events: string[] = [];
  controller.on('abort', ({ reason }) => events.push(told(reason)));
  controller.on('error', () => events.push('error'));
  const left = TodoResource.get.extend({ signal: abort.signal });
  const read = controller.fetch(left, { id: 7 }).catch(told);
  await quiet();
  abort.abort();
  const edit = TodoResource.partialUpdate.extend({ signal: abort.signal });
  const write = controller.fetch(edit, { id: 1 }, { title: 'never' }).catch(told);
  const late = await controller
    .fetch(TodoResource.get.extend({ timeout: 1, retry: 0 }), { id: 8 })
    .catch(told);
  return {
    reads: [await read, await write, late],
    aborted,
    events,
    error: controller.getError(left, { id: 7 }) ?? 'none',
    title: controller.get(Todo, { id: 1 })?.title,
  };
}

/** Polling that ends while a request is in flight: the library itself reports that no caller waits. */
async function stopsPolling(): Promise<unknown> {
  const controller = new Controller({ optimistic });
  const reasons: string[] = [];
  controller.on('abort', ({ reason }) => reasons.push(told(reason)));
  Reflect.set(globalThis, 'fetch', (() => new Promise(() => {})) satisfies Fetch);
  const stop = subscribe(controller, TodoResource.get.extend({ pollFrequency: 1 }), { id: 9 });
  await quiet(20);
  stop();
  await quiet();
  return reasons;
}

export async function run(): Promise<string> {
  const controller = new Controller({ optimistic });
  const report = {
    provider: typeof Provider,
    reads: await reads(controller),
    form: await sendsForm(controller),
    gaveUp: await givesUp(controller),
    polled: await stopsPolling(),
  };
  controller.reset();
  await quiet();
  return JSON.stringify(report);
}
