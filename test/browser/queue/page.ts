// Runs in the page: a controller with an offline queue. Options are in the address: ?version=2&merge&owner=ada&tabs
import {
  All,
  Controller,
  createResource,
  Entity,
  httpCache,
  NetworkError,
  RestEndpoint,
  optimistic,
} from 'signalbox';
import type { RestGenerics } from 'signalbox';
import { offline } from 'signalbox/offline';
import { connectTabs } from 'signalbox/tabs';

class Task extends Entity {
  id = 0;
  title = '';
  parentId: number | null = null;
}

const query = new URLSearchParams(location.search);
const session = { token: 'first' };

/** As in the guide to authentication: a refused request refreshes the token and is sent once more. */
class RefreshingEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
  override getHeaders(given: HeadersInit): HeadersInit {
    const headers = new Headers(given);
    headers.set('Authorization', `Bearer ${session.token}`);
    return headers;
  }
  override async fetchResponse(input: RequestInfo | URL, init: RequestInit = {}) {
    try {
      return await super.fetchResponse(input, init);
    } catch (error) {
      if (!(error instanceof NetworkError) || error.status !== 401) throw error;
      const response = await fetch('/refresh', { method: 'POST' });
      if (!response.ok) throw error;
      session.token = 'second';
      return super.fetchResponse(input, { ...init, headers: this.getHeaders(init.headers ?? {}) });
    }
  }
}

const task = createResource({
  path: '/tasks/:id',
  schema: Task,
  optimistic: true,
  http: httpCache,
  Endpoint: RefreshingEndpoint,
});
const controller = new Controller({ optimistic });
const owner = query.get('owner') ?? undefined;
if (query.has('tabs')) connectTabs(controller, { names: { task }, owner });
const events: string[] = [];
const queue = offline(controller, {
  names: { task },
  owner,
  version: query.get('version') ?? '1',
  merge: query.has('merge'),
  ifMatch: true,
  migrate: ({ name, args: [params, body] }) =>
    query.has('migrates')
      ? { name, args: [params, { ...(body as object), migrated: true }] }
      : undefined,
  onConflict: ({ args: [params] }, _error, server) => ({
    args: [params, { title: `${(server as Task).title} and mine` }],
  }),
});
for (const event of ['hold', 'resume', 'aside', 'drop'] as const)
  queue.on(event, () => events.push(event));
const quiet = (promise: Promise<unknown>) => void promise.catch(() => {});
const rows = () => controller.get(new All(Task)) ?? [];

/** The functions for the test. */
export interface Play {
  read(id: number): Promise<string>;
  rename(id: number, title: string): void;
  renameAll(count: number): void;
  make(title: string, under?: string): void;
  remove(title: string): void;
  retry(): void;
  /** Ends the session of this page and of the connected pages. */
  logOut(how: 'keeps' | 'removes'): void;
  /** Wall time is another by this many ms; timers go on. */
  stepClock(ms: number): void;
  look(): Promise<{
    readonly waiting: number;
    readonly held: number;
    readonly failed: number;
    readonly events: readonly string[];
    /** The titles of tasks, each with the title of the parent task. */
    readonly tasks: readonly string[];
  }>;
}

const play: Play = {
  read: async (id) => (await controller.fetch(task.get, { id })).title,
  rename: (id, title) => quiet(controller.fetch(task.partialUpdate, { id }, { title })),
  renameAll(count) {
    for (let id = 1; id <= count; id++) play.rename(id, 'b');
  },
  make(title, under) {
    const parentId = rows().find((row) => row.title === under)?.id ?? null;
    quiet(controller.fetch(task.create, { title, parentId }));
  },
  remove(title) {
    const id = rows().find((row) => row.title === title)?.id ?? 0;
    quiet(controller.fetch(task.delete, { id }));
  },
  retry: () => void queue.retry(),
  logOut(how) {
    if (how === 'keeps') queue.stop();
    controller.reset();
  },
  stepClock(ms) {
    const now = Date.now.bind(Date);
    Date.now = () => now() + ms;
  },
  async look() {
    await queue.ready;
    const all = queue.pending.value;
    const titleOf = (row: Task) => {
      const parent = rows().find(({ id }) => id === row.parentId);
      return parent === undefined ? row.title : `${row.title} under ${parent.title}`;
    };
    return {
      waiting: all.length,
      held: all.filter(({ held }) => held).length,
      failed: all.filter(({ error }) => error !== undefined).length,
      events,
      tasks: rows().map(titleOf).sort(),
    };
  },
};
Object.assign(globalThis, { play });
