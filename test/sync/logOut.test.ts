// Log outs on a disk that several tabs share: no row of the user before is there afterwards.
import { Controller } from 'signalbox';
import { indexedDbStorage, persist } from 'signalbox/persist';
import type { StorageFactory } from 'signalbox/persist';
import { connectTabs } from 'signalbox/tabs';
import type { TabChannel } from 'signalbox/tabs';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { settled, StoppedClock, Todo } from '../setup/world.ts';
import { freshDisk, keysOn, rowsOn } from './disks.ts';
import * as kept from '../persist/persistedPages.ts';
import { get, TodoResource, warnings } from '../persist/persistedPages.ts';
import type { Tab, TabOptions } from '../persist/persistedPages.ts';
import { MessageBus } from './MessageBus.ts';

let clock: StoppedClock;
beforeEach(() => {
  clock = new StoppedClock();
});
afterEach(() => void vi.restoreAllMocks());

const open = (disk: string, options?: TabOptions) => kept.open(disk, clock, options);
const opened = (disk: string, options?: TabOptions) => kept.opened(disk, clock, options);

/** A row is written and reaches the disk, if permitted. */
async function write({ controller, kept: tab }: Tab, title: string): Promise<void> {
  await controller.set(Todo, { id: 1 }, { title });
  await tab.flush();
}

async function logOut({ controller, kept: tab }: Tab): Promise<void> {
  controller.reset();
  await tab.flush();
}

const textOn = async (disk: string) => JSON.stringify([...(await rowsOn(disk))]);

/** Tabs that receive messages of each other. */
async function connected(disk: string, versions: readonly (string | undefined)[]) {
  const bus = new MessageBus();
  const channels = versions.map(() => bus.channel());
  const tabs = versions.map((version, at) => {
    const tab = open(disk, { version });
    const channel = channels[at] as TabChannel;
    connectTabs(tab.controller, { names: { todo: TodoResource }, channel, version });
    return tab;
  });
  const quiet = async () => {
    await settled();
    while (bus.waiting > 0) {
      bus.deliver(0);
      await settled();
    }
    await Promise.all(tabs.map((tab) => tab.kept.flush()));
  };
  await Promise.all(tabs.map((tab) => tab.kept.ready));
  await quiet();
  return { tabs: tabs as [Tab, Tab], channels, quiet };
}

test("[P1] two tabs that start with an empty disk at the same time follow each other's log outs", async () => {
  const disk = freshDisk();
  const [one, other] = [open(disk), open(disk)];
  await Promise.all([one.kept.ready, other.kept.ready]);
  await write(one, 'user 1');
  await write(other, 'user 1 again');
  expect(await textOn(disk)).toContain('user 1 again');
  const said = warnings();
  await logOut(one);
  await write(one, 'user 2');
  await write(other, 'user 1 late');
  expect(await textOn(disk)).not.toContain('user 1');
  expect(said.join()).toContain('signalbox P6');
  // again, since the disk was empty in between
  await logOut(other);
  await write(one, 'user 2 late');
  await write(other, 'user 3');
  expect(await textOn(disk)).toMatch(/^(?!.*user [12]).*user 3/);
});

test.each([
  ['of its version', undefined],
  ['of another version', 'other'],
])(
  '[P1] a page opened before a log out %s that reads the disk afterwards shows and writes nothing',
  async (_, version) => {
    const said = warnings();
    const disk = freshDisk();
    const one = await opened(disk);
    const before = new StoppedClock(clock.now());
    clock.advance(1);
    await logOut(one);
    await write(one, 'user 2');
    const late = kept.open(disk, before, { version });
    before.advance(2);
    await late.controller.set(Todo, { id: 2 }, { title: 'user 1' });
    await late.kept.ready;
    expect(late.controller.get(Todo, { id: 1 })).toBeUndefined();
    await write(late, 'user 1');
    expect(await textOn(disk)).not.toContain('user 1');
    expect(said.join()).toContain('signalbox P6');
  },
);

