/** Lists in pages: the rows that a page adds, the rows that stay, and pages that arrive out of order. */
import { describe, expect, test } from 'vitest';
import { ids, post, setUp, until } from '../servers/blog.ts';

describe('a list', () => {
  test('[M6] a page adds its rows to the list, and runs readers once', async () => {
    const { posts, controller, server } = await setUp();
    await controller.fetch(posts.getList, { userId: 1 });
    const seen: (number[] | undefined)[] = [];
    const stop = controller
      .signal(posts.getList, { userId: 1 })
      .subscribe((list) => seen.push(ids(list)));
    await controller.fetch(posts.getList.getPage, { userId: 1, cursor: 2 });
    stop();
    expect(seen).toEqual([
      [1, 2],
      [1, 2, 3, 4],
    ]);
    expect(server.asked.map(({ url }) => url)).toEqual([
      '/posts?userId=1',
      '/posts?cursor=2&userId=1',
    ]);
  });

  test('[F5] getPage resolves with the whole list, by the reference that readers get', async () => {
    const { posts, controller } = await setUp();
    const first = await controller.fetch(posts.getList);
    const whole = await controller.fetch(posts.getList.getPage, { cursor: 2 });
    expect(whole).toBe(controller.getResponse(posts.getList).data);
    expect(whole[0]).toBe(first[0]);
    expect(ids(whole)).toEqual([1, 2, 3, 4]);
  });

  test('[M6] a page that is fetched again writes nothing, and drops no row', async () => {
    const { posts, controller } = await setUp();
    await controller.fetch(posts.getList);
    for (const cursor of [2, 4, 2]) await controller.fetch(posts.getList.getPage, { cursor });
    const written: number[] = [];
    controller.on('commit', (commit) => written.push(commit.written));
    await controller.fetch(posts.getList.getPage, { cursor: 2 });
    expect(ids(controller.getResponse(posts.getList).data)).toEqual([1, 2, 3, 4, 5]);
    expect(written).toEqual([0]);
  });

  test('[M6] overlapping rows of a page are in the list once', async () => {
    const { posts, controller } = await setUp();
    await controller.fetch(posts.getList);
    await controller.fetch(posts.getList.getPage, { cursor: 1 });
    expect(ids(controller.getResponse(posts.getList).data)).toEqual([1, 2, 3]);
  });

  test('[M6] a page does not change lists of other arguments', async () => {
    const { posts, controller, server } = await setUp();
    server.posts = [post(1), post(2), post(3), post(7, 2), post(8, 2)];
    await controller.fetch(posts.getList, { userId: 1 });
    await controller.fetch(posts.getList, { userId: 2 });
    await controller.fetch(posts.getList.getPage, { userId: 1, cursor: 2 });
    expect(ids(controller.getResponse(posts.getList, { userId: 1 }).data)).toEqual([1, 2, 3]);
    expect(ids(controller.getResponse(posts.getList, { userId: 2 }).data)).toEqual([7, 8]);
  });
});

