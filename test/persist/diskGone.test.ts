// A disk that does not open, or is deleted under a page that is open.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Controller, optimistic } from 'signalbox';
import { offline } from 'signalbox/offline';
import { persist } from 'signalbox/persist';
import { StoppedClock, Todo } from '../setup/world.ts';
import { rowsOn } from '../sync/disks.ts';
import * as kept from './persistedPages.ts';
import { titles, warnings, written } from './persistedPages.ts';

let clock: StoppedClock;
beforeEach(() => {
  clock = new StoppedClock();
});
afterEach(() => void vi.restoreAllMocks());

/** How a deletion of the database ends. */
function deleted(disk: string): Promise<string> {
  return new Promise((resolve) => {
    const request = indexedDB.deleteDatabase(disk);
    for (const type of ['success', 'error', 'blocked'] as const)
      request.addEventListener(type, () => resolve(type));
  });
}

test('[P1] a page whose database does not open is ready after 5 s, and continues without persistence', async () => {
  const said = warnings();
  const disk = await written(clock);
  const open = indexedDB.open.bind(indexedDB);
  const opening = vi
    .spyOn(indexedDB, 'open')
    .mockImplementation(() => new EventTarget() as IDBOpenDBRequest);
  const tab = kept.open(disk, clock);
  clock.advance(5_000);
  await tab.kept.ready;
  await tab.controller.set(Todo, { id: 1 }, { title: 'here' });
  expect(tab.controller.get(Todo, { id: 1 })?.title).toBe('here');
  await tab.kept.flush();
  expect(said.join()).toMatch(/signalbox P3.*does not open within 5000 ms/);
  expect(clock.waiting).toBe(0);
  opening.mockImplementation(open);
  // the data may belong to a user who has logged out meanwhile: only a page that has read the disk writes there
  expect(titles(await kept.opened(disk, clock))).toEqual(['one', 'two']);
});

test('[P1] a database can be deleted while pages are open, and these pages write nothing to the next database', async () => {
  const said = warnings();
  const disk = await written(clock);
  const tab = await kept.opened(disk, clock);
  expect(titles(tab)).toEqual(['one', 'two']);
  expect(await deleted(disk)).toBe('success');
  await tab.controller.set(Todo, { id: 1 }, { title: 'of a user who is gone' });
  await tab.kept.flush();
  expect((await rowsOn(disk)).size).toBe(0);
  expect(said.join()).toMatch(/^(?!.*P1).*signalbox P6/);
  tab.kept.stop();
  // the next page warns of nothing, and keeps the data
  const next = await kept.opened(disk, clock);
  expect(titles(next)).toBeUndefined();
  await next.controller.set(Todo, { id: 5 }, { title: 'five' });
  await next.kept.flush();
  expect((await kept.opened(disk, clock)).controller.get(Todo, { id: 5 })?.title).toBe('five');
  expect(said.filter((text) => !text.includes('P6'))).toEqual([]);
});

test('[P1] a page that is reset after its database was deleted persists its data again', async () => {
  const disk = await written(clock);
  const tab = await kept.opened(disk, clock);
  await deleted(disk);
  tab.controller.reset();
  await tab.controller.set(Todo, { id: 5 }, { title: 'five' });
  await tab.kept.flush();
  expect((await kept.opened(disk, clock)).controller.get(Todo, { id: 5 })?.title).toBe('five');
});

test.each([
  ['persist', 'P3] a "read" of persisted data failed'],
  ['offline', 'O2] the mutation log cannot store "mutations"'],
] as const)(
  '[P1] a storage that never settles causes a warning after ten seconds: %s',
  async (which, text) => {
    const said = warnings();
    const never = () => new Promise<never>(() => {});
    const storage = () => ({ read: never, change: never, replace: never });
    const controller = new Controller({ clock, optimistic });
    const options = { names: { Todo }, name: `stuck ${which}`, storage };
    const stored = (which === 'persist' ? persist : offline)(controller, options);
    clock.advance(9_999);
    expect(said).toEqual([]);
    clock.advance(1);
    expect(said).toEqual([
      expect.stringContaining(`${text}: the storage has not settled its promise for 10000 ms`),
    ]);
    stored.stop();
  },
);
