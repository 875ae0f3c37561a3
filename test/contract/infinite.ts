// Behaviours of useInfinite.
import { expect } from 'vitest';
import { holders, lines, shown } from './page.ts';
import type { Behaviours } from './page.ts';
import { world } from './world.ts';

const pages = { view: 'pages', params: {} } as const;
const numbers = { view: 'numbers', params: {} } as const;
const [MORE, BACK, AGAIN] = [0, 1, 2];
const adas = { view: 'pages', params: { userId: 1 } } as const;

export const infinite: Behaviours = {
  '[H9] useInfinite shows the first page, and fetches the next pages in order up to the last':
    async (driver) => {
      const w = world();
      w.server.hold();
      const screen = await driver.mount(w, [pages]);
      expect(lines(screen)).toEqual(['wait']);
      await screen.act(() => w.server.release());
      expect(lines(screen)).toEqual(['t1, t2, more']);
      await screen.press();
      expect(lines(screen)).toEqual(['t1, t2, t3, t4, more']);
      await screen.press();
      expect(lines(screen)).toEqual(['t1, t2, t3, t4, t5, end']);
      await screen.press();
      expect(w.server.log).toEqual([
        'GET /pages?cursor=0',
        'GET /pages?cursor=2',
        'GET /pages?cursor=4',
      ]);
    },

  '[H9] useInfinite requests a page once for several calls of fetchNextPage': async (driver) => {
    const w = world();
    const screen = await shown(driver, w, pages, pages);
    w.server.hold();
    await screen.press(0);
    await screen.press(0);
    await screen.press(1);
    expect(lines(screen)).toEqual(['t1, t2, loading', 't1, t2, loading']);
    await screen.act(() => w.server.release());
    expect(lines(screen)).toEqual(['t1, t2, t3, t4, more', 't1, t2, t3, t4, more']);
    expect(w.server.log).toEqual(['GET /pages?cursor=2']);
  },

  '[H9] useInfinite re-renders once for the request and once for the response of a page': async (
    driver,
  ) => {
    const w = world();
    const screen = await shown(driver, w, pages);
    for (const loaded of ['t1, t2, t3, t4, more', 't1, t2, t3, t4, t5, end']) {
      w.server.hold();
      await screen.press();
      expect(w.ran()).toEqual({ pages: 1 });
      await screen.act(() => w.server.release());
      expect(w.ran()).toEqual({ pages: 1 });
      expect(lines(screen)).toEqual([loaded]);
    }
  },

  '[H9] a failed page keeps the list, and is requested again by the next call': async (driver) => {
    const w = world();
    const screen = await shown(driver, w, pages);
    w.server.fail(500);
    await screen.press();
    expect(lines(screen)).toEqual(['t1, t2, more, failed: status 500']);
    w.server.fail(undefined);
    await screen.press();
    expect(lines(screen)).toEqual(['t1, t2, t3, t4, more']);
  },

  '[H9] useInfinite returns the error of a failed list': async (driver) => {
    const w = world();
    w.server.fail(404);
    const screen = await driver.mount(w, [pages]);
    expect(lines(screen)).toEqual(['nothing, end, failed: status 404']);
    await screen.press();
    expect(w.server.log).toHaveLength(1);
  },

  '[H9] useInfinite follows its params, also null, and keeps the pages of each list': async (
    driver,
  ) => {
    const w = world();
    const screen = await shown(driver, w, pages);
    await screen.press();
    await screen.show([adas]);
    expect(lines(screen)).toEqual(['t1, t3, more']);
    await screen.press();
    expect(lines(screen)).toEqual(['t1, t3, t5, end']);
    await screen.show([{ view: 'pages', params: null }]);
    expect(lines(screen)).toEqual(['end']);
    await screen.press();
    await screen.show([pages]);
    expect(lines(screen)).toEqual(['t1, t2, t3, t4, more']);
    await screen.press();
    expect(lines(screen)).toEqual(['t1, t2, t3, t4, t5, end']);
    expect(w.server.log).toEqual([
      'GET /pages?cursor=2',
      'GET /pages/1?cursor=0',
      'GET /pages/1?cursor=2',
      'GET /pages?cursor=4',
    ]);
  },

  '[H9] useInfinite mounted again continues with the next page, and leaves no subscription': async (
    driver,
  ) => {
    const w = world();
    const first = await shown(driver, w, pages);
    await first.press();
    await first.unmount();
    const screen = await shown(driver, w, pages);
    expect(lines(screen)).toEqual(['t1, t2, t3, t4, more']);
    await screen.press();
    expect(w.server.log).toEqual(['GET /pages?cursor=4']);
    await screen.unmount();
    expect(holders(w.controller.view(w.getPages, {}))).toEqual([]);
  },

  '[H9] a page that arrives after an unmount is stored': async (driver) => {
    const w = world();
    const screen = await shown(driver, w, pages);
    w.server.hold();
    await screen.press();
    w.ran();
    await screen.unmount();
    await screen.act(() => w.server.release());
    expect(w.ran()).toEqual({});
    expect(w.controller.getResponse(w.getPages, {}).data?.items).toHaveLength(4);
  },

  '[H9] after a reset useInfinite refetches the first page, without an error': async (driver) => {
    const w = world();
    const screen = await shown(driver, w, pages);
    await screen.press();
    w.server.hold();
    await screen.press();
    expect(lines(screen)).toEqual(['t1, t2, t3, t4, loading']);
    await screen.act(() => w.controller.reset());
    expect(lines(screen)).toEqual(['wait']);
    await screen.act(() => w.server.release());
    expect(lines(screen)).toEqual(['t1, t2, more']);
    w.server.log.length = 0;
    await screen.press();
    expect(lines(screen)).toEqual(['t1, t2, t3, t4, more']);
    expect(w.server.log).toEqual(['GET /pages?cursor=2']);
  },

  '[N22] a refetch replaces all pages of a list, if all rows are new': async (driver) => {
    const w = world();
    const screen = await shown(driver, w, pages);
    await screen.press();
    w.server.rows = [11, 12, 13, 14].map((id) => ({ id, userId: 1, title: `t${id}` }));
    w.server.log.length = 0;
    await screen.act(() => w.controller.fetch(w.getPages, {}));
    expect(lines(screen)).toEqual(['t11, t12, t13, t14, end']);
    expect(w.server.log).toEqual(['GET /pages?cursor=0', 'GET /pages?cursor=2']);
  },

  '[H9] a refetch with the same rows keeps the pages': async (driver) => {
    const w = world();
    const screen = await shown(driver, w, pages);
    await screen.press();
    await screen.act(() => w.controller.fetch(w.getPages, {}));
    expect(lines(screen)).toEqual(['t1, t2, t3, t4, more']);
    w.server.log.length = 0;
    await screen.press();
    expect(w.server.log).toEqual(['GET /pages?cursor=4']);
  },

  '[N22] useInfinite refetches all pages in order, and shows the former rows until the last response':
    async (driver) => {
      const w = world({ size: 6 });
      const screen = await shown(driver, w, numbers);
      await screen.press(MORE);
      expect(lines(screen)).toEqual(['t1, t2, t3, t4, more']);
      w.server.rows = w.server.rows.filter(({ id }) => id !== 2 && id !== 3);
      w.server.log.length = 0;
      w.server.hold();
      await screen.press(AGAIN);
      await screen.act(() => w.server.releaseOne());
      expect(lines(screen)).toEqual(['t1, t2, t3, t4, more']);
      await screen.act(() => w.server.release());
      expect(lines(screen)).toEqual(['t1, t4, t5, t6, more']);
      expect(w.server.log).toEqual(['GET /numbers?page=1', 'GET /numbers?page=2']);
    },

  '[N22] expireAll, and a focus with expired data, refetch all pages': async (driver) => {
    const w = world({ size: 4, dataExpiryLength: 1_000 });
    const screen = await shown(driver, w, numbers);
    await screen.press(MORE);
    for (const refetch of [
      () => w.controller.expireAll(w.getNumbers),
      () => {
        w.clock.advance(2_000);
        w.comeBack('focus');
      },
    ]) {
      w.server.rows = w.server.rows.filter(({ id }) => id !== w.server.rows.at(-1)?.id);
      w.server.log.length = 0;
      await screen.act(refetch);
      const titles = w.server.rows.map(({ title }) => title);
      expect(lines(screen)[0]?.split(', ').slice(0, -1)).toEqual(titles);
      expect(w.server.log).toEqual(['GET /numbers?page=1', 'GET /numbers?page=2']);
    }
  },

  '[N22] a deletion refetches the numbered pages from the changed page on': async (driver) => {
    const w = world({ size: 9 });
    const screen = await shown(driver, w, numbers);
    await screen.press(MORE);
    await screen.press(MORE);
    w.server.log.length = 0;
    await screen.act(() => w.controller.fetch(w.remove, { id: 3 }));
    expect(lines(screen)).toEqual(['t1, t2, t4, t5, t6, t7, more']);
    expect(w.server.log).toEqual(['DELETE /todos/3', 'GET /numbers?page=2', 'GET /numbers?page=3']);
  },

  '[N22] a deletion refetches no pages of a cursor': async (driver) => {
    const w = world();
    const screen = await shown(driver, w, pages);
    await screen.press();
    w.server.log.length = 0;
    await screen.act(() => w.controller.fetch(w.remove, { id: 3 }));
    expect(lines(screen)).toEqual(['t1, t2, t4, more']);
    expect(w.server.log).toEqual(['DELETE /todos/3']);
  },

  '[N22] useInfinite has a next page by the received rows, also after a deletion': async (
    driver,
  ) => {
    const w = world({ size: 3 });
    const screen = await shown(driver, w, numbers);
    await screen.act(() => w.controller.fetch(w.remove, { id: 1 }));
    expect(lines(screen)).toEqual(['t2, more']);
    await screen.press(MORE);
    expect(lines(screen)).toEqual(['t2, t3, end']);
  },

  '[N22] maxPages drops the first page, and fetchPreviousPage requests the page again': async (
    driver,
  ) => {
    const w = world({ size: 9 });
    const screen = await shown(driver, w, numbers);
    for (let count = 0; count < 3; count++) await screen.press(MORE);
    expect(lines(screen)).toEqual(['before, t3, t4, t5, t6, t7, t8, more']);
    w.server.hold();
    await screen.press(BACK);
    expect(lines(screen)).toEqual(['loading, t3, t4, t5, t6, t7, t8, more']);
    await screen.act(() => w.server.release());
    expect(lines(screen)).toEqual(['t1, t2, t3, t4, t5, t6, more']);
    w.server.log.length = 0;
    w.server.rows = w.server.rows.filter(({ id }) => id !== 4);
    await screen.press(AGAIN);
    expect(lines(screen)).toEqual(['t1, t2, t3, t5, t6, t7, more']);
    expect([...w.server.log].sort()).toEqual([
      'GET /numbers?page=1',
      'GET /numbers?page=2',
      'GET /numbers?page=3',
    ]);
  },

  '[N22] a failed refetch keeps the rows and returns the error': async (driver) => {
    const w = world({ size: 6 });
    const screen = await shown(driver, w, numbers);
    await screen.press(MORE);
    w.server.fail(500);
    await screen.press(AGAIN);
    expect(lines(screen)).toEqual(['t1, t2, t3, t4, more, failed: status 500']);
    w.server.fail(undefined);
    await screen.press(AGAIN);
    expect(lines(screen)).toEqual(['t1, t2, t3, t4, more']);
  },
};
