// Behaviours of mounts and unmounts, which leave nothing behind.
import { expect } from 'vitest';
import { holders, lines, shown } from './page.ts';
import type { Behaviours } from './page.ts';
import type { Scene } from './driver.ts';
import { collected } from '../setup/garbage.ts';
import { world } from './world.ts';

const detail = { view: 'detail', params: { id: 1 } } as const;
const all: readonly Scene[] = [
  { view: 'list', params: {} },
  { view: 'fineList', params: {} },
  detail,
  { view: 'dle', params: { id: 2 } },
  { view: 'cache', params: { id: 3 } },
];

export const lifetime: Behaviours = {
  '[H2] mounted readers subscribe to the store, and leave no subscription after an unmount': async (
    driver,
  ) => {
    const w = world();
    const screen = await shown(driver, w, ...all);
    const readers = [
      w.controller.view(w.getList, {}),
      w.controller.view(w.getTodo, { id: 1 }),
      w.controller.view(w.getTodo, { id: 2 }),
    ];
    for (const reader of readers) expect(holders(reader)).toContain('retained');
    expect(holders(w.controller.view(w.getTodo, { id: 3 }))).not.toEqual([]);
    await screen.unmount();
    for (const reader of readers) expect(holders(reader)).toEqual([]);
    expect(holders(w.controller.view(w.getTodo, { id: 3 }))).toEqual([]);
  },

  '[H2] unmounted readers are neither re-rendered nor refetched': async (driver) => {
    const w = world();
    const screen = await shown(driver, w, ...all);
    await screen.unmount();
    w.ran();
    await screen.act(() => w.controller.set(w.Todo, { id: 1 }, { title: 'late' }));
    await screen.act(() => w.controller.invalidateAll(w.getList));
    await screen.act(() => w.controller.expireAll(w.getTodo));
    expect(w.ran()).toEqual({});
    expect(w.server.log).toEqual([]);
  },

  '[H2] changed arguments end the subscription to the old arguments': async (driver) => {
    const w = world();
    const screen = await shown(driver, w, detail);
    const reader = w.controller.view(w.getTodo, { id: 1 });
    await screen.show([{ view: 'detail', params: { id: 2 } }]);
    expect(holders(reader)).toEqual([]);
    expect(holders(w.controller.view(w.getTodo, { id: 2 }))).toContain('retained');
  },

  '[H2] a discarded first render leaves no subscription': async (driver) => {
    const w = world();
    w.server.hold();
    const screen = await driver.mount(w, [detail, { view: 'list', params: {} }]);
    expect(lines(screen)).toEqual(['loading']);
    await screen.show([{ view: 'cache', params: { id: 99 } }]);
    await screen.act(() => w.server.release());
    expect(lines(screen)).toEqual(['nothing']);
    expect(holders(w.controller.view(w.getTodo, { id: 1 }))).toEqual([]);
    expect(holders(w.controller.view(w.getList, {}))).toEqual([]);
  },

  '[C3] data requested by a discarded first render expire like other data': async (driver) => {
    const w = world();
    w.server.hold();
    const screen = await driver.mount(w, [detail]);
    await screen.show([]);
    await screen.act(() => w.server.release());
    w.clock.advance(60_001);
    await screen.show([detail]);
    expect(lines(screen)).toEqual(['t1 by ada']);
    expect(w.server.log).toEqual(['GET /todos/1', 'GET /todos/1']);
  },

  '[H2] a response after the unmount is stored and re-renders nothing': async (driver) => {
    const w = world();
    w.server.hold();
    const screen = await driver.mount(w, [detail]);
    await screen.unmount();
    w.ran();
    await screen.act(() => w.server.release());
    expect(w.ran()).toEqual({});
    expect(w.controller.get(w.Todo, { id: 1 })?.title).toBe('t1');
    expect(holders(w.controller.view(w.getTodo, { id: 1 }))).toEqual([]);
  },

  '[I3] mounted data survive each sweep, and unmounted data are collected': async (driver) => {
    const w = world();
    const screen = await shown(driver, w, ...all);
    w.ran();
    await collected();
    await screen.act(() => void w.controller.sweep());
    await screen.act(() => w.clock.advance(3_600_000));
    expect(w.ran()).toEqual({});
    await screen.act(() => w.controller.set(w.Todo, { id: 1 }, { title: 'new' }));
    expect(lines(screen).filter((text) => text === 'new by ada')).toHaveLength(3);
    expect(w.server.log).toEqual([]);
    await screen.unmount();
    await collected(4);
    w.controller.sweep();
    expect(w.controller.get(w.Todo, { id: 1 })).toBeUndefined();
    expect(w.controller.sweep()).toBe(0);
  },

  '[H1] after a reset mounted readers suspend and refetch': async (driver) => {
    const w = world();
    const screen = await shown(driver, w, detail, { view: 'list', params: {} });
    w.server.hold();
    w.server.row(1)!.title = 'anew';
    await screen.act(() => w.controller.reset());
    expect(lines(screen)).toEqual(['loading']);
    await screen.act(() => w.server.release());
    expect(lines(screen).slice(0, 2)).toEqual(['anew by ada', 'anew by ada']);
    expect([...w.server.log].sort()).toEqual(['GET /todos', 'GET /todos/1']);
  },
};