test('[P1] a reset that waits for its database is not applied after a later log out', async () => {
  const disk = freshDisk();
  const one = await opened(disk);
  await new Promise((done) => {
    indexedDB.deleteDatabase(disk).addEventListener('success', done);
  });
  const other = await opened(disk);
  one.controller.reset();
  clock.advance(1);
  await logOut(other);
  await write(other, 'user 2');
  await write(one, 'user 1');
  expect(await textOn(disk)).toMatch(/^(?!.*user 1).*user 2/);
});

test('[P1] a clock set back does not keep a page from reading and writing the disk', async () => {
  const disk = freshDisk();
  const tab = await opened(disk);
  await logOut(tab);
  await write(tab, 'kept');
  clock = new StoppedClock(clock.now() - 86_400_000);
  const next = await opened(disk);
  expect(next.controller.get(Todo, { id: 1 })?.title).toBe('kept');
  await write(next, 'kept, too');
  expect(await textOn(disk)).toContain('kept, too');
});

test('[P1] after a log out, both connected tabs write to the disk, and an unconnected tab does not', async () => {
  const disk = freshDisk();
  const apart = await opened(disk);
  const { tabs, quiet } = await connected(disk, [undefined, undefined]);
  const [one, other] = tabs;
  await write(one, 'user 1');
  await quiet();
  await logOut(one);
  await quiet();
  expect(await textOn(disk)).toBe('[]');
  await write(one, 'user 2');
  expect(await textOn(disk)).toContain('user 2');
  await write(other, 'user 2 as well');
  expect(await textOn(disk)).toContain('user 2 as well');
  await write(apart, 'user 1');
  expect(await textOn(disk)).not.toContain('user 1');
});

test('[P1] after simultaneous log outs of two connected tabs, both tabs write to the disk', async () => {
  const disk = freshDisk();
  const { tabs, quiet } = await connected(disk, [undefined, undefined]);
  for (const tab of tabs) await write(tab, 'user 1');
  for (const tab of tabs) tab.controller.reset();
  await quiet();
  expect(await textOn(disk)).toBe('[]');
  for (const tab of tabs) {
    await write(tab, `user 2 of ${tabs.indexOf(tab)}`);
    expect(await textOn(disk)).toContain(`user 2 of ${tabs.indexOf(tab)}`);
  }
});

test('[P1] of two tabs reset at the same time, neither shows or keeps writes of the other', async () => {
  const disk = freshDisk();
  const { tabs, channels, quiet } = await connected(disk, [undefined, undefined]);
  const [one, other] = tabs;
  // user 2 logs in here, and the session of user 1 ends there, later in logical time
  one.controller.reset();
  for (let times = 0; times < 2; times++) other.controller.reset();
  await write(other, 'user 1');
  expect(await textOn(disk)).toContain('user 1');
  // the tab ends before the log out arrives
  channels[1]?.close();
  await quiet();
  expect(one.controller.get(Todo, { id: 1 })).toBeUndefined();
  expect(await textOn(disk)).toBe('[]');
  await write(one, 'user 2');
  const later = await opened(disk);
  expect(later.controller.get(Todo, { id: 1 })?.title).toBe('user 2');
});

test('[P1] a log out of a tab without persistence clears the disk of connected tabs', async () => {
  const disk = freshDisk();
  const { tabs, quiet } = await connected(disk, [undefined, undefined]);
  const [one, other] = tabs;
  await write(other, 'user 1');
  one.kept.stop();
  one.controller.reset();
  await quiet();
  expect(await textOn(disk)).toBe('[]');
  await write(other, 'user 2');
  expect(await textOn(disk)).toContain('user 2');
});

test('[P1] a log out while a page of a new version opens leaves no row of the former user on the disk', async () => {
  const disk = freshDisk();
  warnings();
  const old = await opened(disk, { version: '1' });
  // a slow page of a new version: the head is written, and not read yet
  let read = () => {};
  let reads = 0;
  const slowly: StorageFactory = (...place) => {
    const storage = indexedDbStorage(...place);
    const wait = new Promise<void>((done) => (read = done));
    const begin = () => (++reads === 1 ? Promise.resolve() : wait);
    return { ...storage, read: (prefix) => begin().then(() => storage.read(prefix)) };
  };
  const slow = open(disk, { version: '2', storage: slowly });
  await expect.poll(() => reads).toBe(2);
  const second = await opened(disk, { version: '2' });
  await second.controller.set(Todo, { id: 1 }, { title: 'user 1' });
  clock.advance(1);
  await logOut(old);
  read();
  await slow.kept.ready;
  await second.kept.flush();
  expect(await textOn(disk)).not.toContain('user 1');
});

