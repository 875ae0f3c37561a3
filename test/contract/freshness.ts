// Behaviours of the four states: the shown data and the requests.
import { expect } from 'vitest';
import { lines, shown } from './page.ts';
import type { Behaviours } from './page.ts';
import { world } from './world.ts';

const detail = { view: 'detail', params: { id: 1 } } as const;
const other = { view: 'detail', params: { id: 2 } } as const;

export const freshness: Behaviours = {
  '[C2] stale data are shown during the refetch': async (driver) => {
    const w = world();
    await w.controller.fetch(w.getTodo, { id: 1 });
    w.clock.advance(60_001);
    w.server.row(1)!.title = 'newer';
    w.server.hold();
    const screen = await driver.mount(w, [detail]);
    expect(lines(screen)).toEqual(['t1 by ada']);
    expect(w.server.log).toEqual(['GET /todos/1', 'GET /todos/1']);
    await screen.act(() => w.server.release());
    expect(lines(screen)).toEqual(['newer by ada']);
    expect(w.server.log).toHaveLength(2);
  },

  '[C3] fresh data are shown without a request': async (driver) => {
    const w = world();
    await w.controller.fetch(w.getTodo, { id: 1 });
    w.clock.advance(60_000);
    w.server.hold();
    const screen = await driver.mount(w, [detail]);
    expect(lines(screen)).toEqual(['t1 by ada']);
    expect(w.server.log).toEqual(['GET /todos/1']);
  },

  '[C5] an expiry alone sends no request for a mounted reader': async (driver) => {
    const w = world();
    const screen = await shown(driver, w, detail);
    await screen.act(() => w.clock.advance(1_000_000));
    await screen.show([detail]);
    await screen.act(() => w.controller.set(w.Todo, { id: 1 }, { title: 'pushed' }));
    expect(lines(screen)).toEqual(['pushed by ada']);
    expect(w.server.log).toEqual([]);
  },

  '[C5] expireAll refetches for a mounted reader, which shows the stale data meanwhile': async (
    driver,
  ) => {
    const w = world();
    const screen = await shown(driver, w, detail);
    w.server.row(1)!.title = 'newer';
    w.server.hold();
    await screen.act(() => w.controller.expireAll(w.getTodo));
    expect(lines(screen)).toEqual(['t1 by ada']);
    expect(w.server.log).toEqual(['GET /todos/1']);
    await screen.act(() => w.server.release());
    expect(lines(screen)).toEqual(['newer by ada']);
  },

  '[C1] invalidated data refetch for each reader, also if a field was changed before': async (
    driver,
  ) => {
    const todo = { id: 1 };
    const readers = [
      ['dle', todo, 'wait'],
      ['severalStates', todo, 'wait'],
      ['cache', todo, 'nothing'],
      ['panel', todo, 'panel'],
      ['pages', {}, 'wait'],
    ] as const;
    for (const [view, params, pending] of readers) {
      const w = world();
      await w.controller.fetch(w.getTodo, { id: 1 });
      const screen = await shown(driver, w, { view, params });
      await screen.act(() => w.controller.set(w.Todo, { id: 1 }, { title: 'pushed' }));
      expect(lines(screen)[0]).toContain('pushed');
      w.server.hold();
      await screen.act(() => w.controller.invalidateAll({ testKey: () => true }));
      // a framework may keep the shown data until the response
      if (view !== 'panel') expect(lines(screen)).toEqual([pending]);
      expect(w.server.log).toHaveLength(view === 'cache' ? 0 : 1);
      await screen.unmount();
    }
    for (const view of ['list', 'fineList', 'amount', 'chosen'] as const) {
      const w = world();
      const screen = await shown(driver, w, { view, params: {} });
      await screen.act(() => w.controller.set(w.Todo, { id: 1 }, { title: 'to do' }));
      w.server.row(1)!.title = 'newer';
      await screen.act(() => w.controller.invalidate(w.getList, {}));
      expect(w.server.log).toEqual(['GET /todos']);
      expect(lines(screen).join()).not.toContain('to do');
      await screen.unmount();
    }
  },

  '[C1] invalidated data suspend the reader and are refetched': async (driver) => {
    const w = world();
    const screen = await shown(driver, w, detail);
    w.server.row(1)!.title = 'newer';
    w.server.hold();
    await screen.act(() => w.controller.invalidate(w.getTodo, { id: 1 }));
    expect(lines(screen)).toEqual(['loading']);
    expect(w.server.log).toEqual(['GET /todos/1']);
    await screen.act(() => w.server.release());
    expect(lines(screen)).toEqual(['newer by ada']);
    expect(w.server.log).toHaveLength(1);
  },

  '[C1] after an invalidation and the refetch a reader follows changes': async (driver) => {
    const w = world();
    const screen = await shown(driver, w, detail);
    await screen.act(() => w.controller.invalidate(w.getTodo, { id: 1 }));
    expect(lines(screen)).toEqual(['t1 by ada']);
    w.ran();
    await screen.act(() => w.controller.set(w.Todo, { id: 1 }, { title: 'pushed' }));
    expect(lines(screen)).toEqual(['pushed by ada']);
    expect(w.ran()).toEqual({ detail: 1 });
  },

  '[C1] useDLE is loading after an invalidation, and refetches': async (driver) => {
    const w = world();
    const screen = await shown(driver, w, { view: 'dle', params: { id: 1 } });
    w.server.hold();
    await screen.act(() => w.controller.invalidate(w.getTodo, { id: 1 }));
    expect(lines(screen)).toEqual(['wait']);
    await screen.act(() => w.server.release());
    expect(lines(screen)).toEqual(['t1 by ada']);
    expect(w.server.log).toEqual(['GET /todos/1']);
  },

  '[C2] a reader of expired data with invalidIfStale suspends': async (driver) => {
    const w = world({ invalidIfStale: true });
    await w.controller.fetch(w.getTodo, { id: 1 });
    w.clock.advance(60_001);
    w.server.hold();
    const screen = await driver.mount(w, [detail]);
    expect(lines(screen)).toEqual(['loading']);
    await screen.act(() => w.server.release());
    expect(lines(screen)).toEqual(['t1 by ada']);
    expect(w.server.log).toEqual(['GET /todos/1', 'GET /todos/1']);
  },

  '[C2] with invalidIfStale useDLE is loading for expired data': async (driver) => {
    const w = world({ invalidIfStale: true });
    await w.controller.fetch(w.getTodo, { id: 1 });
    w.clock.advance(60_001);
    w.server.hold();
    const screen = await driver.mount(w, [{ view: 'dle', params: { id: 1 } }]);
    expect(lines(screen)).toEqual(['wait']);
    await screen.act(() => w.server.release());
    expect(lines(screen)).toEqual(['t1 by ada']);
    expect(w.server.log).toEqual(['GET /todos/1', 'GET /todos/1']);
  },

  '[C2] useDLE refetches expired data when the arguments return': async (driver) => {
    for (const invalidIfStale of [false, true]) {
      const dle = { view: 'dle', params: { id: 1 } } as const;
      const w = world({ dataExpiryLength: 5_000, invalidIfStale });
      const screen = await driver.mount(w, [dle]);
      expect(lines(screen)).toEqual(['t1 by ada']);
      w.clock.advance(5_001);
      w.server.row(1)!.title = 'newer';
      await screen.show([other]);
      await screen.show([dle]);
      expect(lines(screen)).toEqual(['newer by ada']);
      expect(w.server.log).toEqual(['GET /todos/1', 'GET /todos/2', 'GET /todos/1']);
    }
  },

  '[C2] a new reader refetches expired data that a mounted useDLE shows': async (driver) => {
    const dle = { view: 'dle', params: { id: 1 } } as const;
    const w = world({ dataExpiryLength: 5_000 });
    const screen = await driver.mount(w, [dle]);
    w.clock.advance(5_001);
    await screen.show([dle, detail]);
    expect(lines(screen)).toEqual(['t1 by ada', 't1 by ada']);
    expect(w.server.log).toEqual(['GET /todos/1', 'GET /todos/1']);
  },

  '[C8] with an expiry of 0, useDLE and a suspended reader send one request': async (driver) => {
    for (const invalidIfStale of [false, true]) {
      const w = world({ dataExpiryLength: 0, invalidIfStale });
      w.server.hold();
      const screen = await driver.mount(w, [{ view: 'dle', params: { id: 1 } }, detail]);
      w.clock.advance(1);
      await screen.act(() => w.server.release());
      await screen.act(() => w.clock.advance(1));
      expect(lines(screen)).toEqual(['t1 by ada', 't1 by ada']);
      expect(w.server.log).toEqual(['GET /todos/1']);
    }
  },

  '[C2] with invalidIfStale a new reader suspends for expired data beside a mounted reader, with one request':
    async (driver) => {
      const w = world({ invalidIfStale: true });
      const screen = await shown(driver, w, { view: 'dle', params: { id: 1 } });
      w.clock.advance(60_001);
      w.server.hold();
      await screen.show([{ view: 'dle', params: { id: 1 } }, detail]);
      expect(lines(screen)).toEqual(['loading']);
      await screen.act(() => w.server.release());
      expect(lines(screen)).toEqual(['t1 by ada', 't1 by ada']);
      expect(w.server.log).toEqual(['GET /todos/1']);
    },

  '[C8] with an expiry of 0 each mount sends one request, without a loop': async (driver) => {
    const w = world({ dataExpiryLength: 0 });
    const screen = await driver.mount(w, [detail]);
    await screen.act(() => w.clock.advance(1));
    expect(lines(screen)).toEqual(['t1 by ada']);
    expect(w.server.log).toEqual(['GET /todos/1']);
    await screen.show([other]);
    await screen.act(() => w.clock.advance(1));
    await screen.show([detail]);
    expect(lines(screen)).toEqual(['t1 by ada']);
    expect(w.server.log).toEqual(['GET /todos/1', 'GET /todos/2', 'GET /todos/1']);
  },

  '[C8] with a negative expiry and invalidIfStale data are shown, without a loop': async (
    driver,
  ) => {
    const w = world({ dataExpiryLength: -1, invalidIfStale: true });
    const screen = await driver.mount(w, [detail]);
    expect(lines(screen)).toEqual(['t1 by ada']);
    await screen.act(() => w.clock.advance(1));
    await screen.show([detail]);
    await screen.act(() => w.controller.set(w.Todo, { id: 1 }, { title: 'pushed' }));
    expect(lines(screen)).toEqual(['pushed by ada']);
    expect(w.server.log).toEqual(['GET /todos/1']);
  },
};
