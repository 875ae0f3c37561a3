// Runs in a tab that shares requests and a stream with the other tabs.
import { Controller, createResource, Entity, RestEndpoint, subscribe } from 'signalbox';
import type { RestGenerics } from 'signalbox';
import { connectEventSource } from 'signalbox/streams';
import { connectTabs, shareConnection, shareRequests } from 'signalbox/tabs';

class Todo extends Entity {
  id = 0;
  title = '';
  static override key = 'Todo';
}

const todos = createResource({ path: '/todos/:id', schema: Todo });
/** Bypasses the browser cache, which waits up to 20 s for the response to another tab. */
class UncachedEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
  override async getRequestInit(body?: unknown) {
    return { ...(await super.getRequestInit(body)), cache: 'no-store' as const };
  }
}
const { get: slow } = createResource({
  path: '/slow/:id',
  schema: Todo,
  Endpoint: UncachedEndpoint,
});
const options = new URLSearchParams(location.search);
const controller = new Controller();
connectTabs(controller, {
  names: { todos, slow },
  version: options.get('version') ?? undefined,
  share: shareRequests,
});
const quiet = (promise: Promise<unknown>) => void promise.catch(() => {});
for (const id of [1, 2]) quiet(controller.fetchIfStale(todos.get, { id }));
quiet(controller.fetchIfStale(todos.getList));
if (options.has('polls'))
  subscribe(controller, todos.get.extend({ pollFrequency: 1_000 }), { id: 9 });
const stream = options.has('streams')
  ? connectEventSource<{ id: number; title: string }>(controller, '/events', {
      receive: (todo, { set }) => set(Todo, { id: todo.id }, todo),
      catchUp: false,
      backoff: { first: 50, most: 500 },
      share: shareConnection,
    })
  : undefined;

/** The functions for the test. */
export interface Tab {
  slow(): void;
  logOut(): void;
  /** `reads`: how many calls of `slow` have no response yet; a later call joins their request. */
  look(): {
    todos: string[];
    slow: string;
    reads: number;
    pushed: string;
    stream: string | undefined;
  };
}

let reads = 0;

const tab: Tab = {
  slow: () => {
    reads++;
    quiet(controller.fetch(slow, { id: 5 }).finally(() => reads--));
  },
  logOut: () => controller.reset(),
  look: () => ({
    todos: (controller.getResponse(todos.getList).data ?? []).map(({ title }) => title),
    slow: controller.get(Todo, { id: 5 })?.title ?? '',
    reads,
    pushed: controller.get(Todo, { id: 7 })?.title ?? '',
    stream: stream?.status.value,
  }),
};
Object.assign(globalThis, { tab });
