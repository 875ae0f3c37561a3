// Behaviours of the smaller hooks.
import { expect } from 'vitest';
import { holders, lines, shown } from './page.ts';
import type { Behaviours } from './page.ts';
import { holdTimers } from './timers.ts';
import { world } from './world.ts';

const error = { view: 'error', params: { id: 1 } } as const;
const saver = { view: 'saver', params: { id: 1 } } as const;
const typing = (id: number) => ({ view: 'typing', params: { id } }) as const;
const search = (id: number) => ({ view: 'search', params: { id } }) as const;
const lookup = (id: number) => ({ view: 'lookup', params: { id } }) as const;
const detail = (id: number) => ({ view: 'detail', params: { id } }) as const;

export const hooks: Behaviours = {
  '[H1] useError sends no request, and returns the stored error until the next success': async (
    driver,
  ) => {
    const w = world();
    const screen = await driver.mount(w, [error]);
    expect(lines(screen)).toEqual(['fine']);
    expect(w.server.log).toEqual([]);
    w.server.fail(404);
    await screen.act(() => w.controller.fetch(w.getTodo, { id: 1 }).catch(() => {}));
    expect(lines(screen)).toEqual(['failed: status 404']);
    w.server.fail(undefined);
    await screen.act(() => w.controller.fetch(w.getTodo, { id: 1 }));
    expect(lines(screen)).toEqual(['fine']);
  },

  '[H1] useError re-renders neither for data nor for a soft error behind data': async (driver) => {
    const w = world();
    await w.controller.fetch(w.getTodo, { id: 1 });
    const screen = await shown(driver, w, error);
    await screen.act(() => w.controller.set(w.Todo, { id: 1 }, { title: 'new' }));
    w.server.fail(500);
    await screen.act(() => w.controller.fetch(w.getTodo, { id: 1 }).catch(() => {}));
    expect(lines(screen)).toEqual(['fine']);
    expect(w.ran()).toEqual({});
  },

  '[H1] useError follows its arguments, also null, and leaves no subscription': async (driver) => {
    const w = world();
    await w.controller.setError(w.getTodo, { id: 2 }, new Error('two'));
    const screen = await driver.mount(w, [error]);
    await screen.show([{ view: 'error', params: { id: 2 } }]);
    expect(lines(screen)).toEqual(['failed: two']);
    await screen.show([{ view: 'error', params: null }]);
    expect(lines(screen)).toEqual(['fine']);
    await screen.unmount();
    expect(holders(w.controller.view(w.getTodo, { id: 2 }))).toEqual([]);
    expect(w.server.log).toEqual([]);
  },

  '[H1] useLoading returns `loading` during a call': async (driver) => {
    const w = world();
    const screen = await shown(driver, w, saver);
    w.server.hold();
    await screen.press();
    expect(lines(screen)).toEqual(['saving']);
    await screen.act(() => w.server.release());
    expect(lines(screen)).toEqual(['idle']);
    expect(w.server.row(1)?.title).toBe('saved');
    expect(w.ran()).toEqual({ saver: 2 });
  },

  '[H1] useLoading returns the error of a call until the next call': async (driver) => {
    const w = world();
    const screen = await shown(driver, w, saver);
    w.server.fail(400);
    await screen.press();
    expect(lines(screen)).toEqual(['failed: status 400']);
    w.server.fail(undefined);
    w.server.hold();
    await screen.press();
    expect(lines(screen)).toEqual(['saving']);
    await screen.act(() => w.server.release());
    expect(lines(screen)).toEqual(['idle']);
  },

  '[O8] a reset ends the call of useLoading without an error': async (driver) => {
    const w = world();
    const screen = await shown(driver, w, saver);
    w.server.hold();
    await screen.press();
    expect(lines(screen)).toEqual(['saving']);
    await screen.act(() => w.controller.reset());
    expect(lines(screen)).toEqual(['idle']);
    await screen.act(() => w.server.release());
    expect(lines(screen)).toEqual(['idle']);
  },

  '[O8] a reset ends the reads of useDLE, useError and useCancelling without an error': async (
    driver,
  ) => {
    const w = world();
    w.server.hold();
    const scenes = [{ view: 'dle', params: { id: 1 } }, error, lookup(1)] as const;
    const screen = await driver.mount(w, scenes);
    await screen.act(() => w.controller.reset());
    expect(lines(screen)).toEqual(['wait', 'fine', 'wait']);
    await screen.act(() => w.server.release());
    expect(lines(screen)).toEqual(['t1 by ada', 'fine', 't1 by ada']);
    await screen.act(() =>
      w.controller.setError(w.getTodo, { id: 1 }, new Error('of the user before')),
    );
    await screen.act(() => w.controller.reset());
    expect(lines(screen)).toEqual(['t1 by ada', 'fine', 't1 by ada']);
  },

  '[H1] of overlapping calls useLoading reports the latest': async (driver) => {
    const w = world();
    const screen = await shown(driver, w, saver);
    w.server.hold();
    await screen.press();
    await screen.press();
    w.server.fail(400);
    await screen.act(() => w.server.releaseOne());
    expect(lines(screen)).toEqual(['saving']);
    w.server.fail(undefined);
    await screen.act(() => w.server.release());
    expect(lines(screen)).toEqual(['idle']);
  },

  '[H1] useLoading calls the function of the last render, and continues after an unmount': async (
    driver,
  ) => {
    const w = world();
    const screen = await shown(driver, w, saver);
    await screen.show([{ view: 'saver', params: { id: 2 } }]);
    w.server.hold();
    await screen.press();
    expect(w.server.log).toEqual(['PATCH /todos/2']);
    await screen.unmount();
    await screen.act(() => w.server.release());
    expect(w.server.row(2)?.title).toBe('saved');
  },

  '[H1] useDebounce returns a value after its delay, and only the last of several': async (
    driver,
  ) => {
    const timers = holdTimers(200);
    const w = world();
    const screen = await shown(driver, w, typing(1));
    expect(lines(screen)).toEqual(['1']);
    expect(timers.waiting).toBe(0);
    await screen.show([typing(2)]);
    expect(lines(screen)).toEqual(['1 …']);
    await screen.show([typing(3)]);
    expect(timers.waiting).toBe(1);
    await screen.act(() => timers.run());
    expect(lines(screen)).toEqual(['3']);
  },

  '[H1] useDebounce keeps no timer after a return to the former value or an unmount': async (
    driver,
  ) => {
    const timers = holdTimers(200);
    const w = world();
    const screen = await shown(driver, w, typing(1));
    await screen.show([typing(2)]);
    await screen.show([typing(1)]);
    expect(lines(screen)).toEqual(['1']);
    expect(timers.waiting).toBe(0);
    await screen.show([typing(2)]);
    await screen.unmount();
    expect(timers.waiting).toBe(0);
  },

  '[F3] useCancelling aborts the request of replaced arguments at once': async (driver) => {
    const w = world();
    w.server.hold();
    const screen = await driver.mount(w, [lookup(1)]);
    const first = w.controller.view(w.getTodo, { id: 1 });
    expect(first.fetching.value).toBe(true);
    await screen.show([lookup(2)]);
    expect(first.fetching.value).toBe(false);
    await screen.show([lookup(3)]);
    await screen.show([lookup(1)]);
    await screen.act(() => w.server.release());
    expect(lines(screen)).toEqual(['t1 by ada']);
    expect(w.controller.get(w.Todo, { id: 2 })).toBeUndefined();
    expect(w.server.log).toEqual([1, 2, 3, 1].map((id) => `GET /todos/${id}`));
  },

  '[F3] useCancelling aborts the request of replaced arguments while the component is suspended':
    async (driver) => {
      const w = world();
      const screen = await shown(driver, w, search(1));
      w.server.hold();
      await screen.show([search(2)]);
      expect(lines(screen)).toEqual(['loading']);
      const second = w.controller.view(w.getTodo, { id: 2 });
      expect(second.fetching.value).toBe(true);
      await screen.show([search(3)]);
      expect(second.fetching.value).toBe(false);
      await screen.act(() => w.server.release());
      expect(lines(screen)).toEqual(['t3 by ada']);
      expect(w.controller.get(w.Todo, { id: 2 })).toBeUndefined();
      expect(w.server.log).toEqual(['GET /todos/2', 'GET /todos/3']);
    },

  '[F3] a request aborted while suspended is sent again when the arguments return': async (
    driver,
  ) => {
    const w = world();
    const screen = await shown(driver, w, search(1));
    w.server.hold();
    for (const id of [2, 3, 2]) await screen.show([search(id)]);
    await screen.act(() => w.server.release());
    expect(lines(screen)).toEqual(['t2 by bob']);
    expect(w.server.log).toEqual(['GET /todos/2', 'GET /todos/3', 'GET /todos/2']);
  },

  '[F3] useCancelling does not abort a request that another component needs': async (driver) => {
    const w = world();
    const screen = await shown(driver, w, lookup(1), detail(1));
    w.server.row(1)!.title = 'newer';
    w.server.hold();
    await screen.act(() => w.controller.expireAll(w.getTodo));
    await screen.show([lookup(2), detail(1)]);
    await screen.act(() => w.server.release());
    expect(lines(screen)).toEqual(['t2 by bob', 'newer by ada']);
    expect(w.server.log).toEqual(['GET /todos/1', 'GET /todos/2']);
  },

  '[H1] useFetch sends one request for each of its arguments, without suspending': async (
    driver,
  ) => {
    const w = world();
    w.server.hold();
    const screen = await driver.mount(w, [{ view: 'early', params: { id: 1 } }]);
    expect(lines(screen)).toEqual(['nothing']);
    expect(w.server.log).toEqual(['GET /todos/1']);
    await screen.act(() => w.server.release());
    expect(lines(screen)).toEqual(['t1 by ada']);
    await screen.show([{ view: 'early', params: { id: 2 } }]);
    await screen.show([{ view: 'early', params: null }]);
    expect(w.server.log).toEqual(['GET /todos/1', 'GET /todos/2']);
  },

  '[H2] a reader that suspends joins the request of useFetch': async (driver) => {
    const w = world();
    w.server.hold();
    const screen = await driver.mount(w, [{ view: 'early', params: { id: 1 } }, detail(1)]);
    await screen.act(() => w.server.release());
    expect(lines(screen)).toEqual(['t1 by ada', 't1 by ada']);
    expect(w.server.log).toEqual(['GET /todos/1']);
  },

  '[H1] useQuery shows an entity once stored, changed and deleted, and sends no request': async (
    driver,
  ) => {
    const w = world();
    const screen = await driver.mount(w, [{ view: 'entity', params: { id: 1 } }]);
    expect(lines(screen)).toEqual(['nothing']);
    await screen.act(() => w.controller.set(w.Todo, { id: 1 }, { id: 1, title: 'pushed' }));
    expect(lines(screen)).toEqual(['pushed by nobody']);
    w.ran();
    await screen.act(() => w.controller.set(w.Todo, { id: 2 }, { id: 2, title: 'other' }));
    expect(w.ran()).toEqual({});
    await screen.act(() => w.controller.fetch(w.remove, { id: 1 }));
    expect(lines(screen)).toEqual(['nothing']);
    expect(w.server.log).toEqual(['DELETE /todos/1']);
  },

  '[H1] useSubscription polls without a re-render, and a reader re-renders for changed data':
    async (driver) => {
      const w = world();
      const screen = await driver.mount(w, [{ view: 'ticker', params: { id: 1 } }]);
      await screen.act(() => w.clock.advance(1_000));
      expect(lines(screen)).toEqual(['t1 by ada']);
      w.ran();
      w.server.log.length = 0;
      await screen.act(() => w.clock.advance(1_000));
      expect(w.server.log).toEqual(['GET /todos/1']);
      expect(w.ran()).toEqual({});
      w.server.row(1)!.title = 'newer';
      await screen.act(() => w.clock.advance(1_000));
      expect(lines(screen)).toEqual(['newer by ada']);
      expect(w.ran()).toEqual({ ticker: 1 });
      await screen.unmount();
      w.server.log.length = 0;
      await screen.act(() => w.clock.advance(10_000));
      expect(w.server.log).toEqual([]);
    },
};
