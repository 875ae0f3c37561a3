// Behaviours of useStatus and useIsFetching.
import { expect } from 'vitest';
import { holders, lines, shown } from './page.ts';
import type { Behaviours } from './page.ts';
import { world } from './world.ts';

const status = { view: 'status', params: { id: 1 } } as const;
const detail = { view: 'detail', params: { id: 1 } } as const;
const dle = { view: 'dle', params: { id: 1 } } as const;
const requests = { view: 'requests', params: null } as const;

export const statuses: Behaviours = {
  '[H9] useStatus without data sends no request, and returns idle and stale': async (driver) => {
    const w = world();
    const screen = await driver.mount(w, [status]);
    expect(lines(screen)).toEqual(['idle, stale, never, fine']);
    expect(w.server.log).toEqual([]);
  },

  '[H9] useStatus follows a request from its start to its response': async (driver) => {
    const w = world();
    w.server.hold();
    const screen = await driver.mount(w, [status, dle]);
    expect(lines(screen)).toEqual(['fetching, stale, never, fine', 'wait']);
    w.clock.advance(2_000);
    await screen.act(() => w.server.release());
    expect(lines(screen)).toEqual(['idle, fresh, at 2, fine', 't1 by ada']);
    expect(w.server.log).toHaveLength(1);
  },

  '[H9] useStatus follows a request of another caller': async (driver) => {
    const w = world();
    const screen = await driver.mount(w, [status]);
    w.server.hold();
    let sent: Promise<unknown> | undefined;
    await screen.act(() => void (sent = w.controller.fetch(w.getTodo, { id: 1 })));
    expect(lines(screen)).toEqual(['fetching, stale, never, fine']);
    await screen.act(() => w.server.release());
    await sent;
    expect(lines(screen)).toEqual(['idle, fresh, at 0, fine']);
  },

  '[H9] useStatus has the time of a response that changes no data, and the reader does not re-render':
    async (driver) => {
      const w = world();
      const screen = await shown(driver, w, detail, status);
      w.clock.advance(5_000);
      await screen.act(() => w.controller.fetch(w.getTodo, { id: 1 }));
      expect(lines(screen)).toEqual(['t1 by ada', 'idle, fresh, at 5, fine']);
      w.clock.advance(5_000);
      const row = w.server.show({ id: 1, userId: 1, title: 't1' });
      await screen.act(() => w.controller.setResponse(w.getTodo, { id: 1 }, row));
      expect(lines(screen)).toEqual(['t1 by ada', 'idle, fresh, at 10, fine']);
      expect(w.ran()['detail']).toBeUndefined();
    },

  '[H9] useStatus re-renders when the data expire, without a request': async (driver) => {
    const w = world({ dataExpiryLength: 3_000 });
    const screen = await shown(driver, w, detail, status);
    await screen.act(() => w.clock.advance(3_000));
    expect(lines(screen)).toEqual(['t1 by ada', 'idle, fresh, at 0, fine']);
    expect(w.ran()).toEqual({});
    await screen.act(() => w.clock.advance(1));
    expect(lines(screen)).toEqual(['t1 by ada', 'idle, stale, at 0, fine']);
    expect(w.ran()).toEqual({ status: 1 });
    expect(w.server.log).toEqual([]);
  },

  '[H9] useStatus follows expireAll and invalidate': async (driver) => {
    const w = world();
    await w.controller.fetch(w.getTodo, { id: 1 });
    const screen = await shown(driver, w, status);
    await screen.act(() => w.controller.expireAll(w.getTodo));
    expect(lines(screen)).toEqual(['idle, stale, at 0, fine']);
    await screen.act(() => w.controller.fetch(w.getTodo, { id: 1 }));
    expect(lines(screen)).toEqual(['idle, fresh, at 0, fine']);
    await screen.act(() => w.controller.invalidate(w.getTodo, { id: 1 }));
    expect(lines(screen)).toEqual(['idle, stale, at 0, fine']);
    expect(w.server.log).toEqual(['GET /todos/1']);
  },

  '[H9] useStatus returns an error behind data until the next success': async (driver) => {
    const w = world();
    const screen = await shown(driver, w, detail, status);
    w.server.fail(500);
    await screen.act(() => w.controller.fetch(w.getTodo, { id: 1 }).catch(() => {}));
    expect(lines(screen)).toEqual(['t1 by ada', 'idle, fresh, at 0, status 500']);
    w.server.fail(undefined);
    await screen.act(() => w.controller.fetch(w.getTodo, { id: 1 }));
    expect(lines(screen)).toEqual(['t1 by ada', 'idle, fresh, at 0, fine']);
  },

  '[H9] useStatus does not re-render for changed data': async (driver) => {
    const w = world();
    const screen = await shown(driver, w, detail, status);
    await screen.act(() => w.controller.set(w.Todo, { id: 1 }, { title: 'new' }));
    expect(lines(screen)).toEqual(['new by ada', 'idle, fresh, at 0, fine']);
    expect(w.ran()['status']).toBeUndefined();
  },

  '[H9] useStatus of a detail from a list has the time of the list': async (driver) => {
    const w = world();
    w.clock.advance(1_000);
    await w.controller.fetch(w.getList, {});
    w.clock.advance(1_000);
    const screen = await driver.mount(w, [status]);
    expect(lines(screen)).toEqual(['idle, fresh, at 1, fine']);
  },

  '[H9] useStatus follows its arguments, also null': async (driver) => {
    const w = world();
    await w.controller.fetch(w.getTodo, { id: 2 });
    const screen = await driver.mount(w, [status]);
    await screen.show([{ view: 'status', params: { id: 2 } }]);
    expect(lines(screen)).toEqual(['idle, fresh, at 0, fine']);
    await screen.show([{ view: 'status', params: null }]);
    expect(lines(screen)).toEqual(['idle, fresh, never, fine']);
    expect(w.server.log).toHaveLength(1);
  },

  '[H9] a reset of the store clears useStatus, which follows later requests': async (driver) => {
    const w = world();
    w.server.fail(500);
    const screen = await driver.mount(w, [status]);
    await screen.act(() => w.controller.fetch(w.getTodo, { id: 1 }).catch(() => {}));
    expect(lines(screen)).toEqual(['idle, stale, never, status 500']);
    w.server.fail(undefined);
    w.server.hold();
    const sent = w.controller.fetch(w.getTodo, { id: 1 }).catch(({ name }: Error) => name);
    await screen.act();
    await screen.act(() => w.controller.reset());
    expect(await sent).toBe('ResetError');
    expect(lines(screen)).toEqual(['idle, stale, never, fine']);
    await screen.act(() => w.server.release());
    await screen.act(() => w.controller.fetch(w.getTodo, { id: 1 }));
    expect(lines(screen)).toEqual(['idle, fresh, at 0, fine']);
  },

  '[H9] useStatus leaves no subscription after an unmount': async (driver) => {
    const w = world({ dataExpiryLength: 3_000 });
    const screen = await shown(driver, w, detail, status);
    await screen.unmount();
    await screen.act(() => w.controller.fetch(w.getTodo, { id: 1 }));
    w.clock.advance(10_000);
    expect(holders(w.controller.view(w.getTodo, { id: 1 }))).toEqual([]);
    expect(w.ran()).toEqual({});
  },

  '[H9] useIsFetching counts the reads of one endpoint, or of all endpoints': async (driver) => {
    const w = world();
    const screen = await driver.mount(w, [requests]);
    expect(lines(screen)).toEqual(['0 of 0']);
    w.server.hold();
    const sent = [
      () => w.controller.fetch(w.getTodo, { id: 1 }),
      () => w.controller.fetch(w.getTodo, { id: 1 }),
      () => w.controller.fetch(w.getTodo, { id: 2 }),
      () => w.controller.fetch(w.getList, {}),
      () => w.controller.fetch(w.update, { id: 1 }, { title: 'not counted' }),
    ];
    await screen.act(() => void sent.map((send) => send()));
    expect(lines(screen)).toEqual(['2 of 3']);
    await screen.act(() => w.server.releaseOne());
    expect(lines(screen)).toEqual(['1 of 2']);
    await screen.act(() => w.server.release());
    expect(lines(screen)).toEqual(['0 of 0']);
  },

  '[H9] useIsFetching counts reads of components until the response, failure or abort': async (
    driver,
  ) => {
    const w = world();
    w.server.hold();
    const screen = await driver.mount(w, [requests, dle]);
    expect(lines(screen)).toEqual(['1 of 1', 'wait']);
    await screen.show([requests]);
    // long enough for nobody to come back: the request is aborted
    await screen.act(() => w.clock.advance(60_000));
    expect(lines(screen)).toEqual(['0 of 0']);
    w.server.release();
    w.server.hold();
    await screen.show([requests, dle]);
    expect(lines(screen)).toEqual(['1 of 1', 'wait']);
    w.server.fail(500);
    await screen.act(() => w.server.release());
    expect(lines(screen)).toEqual(['0 of 0', 'failed: status 500']);
  },

  '[H9] a reset of the store sets useIsFetching to 0': async (driver) => {
    const w = world();
    w.server.hold();
    const screen = await driver.mount(w, [requests]);
    const sent = w.controller.fetch(w.getTodo, { id: 1 }).catch(({ name }: Error) => name);
    await screen.act();
    expect(lines(screen)).toEqual(['1 of 1']);
    await screen.act(() => w.controller.reset());
    expect(lines(screen)).toEqual(['0 of 0']);
    expect(await sent).toBe('ResetError');
    w.ran();
    await screen.unmount();
    w.server.release();
    await w.controller.fetch(w.getTodo, { id: 1 });
    expect(w.ran()).toEqual({});
  },
};
