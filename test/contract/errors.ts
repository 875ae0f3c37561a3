// Behaviours of failures: the parts that show an error, and the ways to retry.
import { RestEndpoint } from 'signalbox';
import { expect } from 'vitest';
import { lines, shown } from './page.ts';
import type { Behaviours } from './page.ts';
import { world } from './world.ts';
import type { World } from './world.ts';

const answering = (answer: () => Promise<unknown>) => (w: World) =>
  w.getTodo.extend({ fetch: (..._params: [{ id: number }]) => answer() as Promise<never> });
const respond = (body: string, type: string) =>
  new RestEndpoint({
    path: '/',
    schema: {},
    fetchResponse: async () => new Response(body, { headers: { 'content-type': type } }),
  });
const nothing = answering(async () => null);
/** Responses that say nothing of the item. */
const unreadable = [
  nothing,
  answering(async () => undefined),
  answering(respond('<!doctype html>', 'text/html')),
  answering(respond('{"id":1,"ti', 'application/json')),
];

const detail = { view: 'detail', params: { id: 1 } } as const;

/** The boundary shows an error for each hook that reads, given a mutation. */
const misused = [0, 1, 2, 3, 4, 5, 6];

export const errors: Behaviours = {
  '[H10] a hook that reads throws E7 for a mutation, and sends no request': async (driver) => {
    for (const id of misused) {
      const w = world();
      const screen = await driver.mount(w, [{ view: 'misuse', params: { id } }]);
      expect([id, ...lines(screen)]).toEqual([
        id,
        expect.stringContaining('E7] "update" is a mutation'),
      ]);
      expect(w.server.log).toEqual([]);
      await screen.unmount();
    }
  },

  '[H10] useQuery of an endpoint throws E10, naming the hooks that read endpoints': async (
    driver,
  ) => {
    const w = world();
    const screen = await driver.mount(w, [{ view: 'mistaken', params: { id: 1 } }]);
    expect(lines(screen)).toEqual([
      expect.stringMatching(/E10\] "getTodo" is an endpoint.*read an endpoint with useSuspense/),
    ]);
  },

  '[H7] an error reaches the boundary, and a reset of the boundary refetches': async (driver) => {
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

  '[H7] a reset of the boundary refetches at once all failed reads below, and no other': async (
    driver,
  ) => {
    const w = world();
    await w.controller.fetch(w.getTodo, { id: 3 });
    w.server.fail(404);
    const screen = await driver.mount(w, [
      detail,
      { view: 'detail', params: { id: 2 } },
      { view: 'detail', params: { id: 3 } },
    ]);
    expect(lines(screen)).toEqual(['status 404']);
    w.server.fail(undefined);
    w.server.log.length = 0;
    await screen.retry();
    expect(lines(screen)).toEqual(['t1 by ada', 't2 by bob', 't3 by ada']);
    expect([...w.server.log].sort()).toEqual(['GET /todos/1', 'GET /todos/2']);
  },

  '[H7] a boundary around a part leaves other parts mounted, and its reset refetches': async (
    driver,
  ) => {
    const w = world();
    const screen = await shown(driver, w, { view: 'detail', params: { id: 2 } });
    w.server.fail(404);
    const panel = { view: 'panel', params: { id: 1 } } as const;
    await screen.show([{ view: 'detail', params: { id: 2 } }, panel]);
    expect(lines(screen)).toEqual(['t2 by bob', 'status 404']);
    w.server.fail(undefined);
    w.server.hold();
    await screen.press();
    expect(lines(screen)).toEqual(['t2 by bob', 'panel']);
    await screen.act(() => w.server.release());
    expect(lines(screen)).toEqual(['t2 by bob', 't1 by ada']);
    expect(w.server.log).toEqual(['GET /todos/1', 'GET /todos/1']);
  },

  '[H7] AsyncBoundary shows the fallback, data and error of its children, without the outer boundary':
    async (driver) => {
      const w = world();
      w.server.hold();
      const screen = await driver.mount(w, [{ view: 'panel', params: { id: 1 } }]);
      expect(lines(screen)).toEqual(['panel']);
      await screen.act(() => w.server.release());
      expect(lines(screen)).toEqual(['t1 by ada']);
      w.server.fail(404);
      await screen.act(() => w.controller.fetch(w.getTodo, { id: 1 }).catch(() => {}));
      expect(lines(screen)).toEqual(['status 404']);
    },

  '[H7] changed resetKeys reset a boundary': async (driver) => {
    const w = world();
    w.server.fail(404);
    const screen = await driver.mount(w, [{ view: 'panel', params: { id: 1 } }]);
    w.server.fail(undefined);
    await screen.show([{ view: 'panel', params: { id: 1 } }]);
    expect(lines(screen)).toEqual(['status 404']);
    await screen.show([{ view: 'panel', params: { id: 2 } }]);
    expect(lines(screen)).toEqual(['t2 by bob']);
    expect(w.server.log).toEqual(['GET /todos/1', 'GET /todos/2']);
  },

  '[H7] a router event that leaves a failed page sends no request of that page, and a return does':
    async (driver) => {
      for (const id of [1, 2]) {
        const w = world();
        w.server.fail(404);
        const screen = await driver.mount(w, [{ view: 'routed', params: { id } }]);
        expect(lines(screen)).toEqual(['status 404']);
        w.server.fail(undefined);
        w.server.log.length = 0;
        await screen.act(() => w.history.emit());
        expect(lines(screen)).toEqual(['t2 by bob']);
        expect(w.server.log).toEqual(['GET /todos/2']);
        // within errorExpiryLength
        await screen.act(() => w.history.emit());
        expect(lines(screen)).toEqual(['t1 by ada']);
        expect(w.server.log).toEqual(['GET /todos/2', 'GET /todos/1']);
        await screen.unmount();
        expect(w.history.listeners.size).toBe(0);
      }
    },

  '[H7] a page that fails after a navigation shows its error': async (driver) => {
    for (const id of [1, 2]) {
      const w = world();
      w.server.fail(404);
      const screen = await driver.mount(w, [{ view: 'routed', params: { id } }]);
      w.server.log.length = 0;
      await screen.act(() => w.history.emit());
      expect(lines(screen)).toEqual(['status 404']);
      expect(w.server.log).toEqual(['GET /todos/2']);
      await screen.unmount();
    }
  },

  '[H7] a boundary resets only by its present `listen`, and not after `listen` was removed': async (
    driver,
  ) => {
    const w = world();
    const [first, second] = w.events;
    w.server.fail(404);
    const screen = await driver.mount(w, [{ view: 'retrier', params: { userId: 0 } }]);
    await screen.show([{ view: 'retrier', params: { userId: 1 } }]);
    w.server.fail(undefined);
    await screen.act(() => first.emit());
    expect(lines(screen)).toEqual(['status 404']);
    await screen.show([{ view: 'retrier', params: {} }]);
    await screen.act(() => second.emit());
    expect(lines(screen)).toEqual(['status 404']);
    await screen.show([{ view: 'retrier', params: { userId: 0 } }]);
    await screen.act(() => first.emit());
    expect(lines(screen)).toEqual(['t1 by ada']);
    expect(w.server.log).toEqual(['GET /todos/1', 'GET /todos/1']);
    await screen.unmount();
    expect([first.listeners.size, second.listeners.size]).toEqual([0, 0]);
  },

  '[H7] a reset of a boundary neither re-renders nor refetches useDLE with an error': async (
    driver,
  ) => {
    const w = world();
    const dle = { view: 'dle', params: { id: 2 } } as const;
    w.server.fail(404);
    const screen = await driver.mount(w, [dle, { view: 'panel', params: { id: 1 } }]);
    expect(lines(screen)).toEqual(['failed: status 404', 'status 404']);
    w.server.fail(undefined);
    w.server.log.length = 0;
    w.ran();
    await screen.press();
    expect(lines(screen)).toEqual(['failed: status 404', 't1 by ada']);
    expect(w.server.log).toEqual(['GET /todos/1']);
    expect(w.ran()['dle']).toBeUndefined();
  },

  '[H7] a refetch that fails after a reset reaches the boundary again': async (driver) => {
    const w = world();
    w.server.fail(404);
    const screen = await driver.mount(w, [detail]);
    w.server.fail(403);
    w.clock.advance(1_001);
    await screen.retry();
    expect(lines(screen)).toEqual(['status 403']);
    expect(w.server.log).toHaveLength(2);
  },

  '[C7] without data a soft error reaches the boundary': async (driver) => {
    const w = world();
    w.server.fail(500);
    const screen = await driver.mount(w, [detail]);
    expect(lines(screen)).toEqual(['status 500']);
    expect(w.server.log).toEqual(['GET /todos/1']);
  },

  '[C7] a soft error keeps the shown data, and re-renders nothing': async (driver) => {
    const w = world();
    const screen = await shown(driver, w, detail);
    w.server.fail(500);
    await screen.act(() => w.controller.fetch(w.getTodo, { id: 1 }).catch(() => {}));
    expect(lines(screen)).toEqual(['t1 by ada']);
    expect(w.server.log).toEqual(['GET /todos/1']);
    expect(w.ran()).toEqual({});
  },

  '[C7] a hard error replaces the data, until a reset refetches': async (driver) => {
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

  '[R6] a detail keeps its data after an empty or unreadable response, without a re-render': async (
    driver,
  ) => {
    const w = world();
    const screen = await shown(driver, w, detail);
    for (const bad of unreadable) {
      let caught: unknown;
      await screen.act(async () => {
        caught = await w.controller.fetch(bad(w), { id: 1 }).catch((reason: unknown) => reason);
      });
      expect(caught).toMatchObject({ status: expect.any(Number) });
      expect(lines(screen)).toEqual(['t1 by ada']);
      expect(w.controller.getError(w.getTodo, { id: 1 })).toBe(caught);
    }
    expect(w.ran()).toEqual({});
  },

  '[R6] an empty response without stored data is an error with status 404': async (driver) => {
    const w = world();
    await w.controller.fetch(nothing(w), { id: 1 }).catch(() => {});
    const dle = { view: 'dle', params: { id: 1 } } as const;
    const screen = await driver.mount(w, [dle]);
    expect(lines(screen)[0]).toMatch(/^failed: .*the response is empty/);
    expect(w.server.log).toEqual([]);
    expect(w.controller.getError(w.getTodo, { id: 1 })).toMatchObject({ status: 404 });
  },

  '[C7] an error of one key does not affect other keys': async (driver) => {
    const w = world();
    const screen = await shown(driver, w, { view: 'dle', params: { id: 2 } });
    w.server.fail(404);
    await screen.show([
      { view: 'dle', params: { id: 2 } },
      { view: 'dle', params: { id: 1 } },
    ]);
    expect(lines(screen)).toEqual(['t2 by bob', 'failed: status 404']);
  },

  '[C11] a Query that throws reaches only its own boundary, and shows the next valid value after a reset':
    async (driver) => {
      const w = world({ size: 2 });
      await w.controller.fetch(w.getList, {});
      const second = { view: 'detail', params: { id: 2 } } as const;
      const derived = { view: 'derived', params: null } as const;
      const screen = await shown(driver, w, detail, derived, second);
      const name = (id: number, title: string) =>
        screen.act(() => w.controller.set(w.Todo, { id }, { title }));
      await name(1, 'broken');
      expect(lines(screen)).toEqual(['broken by ada', 'cannot choose', 't2 by bob']);
      await name(2, 'two');
      await name(1, 'u1');
      expect(lines(screen)).toEqual(['u1 by ada', expect.any(String), 'two by bob']);
      // Solid 2 renders the dependents of the value again by itself
      if (lines(screen).includes('cannot choose')) await screen.press();
      expect(lines(screen)).toEqual(['u1 by ada', '1', 'two by bob']);
      await name(1, 't1');
      expect(lines(screen)).toEqual(['t1 by ada', '2', 'two by bob']);
      expect(w.server.log).toEqual([]);
    },
};
