// The owners and transforms of a disk, and several tabs that receive the same commits.
import { keys } from 'idb-keyval';
import { connectTabs } from 'signalbox/tabs';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { settled, StoppedClock, Todo } from '../setup/world.ts';
import { cipher } from '../sync/cipher.ts';
import { bytesOn, freshDisk, isHead, rowsOn, storeOf } from '../sync/disks.ts';
import * as kept from './persistedPages.ts';
import { getList, rows, titles, TodoResource, warnings } from './persistedPages.ts';
import type { Tab, TabOptions } from './persistedPages.ts';
import { MessageBus } from '../sync/MessageBus.ts';

let clock: StoppedClock;
beforeEach(() => {
  clock = new StoppedClock();
});
afterEach(() => void vi.restoreAllMocks());

const open = (disk: string, options?: TabOptions) => kept.open(disk, clock, options);
const opened = (disk: string, options?: TabOptions) => kept.opened(disk, clock, options);

async function write({ controller, kept: tab }: Tab, title: string): Promise<void> {
  await controller.set(Todo, { id: 1 }, { title });
  await tab.flush();
}

const titleIn = ({ controller }: Tab) => controller.get(Todo, { id: 1 })?.title;
const textOn = async (disk: string) => JSON.stringify([...(await rowsOn(disk))]);

test('[P6] data of another owner are neither read, written nor deleted', async () => {
  const disk = freshDisk();
  const ada = await opened(disk, { owner: 'ada' });
  await write(ada, 'of ada');
  const [one, none, strange] = await Promise.all(
    ['bob', undefined, 'ada:head'].map((owner) => opened(disk, { owner })),
  );
  for (const tab of [one, none, strange] as Tab[]) expect(titleIn(tab)).toBeUndefined();
  await write(one as Tab, 'of bob');
  await write(none as Tab, 'of nobody');
  await write(strange as Tab, 'of another');
  expect(titleIn(await opened(disk, { owner: 'ada' }))).toBe('of ada');
  expect(titleIn(await opened(disk, { owner: 'bob' }))).toBe('of bob');
  // a log out, a new version and clear() concern a single owner
  (one as Tab).controller.reset();
  await (one as Tab).kept.flush();
  expect(await textOn(disk)).not.toContain('of bob');
  await (none as Tab).kept.clear();
  await (strange as Tab).kept.clear();
  const said = warnings();
  await opened(disk, { version: 2 });
  expect(said).toEqual([]);
  expect(titleIn(await opened(disk, { owner: 'ada' }))).toBe('of ada');
  await write(ada, 'still of ada');
  expect(titleIn(await opened(disk, { owner: 'ada' }))).toBe('still of ada');
});

test('[P6] with a transform, the data on disk are unreadable without the transform, and restored with it', async () => {
  const transform = await cipher();
  const disk = freshDisk();
  const tab = await opened(disk, { transform });
  await tab.controller.setResponse(getList, {}, rows);
  await tab.kept.flush();
  await tab.controller.set(Todo, { id: 2 }, { title: 'Häßlich 🙂' });
  await tab.kept.flush();
  expect(await keys(storeOf(disk))).toHaveLength(3);
  expect(await bytesOn(disk)).not.toMatch(/one|Ada|todos|Todo|entity/);
  expect(titles(await opened(disk, { transform }))).toEqual(['one', 'Häßlich 🙂']);
  // two pages that write the same chunk at once
  const [first, second] = [await opened(disk, { transform }), await opened(disk, { transform })];
  await first.controller.set(Todo, { id: 1 }, { title: 'first' });
  await second.controller.set(Todo, { id: 2 }, { title: 'second' });
  await Promise.all([first.kept.flush(), second.kept.flush()]);
  expect(titles(await opened(disk, { transform }))).toEqual(['first', 'second']);
  first.controller.reset();
  await first.kept.flush();
  expect(await keys(storeOf(disk))).toHaveLength(1);
});

