// Lists in pages in two tabs, which load and refetch pages at the same time.
import { Controller, createResource, Entity, RestEndpoint } from 'signalbox';
import type { RestGenerics } from 'signalbox';
import { connectTabs } from 'signalbox/tabs';
import { expect, onTestFinished, test, vi } from 'vitest';
import { PagedServer, newController, resourceOf } from '../laws/pagedServer.ts';
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

test('[N22] a refetch of pages in one tab keeps a page that another tab has added meanwhile', async () => {
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

test('[N22] a tab with fewer pages omits a page of another tab that would leave a gap', async () => {
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

test('[N22] a tab without the list takes no later page of another tab', async () => {
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

test('[N22] a page that another tab requested before a creation is not added behind later pages', async () => {
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

test('[N22] a refetch during a creation starts again with the list, also after a refetch in another tab', async () => {
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

test('[N22] a later first page of another tab leaves the loaded pages unchanged until the next request', async () => {
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
  // expired: only the server knows the rows after the first page
  expect(shownIn(first)).toBe('12349');
  await first.fetch(tasks.getList);
  await deliver();
  expect([first, second].map(shownIn)).toEqual(['9123', '9123']);
});

/** Two tabs that read pages by cursor, of three rows each. */
async function cursorWorld() {
  const server = new PagedServer('cursor', 9);
  const { rows, list } = resourceOf(server, false);
  const bus = new MessageBus();
  const tabs = [newController(), newController()] as const;
  for (const tab of tabs)
    onTestFinished(connectTabs(tab, { names: { rows, list }, channel: bus.channel() }));
  const group = { group: 'a' };
  const drain = async () => {
    for (await settled(); server.waiting.length + bus.waiting > 0; await settled()) {
      if (bus.waiting > 0) bus.deliver(0);
      else server.advance(0);
    }
  };
  const page = (tab: Controller, cursor: string) =>
    tab.fetch(list.getPage, { ...group, cursor } as never);
  const refetched = async () => {
    const all = tabs.map((tab) => tab.fetch(list, group));
    await drain();
    await Promise.all(all);
    return tabs.map((tab) => {
      const data: unknown = tab.getResponse(list, group).data;
      return (data as { results: { id: number }[] }).results.map(({ id }) => id).join('');
    });
  };
  await refetched();
  return { server, tabs, list, group, drain, page, refetched };
}

test('[N22] a page requested again behind another cursor is the page of that cursor in each tab', async () => {
  const { server, tabs, list, group, drain, page, refetched } = await cursorWorld();
  const early = page(tabs[0], 'r3');
  await settled();
  server.remove(1);
  const first = tabs[0].fetch(list, group);
  await settled();
  // the list itself is answered first: another page follows
  server.advance(1);
  server.advance(1);
  await first;
  await drain();
  await early;
  expect(await refetched()).toEqual(['234567', '234567']);
  server.remove(2);
  expect(await refetched()).toEqual(['345678', '345678']);
});

test('[N22] a page behind the end of the list is added in no tab', async () => {
  const { server, tabs, list, group, drain, page, refetched } = await cursorWorld();
  await Promise.all([page(tabs[0], 'r3'), drain()]);
  const third = page(tabs[0], 'r6');
  await settled();
  // meanwhile the list ends with the second page
  for (const id of [7, 8, 9]) server.remove(id);
  const whole = tabs[0].fetch(list, group);
  await settled();
  while (server.waiting.length > 1) {
    server.advance(1);
    server.advance(1);
    await settled();
  }
  await whole;
  await drain();
  await third;
  for (let count = 0; count < 3; count++) server.insert('a', 'end');
  expect(await refetched()).toEqual(['123456', '123456']);
});
