// Behaviours of reading: waiting, sharing, arguments.
import { expect } from 'vitest';
import { lines, shown } from './page.ts';
import type { Behaviours } from './page.ts';
import { world } from './world.ts';

const twelve = Array.from({ length: 12 }, () => ({ view: 'detail', params: { id: 1 } }) as const);

export const reading: Behaviours = {
  '[H2] a reader suspends, and then shows the data': async (driver) => {
    const w = world();
    w.server.hold();
    const screen = await driver.mount(w, [{ view: 'detail', params: { id: 1 } }]);
    expect(lines(screen)).toEqual(['loading']);
    await screen.act(() => w.server.release());
    expect(lines(screen)).toEqual(['t1 by ada']);
    expect(w.server.log).toEqual(['GET /todos/1']);
  },

  '[H2] a reader of a list suspends, and then shows the rows in order': async (driver) => {
    const w = world({ size: 3 });
    w.server.hold();
    const screen = await driver.mount(w, [{ view: 'list', params: {} }]);
    expect(lines(screen)).toEqual(['loading']);
    await screen.act(() => w.server.release());
    expect(lines(screen)).toEqual(['t1 by ada', 't2 by bob', 't3 by ada']);
    expect(w.server.log).toEqual(['GET /todos']);
  },

  '[H3] a fine-grained list suspends, and then shows the same rows': async (driver) => {
    const w = world({ size: 3 });
    w.server.hold();
    const screen = await driver.mount(w, [{ view: 'fineList', params: {} }]);
    expect(lines(screen)).toEqual(['loading']);
    await screen.act(() => w.server.release());
    expect(lines(screen)).toEqual(['t1 by ada', 't2 by bob', 't3 by ada']);
    expect(w.server.log).toEqual(['GET /todos']);
  },

  '[F1] twelve readers of one key send one request': async (driver) => {
    const w = world();
    const screen = await driver.mount(w, twelve);
    expect(lines(screen)).toEqual(twelve.map(() => 't1 by ada'));
    expect(w.server.log).toEqual(['GET /todos/1']);
  },

  '[F1] twelve readers that mount on stale data send one request': async (driver) => {
    const w = world();
    await w.controller.fetch(w.getTodo, { id: 1 });
    w.clock.advance(61_000);
    const screen = await driver.mount(w, twelve);
    expect(lines(screen)).toEqual(twelve.map(() => 't1 by ada'));
    expect(w.server.log).toEqual(['GET /todos/1', 'GET /todos/1']);
  },

  '[H2] siblings send their requests in parallel': async (driver) => {
    const w = world();
    w.server.hold();
    const screen = await driver.mount(w, [
      { view: 'detail', params: { id: 1 } },
      { view: 'detail', params: { id: 2 } },
    ]);
    expect(w.server.log).toEqual(['GET /todos/1', 'GET /todos/2']);
    await screen.act(() => w.server.release());
    expect(lines(screen)).toEqual(['t1 by ada', 't2 by bob']);
    expect(w.server.log).toHaveLength(2);
  },

  '[C9] null arguments send no request and return the empty value': async (driver) => {
    const w = world();
    const screen = await driver.mount(w, [
      { view: 'detail', params: null },
      { view: 'list', params: null },
      { view: 'fineList', params: null },
      { view: 'dle', params: null },
      { view: 'cache', params: null },
      { view: 'live', params: null },
      { view: 'entity', params: null },
      { view: 'shape', params: null },
    ]);
    const nothing = lines(screen).filter((line) => line === 'nothing');
    expect(nothing).toHaveLength(5);
    expect(lines(screen).at(-1)).toBe('{"items":[],"next":""}');
    expect(w.server.log).toEqual([]);
  },

  '[C9] useCache of an object schema returns the empty value while nothing is stored': async (
    driver,
  ) => {
    const w = world();
    const screen = await driver.mount(w, [{ view: 'shape', params: { userId: 1 } }]);
    expect(lines(screen)).toEqual(['{"items":[],"next":""}']);
    expect(w.server.log).toEqual([]);
    await screen.act(() =>
      w.controller.setResponse(w.getPage, { userId: 1 }, { first: null, next: 'b' }),
    );
    expect(lines(screen)[0]).toContain('"next":"b"');
    await screen.act(() => w.controller.invalidate(w.getPage, { userId: 1 }));
    expect(lines(screen)).toEqual(['{"items":[],"next":""}']);
  },

  '[C9] arguments after null are fetched, and null again returns the empty value': async (
    driver,
  ) => {
    const w = world();
    const screen = await driver.mount(w, [{ view: 'detail', params: null }]);
    await screen.show([{ view: 'detail', params: { id: 2 } }]);
    expect(lines(screen)).toEqual(['t2 by bob']);
    await screen.show([{ view: 'detail', params: null }]);
    expect(lines(screen)).toEqual(['nothing']);
    expect(w.server.log).toEqual(['GET /todos/2']);
  },

  '[H1] changed arguments are fetched, or shown at once if stored': async (driver) => {
    const w = world();
    const screen = await shown(driver, w, { view: 'detail', params: { id: 1 } });
    await screen.show([{ view: 'detail', params: { id: 2 } }]);
    expect(lines(screen)).toEqual(['t2 by bob']);
    expect(w.server.log).toEqual(['GET /todos/2']);
    w.server.hold();
    await screen.show([{ view: 'detail', params: { id: 1 } }]);
    expect(lines(screen)).toEqual(['t1 by ada']);
    expect(w.server.log).toEqual(['GET /todos/2']);
  },

  '[H1] after a change of arguments the old entity re-renders nothing': async (driver) => {
    const w = world();
    const screen = await shown(driver, w, { view: 'detail', params: { id: 1 } });
    await screen.show([{ view: 'detail', params: { id: 2 } }]);
    w.ran();
    await screen.act(() => w.controller.set(w.Todo, { id: 1 }, { title: 'other' }));
    expect(w.ran()).toEqual({});
    await screen.act(() => w.controller.set(w.Todo, { id: 2 }, { title: 'shown' }));
    expect(w.ran()).toEqual({ detail: 1 });
    expect(lines(screen)).toEqual(['shown by bob']);
  },

  '[C6] a detail of a row from a list is shown without a request': async (driver) => {
    const w = world();
    const screen = await shown(driver, w, { view: 'list', params: {} });
    w.server.hold();
    await screen.show([
      { view: 'list', params: {} },
      { view: 'detail', params: { id: 2 } },
    ]);
    expect(lines(screen).at(-1)).toBe('t2 by bob');
    expect(w.server.log).toEqual([]);
  },

  '[H1] useDLE is loading without suspending, and then has the data': async (driver) => {
    const w = world();
    w.server.hold();
    const screen = await driver.mount(w, [{ view: 'dle', params: { id: 1 } }]);
    expect(lines(screen)).toEqual(['wait']);
    await screen.act(() => w.server.release());
    expect(lines(screen)).toEqual(['t1 by ada']);
    expect(w.server.log).toEqual(['GET /todos/1']);
  },

  '[H1] useDLE returns the error': async (driver) => {
    const w = world();
    w.server.fail(404);
    const screen = await driver.mount(w, [{ view: 'dle', params: { id: 1 } }]);
    expect(lines(screen)).toEqual(['failed: status 404']);
    expect(w.server.log).toEqual(['GET /todos/1']);
  },

  '[H1] useCache returns stored data and sends no request': async (driver) => {
    const w = world();
    const screen = await driver.mount(w, [{ view: 'cache', params: { id: 1 } }]);
    expect(lines(screen)).toEqual(['nothing']);
    expect(w.server.log).toEqual([]);
    await screen.act(() => w.controller.fetch(w.getTodo, { id: 1 }));
    expect(lines(screen)).toEqual(['t1 by ada']);
    await screen.act(() => w.controller.invalidate(w.getTodo, { id: 1 }));
    expect(lines(screen)).toEqual(['nothing']);
    expect(w.server.log).toEqual(['GET /todos/1']);
  },

  '[H1] with keepPreviousData useDLE returns the former data, marked as previous, while other data load':
    async (driver) => {
      const w = world();
      const screen = await shown(driver, w, { view: 'kept', params: { id: 1 } });
      expect(lines(screen)).toEqual(['t1 by ada']);
      w.server.hold();
      await screen.show([{ view: 'kept', params: { id: 2 } }]);
      expect(lines(screen)).toEqual(['t1 by ada, previous']);
      await screen.act(() => w.server.release());
      expect(lines(screen)[0]).toMatch(/^t2 by \w+$/);
      w.server.fail(404);
      await screen.show([{ view: 'kept', params: { id: 3 } }]);
      expect(lines(screen)).toEqual(['failed: status 404']);
      w.server.fail(undefined);
      await screen.show([{ view: 'kept', params: { id: 4 } }]);
      w.server.hold();
      await screen.act(() => w.controller.reset());
      expect(lines(screen)).toEqual(['wait']);
      await screen.show([{ view: 'kept', params: { id: 5 } }]);
      expect(lines(screen)).toEqual(['wait']);
    },

  '[H1] former data of useDLE follow each write, and end with a reset': async (driver) => {
    const w = world({ size: 4 });
    const screen = await shown(driver, w, { view: 'kept', params: { userId: 1 } });
    w.server.hold();
    await screen.show([{ view: 'kept', params: { userId: 2 } }]);
    expect(lines(screen)).toEqual(['t1 by ada; t3 by ada, previous']);
    await screen.act(() => w.controller.set(w.Todo, { id: 1 }, { title: 'new' }));
    expect(lines(screen)).toEqual(['new by ada; t3 by ada, previous']);
    await screen.act(() => void w.controller.fetch(w.drop, { id: 3 }).catch(() => {}));
    expect(lines(screen)).toEqual(['new by ada, previous']);
    await screen.act(() => w.controller.invalidate(w.getList, { userId: 1 }));
    expect(lines(screen)).toEqual(['new by ada, previous']);
    expect(w.server.log).toEqual(['GET /todos?userId=2', 'DELETE /todos/3']);
    await screen.act(() => w.controller.reset());
    expect(lines(screen)).toEqual(['wait']);
  },

  '[H1] a former detail of useDLE follows a write': async (driver) => {
    const w = world();
    const screen = await shown(driver, w, { view: 'kept', params: { id: 1 } });
    w.server.hold();
    await screen.show([{ view: 'kept', params: { id: 2 } }]);
    await screen.act(() => void w.controller.fetch(w.edit, { id: 1 }, { title: 'edited' }));
    expect(lines(screen)).toEqual(['edited by ada, previous']);
    await screen.act(() => w.server.release());
    expect(lines(screen)).toEqual(['t2 by bob']);
  },
};
