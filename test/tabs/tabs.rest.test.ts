// Resources between tabs: a name for each resource is enough.
import { Controller, createResource, optimistic, transaction } from 'signalbox';
import type { ControllerOptions } from 'signalbox';
import { connectTabs } from 'signalbox/tabs';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Task } from '../setup/samples.ts';
import { serve } from '../setup/server.ts';
import type { Asked } from '../setup/server.ts';
import { settled } from '../setup/world.ts';
import { MessageBus } from '../sync/MessageBus.ts';

function reply({ method, url, text }: Asked) {
  const id = Number(/\d+$/.exec(url)?.[0] ?? 9);
  if (method === 'DELETE') return { status: 204 };
  if (method !== 'GET') return { body: { id, ...(JSON.parse(text) as object) } };
  const results = url.includes('page') ? [{ id: 3, title: 'three' }] : [{ id: 1, title: 'one' }];
  return { body: { results, next: '' } };
}

test('[P3] commits of all endpoints of a resource are received under the name of the resource', async () => {
  const warn = vi.spyOn(console, 'warn');
  const { address, asked } = await serve(reply);
  const tasks = createResource({
    path: '/tasks/:id',
    urlPrefix: address,
    schema: Task,
    paginationField: 'page',
  }).extend((all) => ({
    getList: all.getList.extend({ schema: { results: all.getList.schema, next: '' } }),
  }));
  const bus = new MessageBus();
  const [first, second] = [new Controller(), new Controller()];
  for (const tab of [first, second])
    onTestFinished(connectTabs(tab, { names: { tasks }, channel: bus.channel() }));
  const quiet = async () => {
    for (await settled(); bus.waiting > 0; await settled()) bus.deliver(0);
  };

  await first.fetch(tasks.getList);
  await first.fetch(tasks.getList.getPage, { page: 2 });
  await first.fetch(tasks.getList.push, { title: 'pushed' });
  await first.fetch(tasks.partialUpdate, { id: 1 }, { title: 'uno' });
  await quiet();
  const titles = () => second.getResponse(tasks.getList).data?.results.map(({ title }) => title);
  expect(titles()).toEqual(['uno', 'three', 'pushed']);
  await first.fetch(tasks.update, { id: 3 }, { title: 'tres' });
  await first.fetch(tasks.delete, { id: 9 });
  await quiet();
  expect(titles()).toEqual(['uno', 'tres']);
  expect(asked.map(({ method }) => method)).toEqual([
    'GET',
    'GET',
    'POST',
    'PATCH',
    'PUT',
    'DELETE',
  ]);
  expect(warn).not.toHaveBeenCalled();
});

/** Two tabs, and a function that delivers all waiting messages. */
function twoTabs(names: Readonly<Record<string, unknown>>, options?: ControllerOptions) {
  const bus = new MessageBus();
  const tabs = [new Controller(options), new Controller(options)] as const;
  for (const tab of tabs) onTestFinished(connectTabs(tab, { names, channel: bus.channel() }));
  const quiet = async () => {
    for (await settled(); bus.waiting > 0; await settled()) bus.deliver(0);
  };
  return { tabs, quiet };
}

test.each([false, true])(
  '[P3] a creation with status 204 expires the lists of other tabs (in a transaction: %s)',
  async (isHeld) => {
    const warn = vi.spyOn(console, 'warn');
    const { address } = await serve(() => ({ status: 204 }));
    const tasks = createResource({
      path: '/tasks/:id',
      urlPrefix: address,
      schema: Task,
      optimistic: true,
    });
    const { tabs, quiet } = twoTabs({ tasks }, { optimistic });
    const [first] = tabs;
    await first.setResponse(tasks.getList, [{ id: 1, title: 'one' }]);
    await quiet();
    const created = { title: 'new' };
    if (isHeld) await transaction(first, ({ fetch }) => fetch(tasks.create, created));
    else await first.fetch(tasks.create, created);
    await quiet();
    expect(tabs.map((tab) => tab.getResponse(tasks.getList).expiresAt)).toEqual([0, 0]);
    expect(warn).not.toHaveBeenCalled();
  },
);

test('[P3] a mutation that returns a list replaces the list of its params in other tabs', async () => {
  const { getList } = createResource({ path: '/boards/:board/tasks/:id', schema: Task });
  const { tabs, quiet } = twoTabs({ getList });
  const order = getList.extend({
    method: 'PUT',
    body: [] as number[],
    fetch: async (_: { board: number }, ids: readonly number[]) => ids.map((id) => ({ id })),
  });
  await tabs[0].setResponse(getList, { board: 1 }, [{ id: 1 }, { id: 2 }]);
  await tabs[0].fetch(order, { board: 1 }, [2, 1]);
  await quiet();
  const { data } = tabs[1].getResponse(getList, { board: 1 });
  expect(data?.map(({ id }) => id)).toEqual([2, 1]);
});

test.each(['name', 'message'])(
  '[N19] an update that renames a row renames the row in other tabs, which know the update by %s',
  async (how) => {
    const { getList, partialUpdate } = createResource({ path: '/tasks/:id', schema: Task });
    const rename = partialUpdate.extend({ fetch: async () => ({ id: 5, title: 'five' }) });
    const names = { getList, Task, ...(how === 'name' && { rename }) };
    const { tabs, quiet } = twoTabs(names);
    await tabs[0].setResponse(getList, [{ id: 1 }, { id: 2 }]);
    await tabs[0].fetch(rename, { id: 1 }, { title: 'five' });
    await quiet();
    const { data } = tabs[1].getResponse(getList);
    expect(data?.map(({ id }) => id)).toEqual([5, 2]);
  },
);
