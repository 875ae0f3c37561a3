// Behaviours of useSuspenseAll and useDLEAll: a list of reads in a hook.
import { expect } from 'vitest';
import { holders, lines, shown } from './page.ts';
import type { Behaviours } from './page.ts';
import { world } from './world.ts';

type Ids = readonly (number | null)[];
const several = (...ids: Ids) => ({ view: 'several', params: { ids } }) as const;
const states = (...ids: Ids) => ({ view: 'severalStates', params: { ids } }) as const;

export const reads: Behaviours = {
  '[H2] several reads start in parallel, suspend until all have data, and are shown in order':
    async (driver) => {
      const w = world();
      w.server.hold();
      const screen = await driver.mount(w, [several(3, 1, 2)]);
      expect(w.server.log).toEqual(['GET /todos/3', 'GET /todos/1', 'GET /todos/2']);
      await screen.act(() => w.server.releaseOne());
      await screen.act(() => w.server.releaseOne());
      expect(lines(screen)).toEqual(['loading']);
      await screen.act(() => w.server.release());
      expect(lines(screen)).toEqual(['t3 by ada; t1 by ada; t2 by bob']);
      expect(w.server.log).toHaveLength(3);
    },

  '[H2] a list of reads grows, shrinks and is reordered: only new reads are sent': async (
    driver,
  ) => {
    const w = world();
    const screen = await shown(driver, w, several(1, 2));
    await screen.show([several(1, 2, 3)]);
    expect(lines(screen)).toEqual(['t1 by ada; t2 by bob; t3 by ada']);
    expect(w.server.log).toEqual(['GET /todos/3']);
    await screen.show([several(3, 1)]);
    expect(lines(screen)).toEqual(['t3 by ada; t1 by ada']);
    await screen.show([several()]);
    expect(lines(screen)).toEqual(['']);
    await screen.show([several(2)]);
    expect(lines(screen)).toEqual(['t2 by bob']);
    expect(w.server.log).toEqual(['GET /todos/3']);
  },

  '[H2] a list that grows to 40 reads sends the requests of all new reads at once': async (
    driver,
  ) => {
    const w = world({ size: 40 });
    const screen = await shown(driver, w, several(1));
    w.server.hold();
    const ids = w.server.rows.map(({ id }) => id);
    await screen.show([several(...ids)]);
    expect(w.server.log).toHaveLength(39);
    await screen.act(() => w.server.release());
    expect(lines(screen)[0]?.split('; ')).toHaveLength(40);
    expect(w.server.log).toHaveLength(39);
  },

  '[C5] expired reads that stay in a growing list are not refetched': async (driver) => {
    const w = world();
    const screen = await shown(driver, w, several(1), states(2));
    w.clock.advance(61_000);
    await screen.show([several(1, 3), states(2, 4)]);
    expect(lines(screen)).toEqual(['t1 by ada; t3 by ada', 't2 by bob; t4 by bob']);
    expect(w.server.log).toEqual(['GET /todos/3', 'GET /todos/4']);
  },

  '[C2] several stale reads are shown during the refetch': async (driver) => {
    const w = world();
    for (const id of [1, 2]) await w.controller.fetch(w.getTodo, { id });
    w.clock.advance(61_000);
    w.server.log.length = 0;
    w.server.hold();
    const screen = await driver.mount(w, [several(1, 2)]);
    expect(lines(screen)).toEqual(['t1 by ada; t2 by bob']);
    expect(w.server.log).toEqual(['GET /todos/1', 'GET /todos/2']);
    await screen.act(() => w.server.release());
    expect(w.server.log).toHaveLength(2);
  },

  '[F1] equal reads in one list share a request': async (driver) => {
    const w = world();
    const screen = await driver.mount(w, [several(1, 2, 1), states(1, 1)]);
    expect(lines(screen)).toEqual(['t1 by ada; t2 by bob; t1 by ada', 't1 by ada; t1 by ada']);
    expect(w.server.log).toEqual(['GET /todos/1', 'GET /todos/2']);
    await screen.act(() => w.controller.set(w.Todo, { id: 1 }, { title: 'new' }));
    expect(lines(screen)).toEqual(['new by ada; t2 by bob; new by ada', 'new by ada; new by ada']);
  },

  '[C4] null arguments in a list of reads send no request and return no data': async (driver) => {
    const w = world();
    const screen = await driver.mount(w, [several(null, 2), states(null, 1)]);
    expect(lines(screen)).toEqual(['nothing; t2 by bob', 'nothing; t1 by ada']);
    expect(w.server.log).toEqual(['GET /todos/2', 'GET /todos/1']);
    await screen.show([several(3, null), states(null)]);
    expect(lines(screen)).toEqual(['t3 by ada; nothing', 'nothing']);
    expect(w.server.log).toHaveLength(3);
  },

  '[H7] one failed read of several reaches the boundary, and the reset refetches only this read':
    async (driver) => {
      const w = world();
      const screen = await driver.mount(w, [several(1, 9, 2)]);
      expect(lines(screen)).toEqual(['not found']);
      w.server.rows.push({ id: 9, userId: 1, title: 't9' });
      w.server.log.length = 0;
      await screen.retry();
      expect(lines(screen)).toEqual(['t1 by ada; t9 by ada; t2 by bob']);
      expect(w.server.log).toEqual(['GET /todos/9']);
    },

  '[C1] of several reads only the invalidated read is refetched': async (driver) => {
    const w = world();
    const screen = await shown(driver, w, several(1, 2));
    await screen.act(() => w.controller.invalidate(w.getTodo, { id: 2 }));
    expect(lines(screen)).toEqual(['t1 by ada; t2 by bob']);
    expect(w.server.log).toEqual(['GET /todos/2']);
  },

  '[C10] a deleted row of several reads stays for the mounted component': async (driver) => {
    const w = world();
    const screen = await shown(driver, w, several(1, 2), states(1, 2));
    await screen.act(() => w.controller.fetch(w.remove, { id: 1 }));
    expect(lines(screen)).toEqual(['t1 by ada; t2 by bob', 't1 by ada, deleted; t2 by bob']);
    expect(w.server.log).toEqual(['DELETE /todos/1']);
  },

  '[H1] useDLEAll shows each read in its own state, as the list grows': async (driver) => {
    const w = world();
    w.server.hold();
    const screen = await driver.mount(w, [states(1, 2)]);
    expect(lines(screen)).toEqual(['wait; wait']);
    await screen.act(() => w.server.releaseOne());
    expect(lines(screen)).toEqual(['t1 by ada; wait']);
    await screen.show([states(9, 1, 2)]);
    expect(lines(screen)).toEqual(['wait; t1 by ada; wait']);
    await screen.act(() => w.server.release());
    expect(lines(screen)).toEqual(['failed: not found; t1 by ada; t2 by bob']);
    await screen.show([states(2)]);
    expect(lines(screen)).toEqual(['t2 by bob']);
    expect(w.server.log).toEqual(['GET /todos/1', 'GET /todos/2', 'GET /todos/9']);
  },

  '[C1] useDLEAll is loading only for the invalidated read, also if the response is equal': async (
    driver,
  ) => {
    const w = world();
    const screen = await shown(driver, w, states(1, 2));
    w.server.hold();
    await screen.act(() => w.controller.invalidate(w.getTodo, { id: 2 }));
    expect(lines(screen)).toEqual(['t1 by ada; wait']);
    await screen.act(() => w.server.release());
    expect(lines(screen)).toEqual(['t1 by ada; t2 by bob']);
    expect(w.server.log).toEqual(['GET /todos/2']);
  },

  '[V6] several reads leave no subscription after an unmount': async (driver) => {
    const w = world();
    const screen = await shown(driver, w, several(1, 2), states(2, 3));
    await screen.show([several(2), states(3, 1, 1)]);
    await screen.unmount();
    for (const id of [1, 2, 3]) {
      expect(holders(w.controller.view(w.getTodo, { id }))).toEqual([]);
    }
  },
};
