// Behaviours of useMutation.
import { expect } from 'vitest';
import { lines, shown } from './page.ts';
import type { Behaviours } from './page.ts';
import { world } from './world.ts';

const mutation = { view: 'mutation', params: { id: 1 } } as const;
const detail = { view: 'detail', params: { id: 1 } } as const;

const [MUTATE, WAIT, RESET, MUTATE_CALLBACKS, ABORT] = [0, 1, 2, 3, 4];

export const mutating: Behaviours = {
  '[H9] useMutation sends no request when mounted': async (driver) => {
    const w = world();
    const screen = await driver.mount(w, [mutation]);
    expect(lines(screen)).toEqual(['idle']);
    expect(w.server.log).toEqual([]);
    expect(w.called).toEqual([]);
  },

  '[H9] useMutation is pending with its variables, and then has the data that all readers see':
    async (driver) => {
      const w = world();
      const screen = await shown(driver, w, mutation, detail);
      w.server.hold();
      await screen.press(MUTATE);
      expect(lines(screen)).toEqual(['pending 1', 't1 by ada']);
      expect(w.called).toEqual([]);
      await screen.act(() => w.server.release());
      expect(lines(screen)).toEqual(['saved by ada of 1', 'saved by ada']);
      expect(w.called).toEqual(['success 1 saved', 'settled 1 data']);
      expect(w.ran()['mutation']).toBe(2);
      expect(w.server.log).toEqual(['PATCH /todos/1']);
    },

  '[H9] mutate does not reject: the error is in the state until the next call': async (driver) => {
    const w = world();
    const screen = await shown(driver, w, mutation);
    w.server.fail(400);
    await screen.press(MUTATE);
    expect(lines(screen)).toEqual(['failed: status 400']);
    expect(w.called).toEqual(['error 1 status 400', 'settled 1 status 400']);
    w.server.fail(undefined);
    w.server.hold();
    await screen.press(MUTATE);
    expect(lines(screen)).toEqual(['pending 1']);
    await screen.act(() => w.server.release());
    expect(lines(screen)).toEqual(['saved by ada of 1']);
  },

  '[H9] mutateAsync resolves with the data and rejects with the error, after the callbacks': async (
    driver,
  ) => {
    const w = world();
    const screen = await shown(driver, w, mutation);
    await screen.press(WAIT);
    expect(w.called).toEqual(['success 1 saved', 'settled 1 data', 'resolved saved']);
    w.called.length = 0;
    w.server.fail(400);
    await screen.press(WAIT);
    expect(w.called).toEqual(['error 1 status 400', 'settled 1 status 400', 'rejected Error']);
    expect(lines(screen)).toEqual(['failed: status 400']);
  },

  '[H9] of overlapping calls useMutation shows the latest, and calls the callbacks of each': async (
    driver,
  ) => {
    const w = world();
    const screen = await shown(driver, w, mutation);
    w.server.hold();
    await screen.press(MUTATE);
    await screen.show([{ view: 'mutation', params: { id: 2 } }]);
    await screen.press(MUTATE);
    expect(lines(screen)).toEqual(['pending 2']);
    w.server.fail(400);
    await screen.act(() => w.server.releaseOne());
    expect(lines(screen)).toEqual(['pending 2']);
    w.server.fail(undefined);
    await screen.act(() => w.server.release());
    expect(lines(screen)).toEqual(['saved by bob of 2']);
    expect(w.called).toEqual([
      'error 1 status 400',
      'settled 1 status 400',
      'success 2 saved',
      'settled 2 data',
    ]);
  },

  '[H9] reset of useMutation returns to idle, and the request continues': async (driver) => {
    const w = world();
    const screen = await shown(driver, w, mutation);
    await screen.press(MUTATE);
    await screen.press(RESET);
    expect(lines(screen)).toEqual(['idle']);
    w.server.hold();
    w.called.length = 0;
    await screen.press(MUTATE);
    await screen.press(RESET);
    expect(lines(screen)).toEqual(['idle']);
    await screen.act(() => w.server.release());
    expect(lines(screen)).toEqual(['idle']);
    expect(w.called).toEqual(['success 1 saved', 'settled 1 data']);
  },

  '[H9] a reset of the store sets a pending useMutation to idle, without an error': async (
    driver,
  ) => {
    const w = world();
    const screen = await shown(driver, w, mutation);
    w.server.hold();
    await screen.press(MUTATE);
    await screen.press(WAIT);
    expect(lines(screen)).toEqual(['pending 1']);
    await screen.act(() => w.controller.reset());
    expect(lines(screen)).toEqual(['idle']);
    expect(w.called).toEqual(['settled 1 neither', 'settled 1 neither', 'rejected ResetError']);
    await screen.act(() => w.server.release());
    expect(lines(screen)).toEqual(['idle']);
  },

  '[H9] a reset of the store clears the data and the error of useMutation': async (driver) => {
    const w = world();
    const screen = await shown(driver, w, mutation);
    await screen.press(MUTATE);
    expect(lines(screen)).toEqual(['saved by ada of 1']);
    await screen.act(() => w.controller.reset());
    expect(lines(screen)).toEqual(['idle']);
    w.server.fail(400);
    await screen.press(MUTATE);
    await screen.act(() => w.controller.reset());
    expect(lines(screen)).toEqual(['idle']);
  },

  '[H9] a mutation continues after an unmount, and calls the callbacks': async (driver) => {
    const w = world();
    const screen = await shown(driver, w, mutation);
    w.server.hold();
    await screen.press(MUTATE);
    w.ran();
    await screen.unmount();
    await screen.act(() => w.server.release());
    expect(w.server.row(1)?.title).toBe('saved');
    expect(w.called).toEqual(['success 1 saved', 'settled 1 data']);
    expect(w.ran()).toEqual({});
  },

  '[H9] an error after an unmount calls the callbacks': async (driver) => {
    const w = world();
    const screen = await shown(driver, w, mutation);
    w.server.hold();
    w.server.fail(500);
    await screen.press(MUTATE);
    await screen.unmount();
    await screen.act(() => w.server.release());
    expect(w.called).toEqual(['error 1 status 500', 'settled 1 status 500']);
  },

  '[H9] callbacks of one call are called after the callbacks of the hook, and only for that call':
    async (driver) => {
      const w = world();
      const screen = await shown(driver, w, mutation);
      await screen.press(MUTATE_CALLBACKS);
      expect(w.called).toEqual([
        'success 1 saved',
        'settled 1 data',
        'this one saved',
        'this one settled',
      ]);
      w.called.length = 0;
      await screen.press(MUTATE);
      expect(w.called).toEqual(['success 1 saved', 'settled 1 data']);
    },

  '[H9] abort sets useMutation to idle, without an error': async (driver) => {
    const w = world();
    const screen = await shown(driver, w, mutation);
    w.server.hold();
    await screen.press(MUTATE);
    expect(lines(screen)).toEqual(['pending 1']);
    await screen.press(ABORT);
    expect(lines(screen)).toEqual(['idle']);
    expect(w.called).toEqual(['settled 1 neither']);
    await screen.act(() => w.server.release());
    expect(lines(screen)).toEqual(['idle']);
    expect(w.controller.get(w.Todo, { id: 1 })?.title).not.toBe('saved');
  },
};
