// Behaviours of useSelect: a component renders only when the selected value changes.
import { expect } from 'vitest';
import { holders, lines, shown } from './page.ts';
import type { Behaviours } from './page.ts';
import { world } from './world.ts';

const amount = { view: 'amount', params: {} } as const;
const chosen = { view: 'chosen', params: {} } as const;

export const selecting: Behaviours = {
  '[H1] useSelect suspends, and then returns the selected value': async (driver) => {
    const w = world({ size: 3 });
    w.server.hold();
    const screen = await driver.mount(w, [amount]);
    expect(lines(screen)).toEqual(['loading']);
    await screen.act(() => w.server.release());
    expect(lines(screen)).toEqual(['3']);
    expect(w.server.log).toEqual(['GET /todos']);
  },

  '[H1] useSelect re-renders only if the selected value has changed': async (driver) => {
    const w = world({ size: 3 });
    const screen = await shown(driver, w, amount);
    await screen.act(() => w.controller.set(w.Todo, { id: 2 }, { title: 'two' }));
    await screen.act(() => w.controller.set(w.Todo, { id: 2 }, { done: true }));
    await screen.act(() => w.controller.set(w.User, { id: 1 }, { name: 'ida' }));
    expect(w.ran()).toEqual({});
    await screen.act(() => w.controller.set(w.Todo, { id: 2 }, { title: 'other' }));
    expect(lines(screen)).toEqual(['2']);
    expect(w.ran()).toEqual({ amount: 1 });
    await screen.act(() => w.controller.fetch(w.remove, { id: 1 }));
    expect(lines(screen)).toEqual(['1']);
    expect(w.ran()).toEqual({ amount: 1 });
  },

  '[H1] entities selected by useSelect are shown with later changes': async (driver) => {
    const w = world({ size: 3 });
    const screen = await shown(driver, w, chosen);
    expect(lines(screen)).toEqual(['t1 by ada; t2 by bob; t3 by ada']);
    await screen.act(() => w.controller.set(w.Todo, { id: 2 }, { title: 'two' }));
    expect(lines(screen)).toEqual(['t1 by ada; two by bob; t3 by ada']);
    await screen.act(() => w.controller.set(w.Todo, { id: 1 }, { title: 'other' }));
    expect(lines(screen)).toEqual(['two by bob; t3 by ada']);
    await screen.act(() => w.controller.set(w.User, { id: 1 }, { name: 'ida' }));
    expect(lines(screen)).toEqual(['two by bob; t3 by ida']);
    w.ran();
    await screen.act(() => w.controller.set(w.Todo, { id: 1 }, { title: 'not chosen either' }));
    expect(w.ran()).toEqual({});
  },

  '[H1] useSelect follows its arguments, also null, and leaves no subscription': async (driver) => {
    const w = world({ size: 3 });
    const screen = await driver.mount(w, [amount]);
    await screen.show([{ view: 'amount', params: { userId: 2 } }]);
    expect(lines(screen)).toEqual(['1']);
    await screen.show([{ view: 'amount', params: null }]);
    expect(lines(screen)).toEqual(['0']);
    expect(w.server.log).toEqual(['GET /todos', 'GET /todos?userId=2']);
    await screen.unmount();
    expect(holders(w.controller.view(w.getList, { userId: 2 }))).toEqual([]);
  },

  '[H1] useSelect refetches stale and invalidated data': async (driver) => {
    const w = world({ size: 2 });
    await w.controller.fetch(w.getList, {});
    w.clock.advance(61_000);
    w.server.rows.push({ id: 3, userId: 1, title: 't3' });
    const screen = await driver.mount(w, [amount]);
    await screen.act();
    expect(lines(screen)).toEqual(['3']);
    w.server.hold();
    await screen.act(() => w.controller.invalidate(w.getList, {}));
    expect(lines(screen)).toEqual(['loading']);
    await screen.act(() => w.server.release());
    expect(lines(screen)).toEqual(['3']);
    expect(w.server.log).toEqual(['GET /todos', 'GET /todos', 'GET /todos']);
  },

  '[H1] an error of the select function, or of the request, of useSelect reaches the boundary':
    async (driver) => {
      const w = world({ size: 2 });
      const screen = await shown(driver, w, amount);
      await screen.act(() => w.controller.set(w.Todo, { id: 1 }, { title: 'broken' }));
      expect(lines(screen)).toEqual(['cannot choose']);
      w.server.fail(500);
      const other = await driver.mount(w, [{ view: 'amount', params: { userId: 2 } }]);
      expect(lines(other)).toEqual(['status 500']);
    },
};
