// Primary keys on the disk: changed by a mutation, or by a pk() of another build of the application.
import { createResource, Entity } from 'signalbox';
import { expect, test } from 'vitest';
import { StoppedClock } from '../setup/world.ts';
import { freshDisk, rowsOn } from '../sync/disks.ts';
import {
  get,
  getList,
  open,
  opened,
  titles,
  TodoResource,
  warnings,
  written,
} from './persistedPages.ts';

test('[N19] a renamed row is restored only under its new key, and requests of both keys return the row', async () => {
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

/** A build of an application with this primary key of articles. */
function build(
  pk: (article: { readonly id: string; readonly slug?: string | undefined }) => string,
) {
  class Article extends Entity {
    id = '';
    slug: string | undefined = undefined;
    title = '';
    static override key = 'Article';
    override pk(): string {
      return pk(this);
    }
  }
  return createResource({ path: '/articles/:id', schema: Article });
}

test('[P1] rows whose primary key differs since pk() was changed are not shown, and are refetched', async () => {
  const clock = new StoppedClock();
  const disk = freshDisk();
  const rows = [
    { id: '1', slug: 'one', title: 'one' },
    { id: '2', title: 'two' },
  ];
  const older = build(({ id }) => id);
  const first = await opened(disk, clock, { names: { article: older } });
  await first.controller.setResponse(older.getList, {}, rows);
  await first.kept.flush();
  first.kept.stop();
  const said = warnings();
  const newer = build(({ slug }) => slug as string);
  const second = open(disk, clock, { names: { article: newer } });
  await second.kept.ready;
  expect(second.controller.getResponse(newer.getList, {}).data).toEqual([]);
  expect(second.controller.getResponse(newer.getList, {}).expiresAt).toBe(0);
  expect(said.join()).toMatch(/signalbox P2.*its class now returns another primary key/);
  second.answers.set(newer.getList.key({}), [{ id: '1', slug: 'one', title: 'again' }]);
  const fetched = await second.controller.fetchIfStale(newer.getList, {});
  expect(fetched.map((article) => [article.pk(), article.title])).toEqual([['one', 'again']]);
  expect(second.asked).toEqual([newer.getList.key({})]);
  await second.kept.flush();
  const keys = [...(await rowsOn(disk)).keys()].filter((key) => key.includes('"entity"'));
  expect(keys).toEqual(['["entity","article.get.schema","one"]']);
});

test('[P1] rows whose pk() reads arguments are restored', async () => {
  class Seat extends Entity {
    row = 0;
    static override key = 'Seat';
    override pk(_parent?: unknown, _key?: string, [{ hall }]: readonly [{ hall?: string }] = [{}]) {
      return hall && `${hall} ${this.row}`;
    }
  }
  const seat = createResource({ path: '/halls/:hall/seats', schema: Seat });
  const clock = new StoppedClock();
  const disk = freshDisk();
  const first = await opened(disk, clock, { names: { seat } });
  await first.controller.setResponse(seat.getList, { hall: 'a' }, [{ row: 5 }]);
  await first.kept.flush();
  const second = await opened(disk, clock, { names: { seat } });
  const { data } = second.controller.getResponse(seat.getList, { hall: 'a' });
  expect(data?.map(({ row }) => row)).toEqual([5]);
});
