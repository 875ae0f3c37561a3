// A primary key that a mutation changed, on the disk.
import { expect, test } from 'vitest';
import { StoppedClock } from '../setup/world.ts';
import { get, getList, opened, titles, TodoResource, written } from './keptTabs.ts';

test('[N19] a renamed row is on the disk under its new key alone, in its list and by its request', async () => {
  const clock = new StoppedClock();
  const disk = await written(clock, async ({ controller, answers }) => {
    answers.set(get.key({ id: 1 }), { id: 1, title: 'one' });
    await controller.fetch(get, { id: 1 });
  });
  const first = await opened(disk, clock);
  expect(titles(first)).toEqual(['one', 'two']);
  first.answers.set(TodoResource.update.key({ id: 1 }, {}), { id: 10, title: 'ten' });
  await first.controller.fetch(TodoResource.update, { id: 1 }, { title: 'ten' });
  await first.kept.flush();
  first.kept.stop();
  const second = await opened(disk, clock);
  const { controller, asked } = second;
  expect(controller.getResponse(getList, {}).data?.map(({ id, title }) => [id, title])).toEqual([
    [10, 'ten'],
    [2, 'two'],
  ]);
  expect(controller.get(TodoResource.get.schema, { id: 1 })).toBeUndefined();
  expect((await controller.fetchIfStale(get, { id: 1 })).title).toBe('ten');
  expect((await controller.fetchIfStale(get, { id: 10 })).title).toBe('ten');
  expect(asked).toEqual([]);
});
