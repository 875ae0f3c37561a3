// Behaviours of optimistic mutations.
import { expect } from 'vitest';
import { lines, rowsRan, shown } from './page.ts';
import type { Behaviours } from './page.ts';
import { world } from './world.ts';

const list = { view: 'list', params: {} } as const;
const fineList = { view: 'fineList', params: {} } as const;
const editor = { view: 'editor', params: { id: 1 } } as const;

export const optimism: Behaviours = {
  '[O5] an optimistic edit is shown at once, and an equal response re-renders nothing': async (
    driver,
  ) => {
    const w = world();
    const screen = await shown(driver, w, editor);
    w.server.hold();
    await screen.press();
    expect(lines(screen)).toEqual(['edited by ada']);
    expect(w.server.log).toEqual(['PATCH /todos/1']);
    expect(w.ran()).toEqual({ editor: 1 });
    await screen.act(() => w.server.release());
    expect(lines(screen)).toEqual(['edited by ada']);
    expect(w.ran()).toEqual({});
    expect(w.server.row(1)?.title).toBe('edited');
  },

  '[O5] a failed optimistic edit is rolled back': async (driver) => {
    const w = world();
    const screen = await shown(driver, w, editor);
    w.server.hold();
    w.server.fail(400);
    await screen.press();
    expect(lines(screen)).toEqual(['edited by ada']);
    await screen.act(() => w.server.release());
    expect(lines(screen)).toEqual(['t1 by ada']);
    expect(w.ran()).toEqual({ editor: 2 });
  },

  '[O5] an optimistic edit and its rollback each re-render one row of a list': async (driver) => {
    const w = world();
    const screen = await shown(driver, w, list, editor);
    w.server.hold();
    w.server.fail(400);
    await screen.press();
    expect(rowsRan(w)).toEqual({ 'row 1': 1 });
    expect(lines(screen)[0]).toBe('edited by ada');
    await screen.act(() => w.server.release());
    expect(rowsRan(w)).toEqual({ 'row 1': 1 });
    expect(lines(screen)[0]).toBe('t1 by ada');
  },

  '[O5] in a fine-grained list an optimistic edit re-renders one row and no list': async (
    driver,
  ) => {
    const w = world();
    const screen = await shown(driver, w, fineList);
    w.server.hold();
    const sent = w.controller.fetch(w.edit, { id: 2 }, { title: 'edited' });
    await screen.act();
    expect(w.ran()).toEqual({ 'row 2': 1 });
    await screen.act(() => w.server.release());
    await sent;
    expect(w.ran()).toEqual({});
    expect(lines(screen)[1]).toBe('edited by bob');
  },

  '[O5] of two optimistic edits the second stays shown when the first fails': async (driver) => {
    const w = world();
    const screen = await shown(driver, w, editor);
    w.server.hold();
    let first: Promise<unknown> = Promise.resolve();
    await screen.act(() => {
      first = w.controller.fetch(w.edit, { id: 1 }, { title: 'first' });
      first.catch(() => {});
      void w.controller.fetch(w.edit, { id: 1 }, { title: 'second' });
    });
    expect(lines(screen)).toEqual(['second by ada']);
    w.server.fail(400);
    await screen.act(() => w.server.releaseOne());
    await expect(first).rejects.toThrow('status 400');
    expect(lines(screen)).toEqual(['second by ada']);
    w.server.fail(undefined);
    await screen.act(() => w.server.release());
    expect(lines(screen)).toEqual(['second by ada']);
  },

  '[O5] an optimistic deletion is shown at once, and re-renders no other row': async (driver) => {
    const w = world({ size: 3 });
    const screen = await shown(driver, w, list);
    w.server.hold();
    await screen.act(() => void w.controller.fetch(w.drop, { id: 2 }));
    expect(lines(screen)).toEqual(['t1 by ada', 't3 by ada']);
    expect(rowsRan(w)).toEqual({});
    await screen.act(() => w.server.release());
    expect(lines(screen)).toEqual(['t1 by ada', 't3 by ada']);
    expect(rowsRan(w)).toEqual({});
  },

  '[O5] a failed deletion restores the row at its place': async (driver) => {
    const w = world({ size: 3 });
    const screen = await shown(driver, w, list, fineList);
    w.server.hold();
    w.server.fail(400);
    await screen.act(() => void w.controller.fetch(w.drop, { id: 2 }).catch(() => {}));
    expect(lines(screen)).toEqual(['t1 by ada', 't3 by ada', 't1 by ada', 't3 by ada']);
    await screen.act(() => w.server.release());
    const all = ['t1 by ada', 't2 by bob', 't3 by ada'];
    expect(lines(screen)).toEqual([...all, ...all]);
    expect(Object.keys(rowsRan(w))).toEqual(['row 2']);
  },
};
