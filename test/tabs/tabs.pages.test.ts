// Lists in pages in two tabs, which load and refetch pages at the same time.
import { Controller, createResource, Entity, RestEndpoint } from 'signalbox';
import type { RestGenerics } from 'signalbox';
import { connectTabs } from 'signalbox/tabs';
import { expect, onTestFinished, test, vi } from 'vitest';
import { settled } from '../setup/world.ts';
import { MessageBus } from '../sync/MessageBus.ts';

class Task extends Entity {
  id = 0;
}

/** Tabs that read pages of two of eight tasks. `hold` keeps the responses of a page back. */
function world() {
  const rows = [1, 2, 3, 4, 5, 6, 7, 8].map((id) => ({ id }));
  const held = new Map<number, Promise<void>>();
  class PagesEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
    override async fetchResponse(input: RequestInfo | URL): Promise<Response> {
      const page = Number(new URL(String(input)).searchParams.get('page') ?? 1);
      const found = rows.slice(page * 2 - 2, page * 2);
      await held.get(page);
      return Response.json(found);
    }
  }
  const tasks = createResource({
    urlPrefix: 'http://tabs.test',
    path: '/tasks/:id',
    schema: Task,
    Endpoint: PagesEndpoint,
    paginationField: 'page',
  });
  const bus = new MessageBus();
  const open = () => {
    const tab = new Controller();
    onTestFinished(connectTabs(tab, { names: { tasks }, channel: bus.channel() }));
    return tab;
  };
  return {
    rows,
    tasks,
    open,
    deliver: async () => {
      for (await settled(); bus.waiting > 0; await settled()) bus.deliver(0);
    },
    hold: (page: number) => {
      let release!: () => void;
      held.set(page, new Promise((resolve) => (release = resolve)));
      return () => {
        held.delete(page);
        release();
      };
    },
    shownIn: (tab: Controller) =>
      tab
        .getResponse(tasks.getList)
        .data?.map(({ id }) => id)
        .join(''),
  };
}

test('[N22] pages that one tab has refetched replace no list to which another tab has added a page meanwhile', async () => {
  const { tasks, open, deliver, hold, shownIn } = world();
  const [first, second] = [open(), open()];
  await first.fetch(tasks.getList);
  await first.fetch(tasks.getList.getPage, { page: 2 });
  await deliver();
  const release = hold(2);
  const refetched = first.fetch(tasks.getList);
  await settled();
  await second.fetch(tasks.getList.getPage, { page: 3 });
  release();
  await refetched;
  await deliver();
  expect([first, second].map(shownIn)).toEqual(['123456', '123456']);
  await first.fetch(tasks.getList.getPage, { page: 4 });
  await deliver();
  expect([first, second].map(shownIn)).toEqual(['12345678', '12345678']);
});

test('[N22] a tab with fewer pages shows no page of another tab behind a gap', async () => {
  const { tasks, open, deliver, shownIn } = world();
  const first = open();
  await first.fetch(tasks.getList);
  await first.fetch(tasks.getList.getPage, { page: 2 });
  await deliver();
  const second = open();
  await second.fetch(tasks.getList);
  await deliver();
  await first.fetch(tasks.getList.getPage, { page: 3 });
  await deliver();
  expect([first, second].map(shownIn)).toEqual(['123456', '12']);
  await second.fetch(tasks.getList.getPage, { page: 2 });
  await second.fetch(tasks.getList.getPage, { page: 3 });
  await deliver();
  expect([first, second].map(shownIn)).toEqual(['123456', '123456']);
});

test('[N22] a tab that has not loaded the list takes no later page of it', async () => {
  const { tasks, open, deliver, shownIn } = world();
  const first = open();
  await first.fetch(tasks.getList);
  await deliver();
  const second = open();
  await first.fetch(tasks.getList.getPage, { page: 2 });
  await first.fetch(tasks.getList.getPage, { page: 3 });
  await deliver();
  await second.fetch(tasks.getList);
  expect(shownIn(second)).toBe('12');
});

test('[N22] a page that another tab requested before a creation is not added to pages requested after it', async () => {
  const { rows, tasks, open, deliver, hold, shownIn } = world();
  const [first, second] = [open(), open()];
  await first.fetch(tasks.getList);
  await first.fetch(tasks.getList.getPage, { page: 2 });
  await deliver();
  const release = hold(3);
  const third = second.fetch(tasks.getList.getPage, { page: 3 });
  await settled();
  rows.unshift({ id: 9 });
  await first.set(tasks.getList.unshift.schema, { id: 9 }, { id: 9 });
  await first.fetch(tasks.getList);
  release();
  await third;
  await deliver();
  expect(shownIn(first)).toBe('9123');
  await second.fetch(tasks.getList);
  await deliver();
  expect([first, second].map(shownIn)).toEqual(['912345', '912345']);
});

test('[N22] a first page that another tab has refetched is requested as the list itself, also if a row comes meanwhile', async () => {
  const { rows, tasks, open, deliver, hold, shownIn } = world();
  const [first, second] = [open(), open()];
  await first.fetch(tasks.getList);
  await first.fetch(tasks.getList.getPage, { page: 2 });
  await deliver();
  await second.fetch(tasks.getList);
  await deliver();
  const asked: string[] = [];
  first.on('request', ({ key }) => asked.push(key));
  const release = hold(2);
  const refetched = first.fetch(tasks.getList);
  await settled();
  rows.unshift({ id: 9 });
  await first.set(tasks.getList.unshift.schema, { id: 9 }, { id: 9 });
  release();
  await refetched;
  const [list, page] = [tasks.getList.key(), tasks.getList.getPage.key({ page: 2 })];
  expect(asked).toEqual([list, page, list, page]);
  expect(shownIn(first)).toBe('9123');
});

test('[N22] a first page of a tab without the others leaves the pages of another tab as they are until the next request', async () => {
  const { rows, tasks, open, deliver, shownIn } = world();
  const first = open();
  await first.fetch(tasks.getList);
  await first.fetch(tasks.getList.getPage, { page: 2 });
  await first.set(tasks.getList.push.schema, { id: 9 }, { id: 9 });
  rows.unshift({ id: 9 });
  // its request is a later one
  vi.useFakeTimers({ now: Date.now() + 1_000, toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const second = open();
  await second.fetch(tasks.getList);
  await deliver();
  // expired: which rows stand behind the first page, only the server knows
  expect(shownIn(first)).toBe('12349');
  await first.fetch(tasks.getList);
  await deliver();
  expect([first, second].map(shownIn)).toEqual(['9123', '9123']);
});