test.each([
  ['another key', cipher],
  ['no transform', () => undefined],
])(
  '[P6] encoded data are dropped with a warning when read with %s, and are replaced',
  async (_, other) => {
    const disk = freshDisk();
    const tab = await opened(disk, { transform: await cipher() });
    await tab.controller.setResponse(getList, {}, rows);
    await tab.kept.flush();
    const said = warnings();
    const transform = await other();
    const next = await opened(disk, { transform });
    expect(titles(next)).toBeUndefined();
    expect(said.join()).toContain('signalbox P2');
    await next.controller.setResponse(getList, {}, rows.slice(1));
    await next.kept.flush();
    const last = await opened(disk, { transform });
    expect(titles(last)).toEqual(['two']);
    expect(said.filter((text) => text.includes('P2'))).toHaveLength(2);
  },
);

test('[P6] a transform that fails leaves the disk unchanged, and a later flush writes the data', async () => {
  const said = warnings();
  const transform = await cipher();
  const disk = freshDisk();
  const tab = await opened(disk, { transform });
  await write(tab, 'before');
  const encode = vi.spyOn(transform, 'encode').mockRejectedValueOnce(new Error('no key'));
  await write(tab, 'after');
  expect(said.join()).toMatch(/signalbox P3.*no key/);
  expect(titleIn(await opened(disk, { transform }))).toBe('before');
  await tab.kept.flush();
  await tab.controller.set(Todo, { id: 2 }, { title: 'more' });
  await tab.kept.flush();
  expect(encode).toHaveBeenCalled();
  expect(titleIn(await opened(disk, { transform }))).toBe('after');
});

test('[P1] a commit that several connected tabs receive is written by a single tab', async () => {
  const disk = freshDisk();
  const bus = new MessageBus();
  const tabs: Tab[] = [];
  for (let at = 0; at < 5; at++) {
    const tab = await opened(disk);
    const names = { todo: TodoResource };
    connectTabs(tab.controller, { names, channel: bus.channel() });
    tabs.push(tab);
  }
  const deliver = async () => {
    for (await settled(); bus.waiting > 0; await settled()) bus.deliver(0);
  };
  await deliver();
  const put = vi.spyOn(IDBObjectStore.prototype, 'put');
  const isOwn = (at: number) =>
    (put.mock.contexts[at] as IDBObjectStore).transaction.db.name === disk;
  const written = () =>
    put.mock.calls.filter(([, key], at) => isOwn(at) && !isHead(String(key))).length;
  const flushAll = () => Promise.all(tabs.map((tab) => tab.kept.flush()));
  await tabs[0]!.controller.setResponse(getList, {}, rows);
  await deliver();
  await flushAll();
  // a chunk of rows, and a chunk of lists and responses
  expect(written()).toBe(2);
  await tabs[3]!.controller.set(Todo, { id: 2 }, { title: 'new' });
  await deliver();
  await flushAll();
  expect(written()).toBe(3);
  // a tab that dies before writing loses nothing
  await tabs[1]!.controller.set(Todo, { id: 1 }, { title: 'of a tab that dies' });
  await deliver();
  tabs[1]!.kept.stop = () => {};
  await Promise.all([tabs[0]!, tabs[2]!].map((tab) => tab.kept.flush()));
  expect(written()).toBe(4);
  expect(titles(await opened(disk))).toEqual(['of a tab that dies', 'new']);
});

test('[P1] pages with one disk that are not connected each write their own data', async () => {
  const disk = freshDisk();
  const tabs = [open(disk), open(disk), open(disk)];
  await Promise.all(tabs.map((tab) => tab.kept.ready));
  for (const [at, tab] of tabs.entries())
    await tab.controller.set(Todo, { id: at }, { title: `of ${at}` });
  await Promise.all(tabs.map((tab) => tab.kept.flush()));
  const next = await opened(disk);
  for (const at of tabs.keys())
    expect(next.controller.get(Todo, { id: at })?.title).toBe(`of ${at}`);
});
