// Behaviours of lists at two addresses, and of lists after a mutation.
import { expect } from 'vitest';
import { lines, shown } from './page.ts';
import type { Behaviours } from './page.ts';
import { world } from './world.ts';

const list = { view: 'list', params: {} } as const;
const newest = { view: 'newest', params: {} } as const;
const all = ['t1 by ada', 't2 by bob', 't3 by ada'];

export const lists: Behaviours = {
  '[N14] two lists with equal arguments at two addresses show their own rows, in any order of mounting':
    async (driver) => {
      const w = world({ size: 3 });
      const screen = await shown(driver, w, newest);
      await screen.show([newest, list]);
      expect(lines(screen)).toEqual(['t3 by ada', 't2 by bob', ...all]);
      expect(w.server.log).toEqual(['GET /todos']);
      await screen.show([]);
      await screen.show([list, newest]);
      expect(lines(screen)).toEqual([...all, 't3 by ada', 't2 by bob']);
    },

  '[N18] a created row joins its list at once, and a list at another address is refetched': async (
    driver,
  ) => {
    const w = world({ size: 3 });
    const screen = await shown(driver, w, list, newest);
    await screen.act(() => w.controller.fetch(w.create, { title: 'born', userId: 1 }));
    expect(w.server.log).toEqual(['POST /todos', 'GET /newest']);
    expect(lines(screen)).toEqual([...all, 'born by ada', 'born by ada', 't3 by ada']);
  },

  '[N18] a deleted row leaves each list at once, and a list at another address is refetched':
    async (driver) => {
      const w = world({ size: 3 });
      const screen = await shown(driver, w, list, newest);
      await screen.act(() => w.controller.fetch(w.remove, { id: 3 }));
      expect(lines(screen)).toEqual(['t1 by ada', 't2 by bob', 't2 by bob', 't1 by ada']);
      expect(w.server.log).toEqual(['DELETE /todos/3', 'GET /newest']);
    },

  '[N21] a row moves to another column at once, and back if the change fails': async (driver) => {
    const w = world({ size: 4 });
    w.server.users.set(3, { id: 3, name: 'eve' });
    const columns = [1, 2, 3].map((userId) => ({ view: 'list', params: { userId } }) as const);
    const screen = await shown(driver, w, ...columns);
    const before = ['t1 by ada', 't3 by ada', 't2 by bob', 't4 by bob'];
    expect(lines(screen)).toEqual(before);
    w.server.hold();
    w.server.fail(400);
    const edit = () => w.controller.fetch(w.edit, { id: 1 }, { userId: 3 });
    await screen.act(() => void edit().catch(() => {}));
    expect(lines(screen)).toEqual(['t3 by ada', 't2 by bob', 't4 by bob', 't1 by ada']);
    await screen.act(() => w.server.release());
    expect(lines(screen)).toEqual(before);
    w.server.fail(undefined);
    w.server.log.length = 0;
    await screen.act(edit);
    expect(lines(screen)).toEqual(['t3 by ada', 't2 by bob', 't4 by bob', 't1 by eve']);
    expect(w.server.log).toEqual(['PATCH /todos/1', 'GET /todos?userId=1', 'GET /todos?userId=3']);
  },

  '[N21] a push moves a row between two mounted lists': async (driver) => {
    const w = world({ size: 3 });
    const screen = await shown(
      driver,
      w,
      { view: 'list', params: { userId: 1 } },
      { view: 'list', params: { userId: 2 } },
    );
    w.server.hold();
    Object.assign(w.server.row(3) ?? {}, { userId: 2 });
    await screen.act(() => w.controller.set(w.Todo, { id: 3 }, { userId: 2 }));
    expect(lines(screen)).toEqual(['t1 by ada', 't2 by bob', 't3 by ada']);
    await screen.act(() => w.server.release());
    expect(w.server.log).toEqual(['GET /todos?userId=1', 'GET /todos?userId=2']);
  },

  '[N21] a mutation of an unknown row refetches the mounted list that the row matches': async (
    driver,
  ) => {
    const w = world({ size: 4 });
    const screen = await shown(
      driver,
      w,
      { view: 'list', params: { userId: 1 } },
      { view: 'dle', params: { id: 1 } },
    );
    await screen.act(() => w.controller.fetch(w.update, { id: 2 }, { userId: 1 }));
    expect(lines(screen)).toEqual(['t1 by ada', 't2 by ada', 't3 by ada', 't1 by ada']);
    expect(w.server.log).toEqual(['PATCH /todos/2', 'GET /todos?userId=1']);
  },

  '[H9] <For> renders the list in an envelope, and the selected one of several lists': async (
    driver,
  ) => {
    const w = world({ size: 4 });
    const screen = await shown(driver, w, { view: 'envelope', params: {} });
    expect(lines(screen)).toEqual(['t1 by ada', 't2 by bob', 't3 by ada', 't4 by bob']);
    await screen.act(() => w.controller.set(w.Todo, { id: 2 }, { title: 'new' }));
    expect(lines(screen)).toEqual(['t1 by ada', 'new by bob', 't3 by ada', 't4 by bob']);
    expect(w.ran()).toEqual({ 'row 2': 1 });
    await screen.act(() => w.controller.fetch(w.getPages.getPage, { cursor: '2' }));
    expect(lines(screen)).toHaveLength(6);
    expect(w.ran()).toEqual({ 'row 3': 1, 'row 4': 1 });
    await screen.show([{ view: 'envelope', params: null }]);
    expect(lines(screen)).toEqual(['t3 by ada', 't4 by bob']);
  },
};