test('[P3] a log out reaches tabs of every version', async () => {
  const disk = freshDisk();
  const { tabs, quiet } = await connected(disk, ['1', '2', undefined]);
  for (const tab of tabs) await tab.controller.set(Todo, { id: 1 }, { title: 'user 1' });
  await quiet();
  tabs[0].controller.reset();
  await quiet();
  for (const tab of tabs) expect(tab.controller.get(Todo, { id: 1 })).toBeUndefined();
  expect(await textOn(disk)).toBe('[]');
  // a later log out of another version counts as well
  for (const tab of tabs) await tab.controller.set(Todo, { id: 1 }, { title: 'user 2' });
  await quiet();
  tabs[1].controller.reset();
  await quiet();
  for (const tab of tabs) expect(tab.controller.get(Todo, { id: 1 })).toBeUndefined();
  expect(await textOn(disk)).not.toContain('user 2');
});

test('[P3] a log out reaches a tab that opened later and has sent no message yet', async () => {
  const bus = new MessageBus();
  const names = { todo: TodoResource };
  const [one, other] = [open(freshDisk()), open(freshDisk())];
  connectTabs(one.controller, { names, channel: bus.channel() });
  clock.advance(5_000);
  connectTabs(other.controller, { names, channel: bus.channel() });
  await other.controller.set(Todo, { id: 1 }, { title: 'user 1' });
  one.controller.reset();
  await settled();
  while (bus.waiting > 0) bus.deliver(0);
  expect(other.controller.get(Todo, { id: 1 })).toBeUndefined();
});

test('[P3] data written by a tab before it receives a log out of another version are not applied afterwards', async () => {
  const bus = new MessageBus();
  const names = { todo: TodoResource };
  const [one, two, foreign] = [open(freshDisk()), open(freshDisk()), open(freshDisk())];
  const deliver = async () => {
    await settled();
    for (; bus.waiting > 0; await settled()) bus.deliver(0);
  };
  for (const { controller } of [one, two])
    connectTabs(controller, { names, channel: bus.channel(), version: '1' });
  await deliver();
  // each reset takes logical time further than a clock would
  for (let times = 0; times < 3; times++) one.controller.reset();
  await deliver();
  connectTabs(foreign.controller, { names, channel: bus.channel(), version: '2' });
  await deliver();
  foreign.controller.reset();
  await settled();
  await one.controller.set(Todo, { id: 1 }, { title: 'user 1' });
  await deliver();
  for (const { controller } of [one, two]) expect(controller.get(Todo, { id: 1 })).toBeUndefined();
});

test('[P1] repeated log outs leave a single key without user data on the disk', async () => {
  const disk = freshDisk();
  const tab = await opened(disk);
  for (let times = 0; times < 5; times++) {
    await tab.controller.setResponse(get, { id: 1 }, { id: 1, title: 'user' });
    await tab.kept.flush();
    expect((await keysOn(disk)).length).toBeGreaterThan(1);
    await logOut(tab);
    expect(await keysOn(disk)).toEqual(['signalbox:head']);
  }
});

test('[P1] persist continues after connectTabs is stopped', async () => {
  const disk = freshDisk();
  const controller = new Controller({ clock, sweepAfter: Infinity });
  const names = { todo: TodoResource };
  const stop = connectTabs(controller, { names, channel: new MessageBus().channel() });
  const tab = persist(controller, { names, name: disk });
  await tab.ready;
  stop();
  await controller.set(Todo, { id: 1 }, { title: 'kept' });
  await tab.flush();
  expect(await textOn(disk)).toContain('kept');
});
