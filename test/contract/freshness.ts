// Behaviours of the four states: the shown data and the requests.
import { expect } from 'vitest';
import { lines, shown } from './page.ts';
import type { Behaviours } from './page.ts';
import { world } from './world.ts';

const detail = { view: 'detail', params: { id: 1 } } as const;
const other = { view: 'detail', params: { id: 2 } } as const;

export const freshness: Behaviours = {
  '[C3] stale data are shown while they are asked again': async (driver) => {
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

  '[C4] fresh data are shown and nothing is asked': async (driver) => {
    const w = world();
    await w.controller.fetch(w.getTodo, { id: 1 });
    w.clock.advance(60_000);
    w.server.hold();
    const screen = await driver.mount(w, [detail]);
    expect(lines(screen)).toEqual(['t1 by ada']);
    expect(w.server.log).toEqual(['GET /todos/1']);
  },

  '[C5] time alone asks nothing of a mounted reader': async (driver) => {
    const w = world();
    const screen = await shown(driver, w, detail);
    await screen.act(() => w.clock.advance(1_000_000));
    await screen.show([detail]);
    await screen.act(() => w.controller.set(w.Todo, { id: 1 }, { title: 'pushed' }));
    expect(lines(screen)).toEqual(['pushed by ada']);
    expect(w.server.log).toEqual([]);
  },

  '[C5] expireAll asks again for what is mounted, and shows it meanwhile': async (driver) => {
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

  '[C1] what is invalidated suspends and is asked again': async (driver) => {
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

  '[C1] after it was invalidated and answered, a reader follows changes as before': async (
    driver,
  ) => {
    const w = world();
    const screen = await shown(driver, w, detail);
    await screen.act(() => w.controller.invalidate(w.getTodo, { id: 1 }));
    expect(lines(screen)).toEqual(['t1 by ada']);
    w.ran();
    await screen.act(() => w.controller.set(w.Todo, { id: 1 }, { title: 'pushed' }));
    expect(lines(screen)).toEqual(['pushed by ada']);
    expect(w.ran()).toEqual({ detail: 1 });
  },

  '[C1] useDLE waits and asks again for what is invalidated': async (driver) => {
    const w = world();
    const screen = await shown(driver, w, { view: 'dle', params: { id: 1 } });
    w.server.hold();
    await screen.act(() => w.controller.invalidate(w.getTodo, { id: 1 }));
    expect(lines(screen)).toEqual(['wait']);
    await screen.act(() => w.server.release());
    expect(lines(screen)).toEqual(['t1 by ada']);
    expect(w.server.log).toEqual(['GET /todos/1']);
  },

  '[C2] expired data suspend with invalidIfStale': async (driver) => {
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

  '[C2] with invalidIfStale useDLE waits for expired data': async (driver) => {
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

  '[C2] useDLE asks again for expired data whose response it has waited for': async (driver) => {
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

  '[C2] a new reader asks for expired data that a mounted useDLE has waited for': async (
    driver,
  ) => {
    const dle = { view: 'dle', params: { id: 1 } } as const;
    const w = world({ dataExpiryLength: 5_000 });
    const screen = await driver.mount(w, [dle]);
    w.clock.advance(5_001);
    await screen.show([dle, detail]);
    expect(lines(screen)).toEqual(['t1 by ada', 't1 by ada']);
    expect(w.server.log).toEqual(['GET /todos/1', 'GET /todos/1']);
  },

  '[C8] an expiry of 0 asks once for useDLE and a suspended reader beside it': async (driver) => {
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

  '[C2] a mounted reader goes on showing while another waits for the expired': async (driver) => {
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

  '[C8] an expiry of 0 asks once per mount and does not loop': async (driver) => {
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

  '[C8] an expiry below 0 with invalidIfStale shows and does not loop': async (driver) => {
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
