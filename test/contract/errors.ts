// Behaviours of failures: who sees them, and what asks again.
import { expect } from 'vitest';
import { lines, shown } from './page.ts';
import type { Behaviours } from './page.ts';
import { world } from './world.ts';

const detail = { view: 'detail', params: { id: 1 } } as const;

export const errors: Behaviours = {
  '[H7] an error reaches the boundary, and its reset asks again': async (driver) => {
    const w = world();
    w.server.fail(404);
    const screen = await driver.mount(w, [detail]);
    expect(lines(screen)).toEqual(['status 404']);
    expect(w.server.log).toEqual(['GET /todos/1']);
    w.server.fail(undefined);
    w.clock.advance(1_001);
    await screen.retry();
    expect(lines(screen)).toEqual(['t1 by ada']);
    expect(w.server.log).toEqual(['GET /todos/1', 'GET /todos/1']);
  },

  '[H7] a reset that fails again reaches the boundary again': async (driver) => {
    const w = world();
    w.server.fail(404);
    const screen = await driver.mount(w, [detail]);
    w.server.fail(403);
    w.clock.advance(1_001);
    await screen.retry();
    expect(lines(screen)).toEqual(['status 403']);
    expect(w.server.log).toHaveLength(2);
  },

  '[C7] without data a soft error reaches the boundary, too': async (driver) => {
    const w = world();
    w.server.fail(500);
    const screen = await driver.mount(w, [detail]);
    expect(lines(screen)).toEqual(['status 500']);
    expect(w.server.log).toEqual(['GET /todos/1']);
  },

  '[C7] a soft error keeps the data that are shown, and runs nothing': async (driver) => {
    const w = world();
    const screen = await shown(driver, w, detail);
    w.server.fail(500);
    await screen.act(() => w.controller.fetch(w.getTodo, { id: 1 }).catch(() => {}));
    expect(lines(screen)).toEqual(['t1 by ada']);
    expect(w.server.log).toEqual(['GET /todos/1']);
    expect(w.ran()).toEqual({});
  },

  '[C7] a hard error takes the place of the data': async (driver) => {
    const w = world();
    const screen = await shown(driver, w, detail);
    w.server.fail(404);
    await screen.act(() => w.controller.fetch(w.getTodo, { id: 1 }).catch(() => {}));
    expect(lines(screen)).toEqual(['status 404']);
    w.server.fail(undefined);
    w.clock.advance(1_001);
    await screen.retry();
    expect(lines(screen)).toEqual(['t1 by ada']);
    expect(w.server.log).toHaveLength(2);
  },

  '[C7] an error of one key leaves other keys alone': async (driver) => {
    const w = world();
    const screen = await shown(driver, w, { view: 'dle', params: { id: 2 } });
    w.server.fail(404);
    await screen.show([
      { view: 'dle', params: { id: 2 } },
      { view: 'dle', params: { id: 1 } },
    ]);
    expect(lines(screen)).toEqual(['t2 by bob', 'failed: status 404']);
  },
};
