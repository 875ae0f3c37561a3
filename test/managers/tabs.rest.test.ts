// Resources, as applications write them: one name each is enough.
import { Controller, createResource, Entity } from 'signalbox';
import { connectTabs } from 'signalbox/tabs';
import { expect, onTestFinished, test, vi } from 'vitest';
import { serve } from '../setup/server.ts';
import type { Asked } from '../setup/server.ts';
import { settled } from '../setup/world.ts';
import { Post } from './Post.ts';

class Task extends Entity {
  id = 0;
  title = '';
}

function reply({ method, url, text }: Asked) {
  const id = Number(/\d+$/.exec(url)?.[0] ?? 9);
  if (method === 'DELETE') return { status: 204 };
  if (method !== 'GET') return { body: { id, ...(JSON.parse(text) as object) } };
  const results = url.includes('page') ? [{ id: 3, title: 'three' }] : [{ id: 1, title: 'one' }];
  return { body: { results, next: '' } };
}

test('[P3] all endpoints of a resource are told by the one name that it has', async () => {
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
  const post = new Post();
  const [first, second] = [new Controller(), new Controller()];
  for (const tab of [first, second])
    onTestFinished(connectTabs(tab, { names: { tasks }, channel: post.channel() }));
  const quiet = async () => {
    for (await settled(); post.waiting > 0; await settled()) post.deliver(0);
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
