// Behaviours of rows that are shown during their deletion.
import { expect } from 'vitest';
import type { Scene } from './driver.ts';
import { lines, shown } from './page.ts';
import type { Behaviours } from './page.ts';
import { world } from './world.ts';

const todo = (view: Scene['view'], id = 1): Scene => ({ view, params: { id } });
const list: Scene = { view: 'list', params: {} };
// all views that show a single todo
const details = [todo('detail'), todo('dle'), todo('cache'), todo('live'), todo('panel')];
const kept = ['t1 by ada', 't1 by ada, deleted', 't1 by ada', 't1 by ada', 't1 by ada'];
const all = kept.map(() => 't1 by ada');
const rows = ['t2 by bob', 't3 by ada'];
const whole = { id: 1, userId: 1, title: 't1', done: false, author: 1 };

export const deleting: Behaviours = {
  '[C10] mounted details of a deleted row keep the data and send no request, and lists drop the row':
    async (driver) => {
      const w = world({ size: 3 });
      const screen = await shown(driver, w, ...details, list);
      await screen.act(() => w.controller.fetch(w.remove, { id: 1 }));
      expect(lines(screen)).toEqual([...kept, ...rows]);
      expect(w.server.log).toEqual(['DELETE /todos/1']);
      expect(w.controller.get(w.Todo, { id: 1 })).toBeUndefined();
    },

  '[C10] mounted details keep the data during an optimistic deletion and after the confirmation':
    async (driver) => {
      const w = world({ size: 3 });
      const screen = await shown(driver, w, ...details, list);
      w.server.hold();
      await screen.act(() => void w.controller.fetch(w.drop, { id: 1 }));
      expect(lines(screen)).toEqual([...kept, ...rows]);
      w.ran();
      await screen.act(() => w.server.release());
      expect(lines(screen)).toEqual([...kept, ...rows]);
      expect(w.ran()).toEqual({});
      expect(w.server.log).toEqual(['DELETE /todos/1']);
    },

  '[C10] a failed deletion restores details and lists, without an error': async (driver) => {
    const w = world({ size: 3 });
    const screen = await shown(driver, w, ...details, list);
    w.server.hold();
    w.server.fail(403);
    await screen.act(() => void w.controller.fetch(w.drop, { id: 1 }).catch(() => {}));
    expect(lines(screen)).toEqual([...kept, ...rows]);
    await screen.act(() => w.server.release());
    expect(lines(screen)).toEqual([...all, 't1 by ada', ...rows]);
    expect(w.server.log).toEqual(['DELETE /todos/1']);
    w.server.fail(undefined);
    await screen.act(() => w.controller.set(w.Todo, { id: 1 }, { title: 'new' }));
    expect(lines(screen)[0]).toBe('new by ada');
  },

  '[C10] time, polls, focus, reconnect and expireAll request no deleted row of a mounted reader':
    async (driver) => {
      const w = world();
      const screen = await shown(driver, w, ...details);
      await screen.act(() => w.controller.fetch(w.remove, { id: 1 }));
      w.server.log.length = 0;
      await screen.act(() => w.clock.advance(1_000_000));
      await screen.act(() => w.comeBack('focus'));
      await screen.act(() => w.comeBack('reconnect'));
      await screen.act(() => w.controller.expireAll(w.getTodo));
      await screen.show([...details, list]);
      expect(lines(screen).slice(0, 5)).toEqual(kept);
      expect(w.server.log).toEqual(['GET /todos']);
    },

  '[C10] a reader that mounts after the deletion requests the row, and mounted readers keep the data':
    async (driver) => {
      const w = world();
      const screen = await shown(driver, w, todo('detail'), todo('dle'), todo('cache'));
      await screen.act(() => w.controller.fetch(w.remove, { id: 1 }));
      w.server.log.length = 0;
      const later = [todo('dle'), todo('cache'), todo('panel')];
      await screen.show([todo('detail'), todo('dle'), todo('cache'), ...later]);
      expect(w.server.log).toEqual(['GET /todos/1']);
      expect(lines(screen).slice(0, 3)).toEqual(kept.slice(0, 3));
      expect(lines(screen).slice(3)).toEqual(['failed: not found', 'nothing', 'not found']);
    },

  '[C10] a reader that mounts again after an unmount requests the deleted row': async (driver) => {
    const w = world();
    const screen = await shown(driver, w, todo('dle'));
    await screen.act(() => w.controller.fetch(w.remove, { id: 1 }));
    await screen.show([]);
    await screen.show([todo('dle')]);
    expect(lines(screen)).toEqual(['failed: not found']);
    expect(w.server.log).toEqual(['DELETE /todos/1', 'GET /todos/1']);
  },

  '[C10] a restored row is shown by mounted readers again': async (driver) => {
    const w = world();
    const screen = await shown(driver, w, ...details);
    await screen.act(() => w.controller.fetch(w.remove, { id: 1 }));
    await screen.act(() => w.controller.set(w.Todo, { id: 1 }, { ...whole, title: 'again' }));
    expect(lines(screen)).toEqual(kept.map(() => 'again by ada'));
    await screen.act(() => w.controller.set(w.Todo, { id: 1 }, { title: 'more' }));
    expect(lines(screen)).toEqual(kept.map(() => 'more by ada'));
    expect(w.server.log).toEqual(['DELETE /todos/1']);
  },

  '[C10] a pushed deletion keeps the data of mounted details, and sends no request': async (
    driver,
  ) => {
    const w = world();
    const screen = await shown(driver, w, ...details);
    await screen.act(() => w.controller.set(w.remove.schema as never, { id: 1 }, { id: 1 }));
    expect(lines(screen)).toEqual(kept);
    expect(w.server.log).toEqual([]);
  },

  '[C10] useDLE with other arguments, and back, requests the deleted row': async (driver) => {
    const w = world();
    const screen = await shown(driver, w, todo('dle'));
    await screen.act(() => w.controller.fetch(w.remove, { id: 1 }));
    await screen.show([todo('dle', 2)]);
    expect(lines(screen)).toEqual(['t2 by bob']);
    await screen.show([todo('dle')]);
    expect(lines(screen)).toEqual(['failed: not found']);
  },

  '[I2] an invalidation requests a deleted row for a mounted reader': async (driver) => {
    const w = world();
    const screen = await shown(driver, w, todo('dle'));
    await screen.act(() => w.controller.fetch(w.remove, { id: 1 }));
    await screen.act(() => w.controller.invalidate(w.getTodo, { id: 1 }));
    expect(lines(screen)).toEqual(['failed: not found']);
    expect(w.server.log).toEqual(['DELETE /todos/1', 'GET /todos/1']);
  },

  '[O14] a response that an optimistic deletion hides is no error, and is shown if the deletion fails':
    async (driver) => {
      const w = world();
      const screen = await shown(driver, w, todo('detail'), todo('dle'));
      w.server.hold();
      await screen.act(() => w.controller.expireAll(w.getTodo));
      const read = w.controller.fetch(w.getTodo, { id: 1 });
      await screen.act(() => void w.controller.fetch(w.drop, { id: 1 }).catch(() => {}));
      w.server.row(1)!.title = 'newer';
      await screen.act(() => w.server.releaseOne());
      expect((await read).title).toBe('newer');
      expect(lines(screen)).toEqual(kept.slice(0, 2));
      w.server.fail(500);
      await screen.act(() => w.server.release());
      expect(lines(screen)).toEqual(['newer by ada', 'newer by ada']);
      expect(w.server.log).toEqual(['GET /todos/1', 'DELETE /todos/1']);
    },

  '[O14] a reader that mounts during an optimistic deletion sends one request, and shows the row as deleted':
    async (driver) => {
      const w = world();
      const screen = await shown(driver, w, todo('detail', 2));
      await screen.act(() => w.controller.fetch(w.getTodo, { id: 1 }));
      const answers: (() => void)[] = [];
      const slow = w.drop.extend({
        fetch: ({ id }: { id: number }) =>
          new Promise<{ id: number }>((resolve) => answers.push(() => resolve({ id }))),
      });
      await screen.act(() => void w.controller.fetch(slow, { id: 1 }));
      w.server.log.length = 0;
      await screen.show([todo('detail', 2), todo('dle')]);
      expect(lines(screen)).toEqual(['t2 by bob', 't1 by ada, deleted']);
      expect(w.server.log).toEqual(['GET /todos/1']);
      await screen.act(() => answers.forEach((answer) => answer()));
      expect(lines(screen)).toEqual(['t2 by bob', 't1 by ada, deleted']);
      expect(w.server.log).toEqual(['GET /todos/1']);
    },

  '[O8] a reset drops the kept data of a deleted row': async (driver) => {
    const w = world();
    const screen = await shown(driver, w, todo('dle'), todo('cache'));
    await screen.act(() => w.controller.fetch(w.remove, { id: 1 }));
    await screen.act(() => w.controller.reset());
    expect(lines(screen)).toEqual(['failed: not found', 'nothing']);
  },
};