describe.each(['collected', 'plain'] as const)('an envelope (%s)', (which) => {
  test('[M6] a page adds its rows to the list in an envelope, and replaces the other members', async () => {
    const { [which]: list, controller } = await setUp();
    await controller.fetch(list);
    const shown = controller.signal(list);
    expect(shown.value).toMatchObject({ nextPage: '2', prevPage: '' });
    const page = await controller.fetch(list.getPage, { cursor: '2' });
    expect(shown.value).toMatchObject({ nextPage: '4', prevPage: '0' });
    expect(ids(shown.value?.results)).toEqual([1, 2, 3, 4]);
    expect(page).toEqual(shown.value);
    await controller.fetch(list.getPage, { cursor: '4' });
    expect(shown.value).toMatchObject({ nextPage: '', prevPage: '2' });
    expect(ids(shown.value?.results)).toEqual([1, 2, 3, 4, 5]);
  });

  test('[N22] a refetch requests each loaded page again, and continues from the last one', async () => {
    const { [which]: list, controller, server } = await setUp();
    await controller.fetch(list);
    await controller.fetch(list.getPage, { cursor: 2 });
    server.posts = [post(9), ...server.posts];
    const again = await controller.fetch(list);
    expect(ids(again.results)).toEqual([9, 1, 2, 3]);
    expect(again.nextPage).toBe('4');
    expect(server.asked.map(({ url }) => url)).toEqual([
      '/wrapped',
      '/wrapped?cursor=2',
      '/wrapped',
      '/wrapped?cursor=2',
    ]);
  });

  test('[N22] a refetch drops rows that the server deleted from any page', async () => {
    const { [which]: list, controller, server } = await setUp();
    await controller.fetch(list);
    await controller.fetch(list.getPage, { cursor: 2 });
    server.posts = server.posts.filter(({ id }) => id !== 1 && id !== 4);
    const again = await controller.fetch(list);
    expect(ids(again.results)).toEqual([2, 3, 5]);
    expect(again.nextPage).toBe('');
  });

  test('[N22] a refetch requests all loaded pages, also if all rows are new', async () => {
    const { [which]: list, controller, server } = await setUp();
    await controller.fetch(list);
    await controller.fetch(list.getPage, { cursor: 2 });
    server.posts = [post(11), post(12), post(13)];
    const again = await controller.fetch(list);
    expect(ids(again.results)).toEqual([11, 12, 13]);
    expect(again.nextPage).toBe('');
  });

  test('[N22] a refetch does not request a page without a cursor in the response before', async () => {
    const { [which]: list, controller, server } = await setUp();
    await controller.fetch(list);
    await controller.fetch(list.getPage, { cursor: 2 });
    server.posts = [post(1), post(2)];
    server.asked.length = 0;
    expect(ids((await controller.fetch(list)).results)).toEqual([1, 2]);
    expect(server.asked.map(({ url }) => url)).toEqual(['/wrapped']);
  });

  test('[M6] a list and two pages, requested at once and answered in four orders, have all rows and the last cursor', async () => {
    for (const answered of [
      [0, 1, 2],
      [2, 1, 0],
      [1, 0, 2],
      [1, 2, 0],
    ]) {
      const { [which]: list, controller, server } = await setUp();
      const release = server.hold();
      const asked: Promise<unknown>[] = [];
      for (const ask of [
        () => controller.fetch(list),
        () => controller.fetch(list.getPage, { cursor: 2 }),
        () => controller.fetch(list.getPage, { cursor: 4 }),
      ]) {
        asked.push(ask());
        await until(() => server.asked.length === asked.length);
      }
      release(...answered);
      await Promise.all(asked);
      const shown = controller.getResponse(list).data;
      const order = ids(shown?.results) ?? [];
      expect(order.slice(0, 2)).toEqual([1, 2]);
      expect([...order].sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5]);
      expect(shown?.nextPage).toBe('');
    }
  });

  test('[O4] a page requested before a row was removed from the list does not restore the row', async () => {
    const { collected, controller, server } = await setUp();
    await controller.fetch(collected);
    await controller.fetch(collected.getPage, { cursor: 2 });
    const release = server.hold();
    const page = controller.fetch(collected.getPage, { cursor: 2 });
    await until(() => server.asked.length === 3);
    const remove = collected.remove.extend({ path: '/posts/:id', fetch: async () => post(3) });
    await controller.fetch(remove, { id: 3 }, {});
    expect(ids(controller.getResponse(collected).data?.results)).toEqual([1, 2, 4]);
    release(0);
    expect(ids((await page).results)).toEqual([1, 2, 4]);
    await controller.fetch(collected.getPage, { cursor: 2 });
    expect(ids(controller.getResponse(collected).data?.results)).toEqual([1, 2, 4, 3]);
  });

  test('[O4] a page requested before a deletion does not add the row, also if the row is pushed later', async () => {
    const { collected, posts, controller, server } = await setUp();
    await controller.fetch(collected);
    const release = server.hold();
    const page = controller.fetch(collected.getPage, { cursor: 2 });
    await until(() => server.asked.length === 2);
    await controller.fetch(posts.delete, { id: 3 });
    release(0);
    await page;
    await controller.set(posts.get.schema, { id: 3 }, post(3));
    expect(ids(controller.getResponse(collected).data?.results)).toEqual([1, 2, 4]);
  });

  test('[O4] a page requested before a deletion does not restore the row, and a later page does', async () => {
    const { [which]: list, posts, controller, server } = await setUp();
    await controller.fetch(list);
    const release = server.hold();
    const page = controller.fetch(list.getPage, { cursor: 2 });
    await until(() => server.asked.length === 2);
    await controller.fetch(posts.delete, { id: 3 });
    release(0);
    expect(ids((await page).results)).toEqual([1, 2, 4]);
    expect(ids(controller.getResponse(list).data?.results)).toEqual([1, 2, 4]);
    await controller.fetch(list.getPage, { cursor: 2 });
    expect(ids(controller.getResponse(list).data?.results)?.sort((a, b) => a - b)).toEqual([
      1, 2, 3, 4,
    ]);
  });
});
