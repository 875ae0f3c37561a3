// Behaviours of data that are kept up to date, and of abandoned data.
import { expect } from 'vitest';
import { lines, shown } from './page.ts';
import type { Behaviours } from './page.ts';
import { world } from './world.ts';

const detail = { view: 'detail', params: { id: 1 } } as const;
const dle = { view: 'dle', params: { id: 1 } } as const;
const live = { view: 'live', params: { id: 1 } } as const;

export const liveness: Behaviours = {
  '[H1] useLive suspends, shows the data, and polls at its interval': async (driver) => {
    const w = world();
    w.server.hold();
    const screen = await driver.mount(w, [live]);
    expect(lines(screen)).toEqual(['loading']);
    await screen.act(() => w.server.release());
    expect(lines(screen)).toEqual(['t1 by ada']);
    expect(w.server.log).toEqual(['GET /todos/1']);
    w.server.row(1)!.title = 'newer';
    await screen.act(() => w.clock.advance(1_000));
    expect(lines(screen)).toEqual(['newer by ada']);
    await screen.act(() => w.clock.advance(1_000));
    expect(w.server.log).toHaveLength(3);
  },

  '[H1] useLive polls the present arguments, and stops at an unmount': async (driver) => {
    const w = world();
    const screen = await shown(driver, w, live);
    await screen.show([{ view: 'live', params: { id: 2 } }]);
    w.server.log.length = 0;
    await screen.act(() => w.clock.advance(1_000));
    expect(w.server.log).toEqual(['GET /todos/2']);
    await screen.show([{ view: 'live', params: null }]);
    await screen.act(() => w.clock.advance(10_000));
    await screen.show([live]);
    await screen.unmount();
    w.server.log.length = 0;
    await screen.act(() => w.clock.advance(10_000));
    expect(w.server.log).toEqual([]);
  },

  '[H1] several subscribers of one key send one request per interval': async (driver) => {
    const w = world();
    const screen = await shown(driver, w, live, live, live);
    await screen.act(() => w.clock.advance(1_000));
    expect(w.server.log).toEqual(['GET /todos/1']);
  },

  '[H1] after a reset a mounted subscription continues to poll': async (driver) => {
    const w = world();
    const screen = await shown(driver, w, live);
    await screen.act(() => w.controller.reset());
    w.server.log.length = 0;
    await screen.act(() => w.clock.advance(1_000));
    expect(w.server.log).toEqual(['GET /todos/1']);
  },

  '[F4] a poll that a status 4xx has ended is not resumed by equal arguments in a new object':
    async (driver) => {
      const w = world();
      const ticker = (id: number) => ({ view: 'ticker', params: { id } }) as const;
      const screen = await shown(driver, w, ticker(1));
      w.server.fail(404);
      await screen.act(() => w.clock.advance(1_000));
      await screen.act(() => w.clock.advance(1_000));
      expect(w.server.log).toEqual(['GET /todos/1']);
      w.server.fail(undefined);
      await screen.show([ticker(1)]);
      await screen.act(() => w.clock.advance(10_000));
      expect(w.server.log).toEqual(['GET /todos/1']);
      await screen.show([ticker(2)]);
      await screen.show([ticker(1)]);
      expect(w.server.log).toEqual(['GET /todos/1', 'GET /todos/2', 'GET /todos/1']);
    },

  '[C5] stale mounted data are refetched when the page gets the focus': async (driver) => {
    const w = world();
    const screen = await shown(driver, w, detail, dle);
    await screen.act(() => w.comeBack('focus'));
    expect(w.server.log).toEqual([]);
    w.clock.advance(60_001);
    w.server.row(1)!.title = 'newer';
    w.server.hold();
    await screen.act(() => w.comeBack('focus'));
    expect(lines(screen)).toEqual(['t1 by ada', 't1 by ada']);
    await screen.act(() => w.server.release());
    expect(lines(screen)).toEqual(['newer by ada', 'newer by ada']);
    expect(w.server.log).toEqual(['GET /todos/1']);
  },

  '[F3] a request is aborted after the unmount of its reader': async (driver) => {
    const w = world();
    const screen = await shown(driver, w, detail);
    w.clock.advance(60_001);
    w.server.hold();
    await screen.act(() => w.controller.expireAll(w.getTodo));
    const { fetching } = w.controller.view(w.getTodo, { id: 1 });
    expect(fetching.value).toBe(true);
    await screen.unmount();
    await screen.act(() => w.clock.advance(100));
    expect(fetching.value).toBe(false);
    await screen.act(() => w.server.release());
    expect(w.server.log).toEqual(['GET /todos/1']);
  },

  '[F3] a request is aborted after a change of the arguments': async (driver) => {
    const w = world();
    const screen = await shown(driver, w, dle);
    w.server.hold();
    await screen.act(() => w.controller.expireAll(w.getTodo));
    const { fetching } = w.controller.view(w.getTodo, { id: 1 });
    await screen.show([{ view: 'dle', params: { id: 2 } }]);
    await screen.act(() => w.clock.advance(100));
    expect(fetching.value).toBe(false);
    await screen.act(() => w.server.release());
    expect(lines(screen)).toEqual(['t2 by bob']);
  },

  '[F3] the requests of waiting readers are neither aborted nor repeated for 55 seconds': async (
    driver,
  ) => {
    const w = world();
    w.server.hold();
    const screen = await driver.mount(w, [detail, { view: 'dle', params: { id: 2 } }]);
    for (const ms of [5_000, 50_000]) await screen.act(() => w.clock.advance(ms));
    expect(lines(screen)).toEqual(['loading']);
    await screen.act(() => w.server.release());
    expect(lines(screen)).toEqual(['t1 by ada', 't2 by bob']);
    expect([...w.server.log].sort()).toEqual(['GET /todos/1', 'GET /todos/2']);
  },

  '[F3] the request of a single suspended reader is neither aborted nor repeated for 5 minutes':
    async (driver) => {
      const w = world();
      w.server.hold();
      const screen = await driver.mount(w, [detail]);
      for (let turn = 0; turn < 5; turn++) {
        await screen.act(() => w.clock.advance(60_000));
        expect(lines(screen)).toEqual(['loading']);
      }
      await screen.act(() => w.server.release());
      expect(lines(screen)).toEqual(['t1 by ada']);
      expect(w.server.log).toEqual(['GET /todos/1']);
    },

  '[F3] the request of a discarded first render is aborted, and a later reader fetches': async (
    driver,
  ) => {
    const w = world();
    w.server.hold();
    const screen = await driver.mount(w, [detail]);
    const { fetching } = w.controller.view(w.getTodo, { id: 1 });
    expect(fetching.value).toBe(true);
    await screen.show([]);
    await screen.act(() => w.clock.advance(60_000));
    await screen.act(() => w.clock.advance(60_000));
    expect(fetching.value).toBe(false);
    // and a later reader fetches
    await screen.show([detail]);
    await screen.act(() => w.server.release());
    expect(lines(screen)).toEqual(['t1 by ada']);
    expect(w.server.log).toEqual(['GET /todos/1', 'GET /todos/1']);
  },

  '[F3] the request of a reader that suspends again is not aborted': async (driver) => {
    const w = world();
    const screen = await shown(driver, w, detail);
    w.server.hold();
    await screen.act(() => w.controller.invalidate(w.getTodo, { id: 1 }));
    for (const ms of [100, 5_000, 5_000]) await screen.act(() => w.clock.advance(ms));
    expect(lines(screen)).toEqual(['loading']);
    await screen.act(() => w.server.release());
    expect(lines(screen)).toEqual(['t1 by ada']);
    expect(w.server.log).toEqual(['GET /todos/1']);
  },
};
