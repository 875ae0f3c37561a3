// Storages of a log that refuse changes for a while, or take long.
import { indexedDbStorage } from 'signalbox/persist';
import { offline } from 'signalbox/offline';
import type { PersistStorage, StorageFactory } from 'signalbox/offline';
import { expect, test, vi } from 'vitest';
import { refused } from '../setup/world.ts';
import { offlineServer, sharedLocks, turns, until } from './OfflineServer.ts';
import type { Tab } from './OfflineServer.ts';

/** The default storage; each call first waits for `gate`. */
function gatedStorage(gate: () => Promise<void>): StorageFactory {
  return (name, clock) => {
    const disk = indexedDbStorage(name, clock);
    const behind =
      <A extends unknown[], T>(work: (...args: A) => Promise<T>) =>
      (...args: A) =>
        gate().then(() => work(...args));
    const gated: PersistStorage = {
      read: behind((prefix: string) => disk.read(prefix)),
      change: behind((...change: Parameters<PersistStorage['change']>) => disk.change(...change)),
      replace: behind((...write: Parameters<PersistStorage['replace']>) => disk.replace(...write)),
    };
    return gated;
  };
}

/** A server with tasks 5 to 7, and a storage that works, or refuses everything. */
async function setUp() {
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  const all = await offlineServer();
  for (const id of [5, 6, 7]) all.rows.set(id, { id, title: 'a' });
  const disk = { isBroken: false };
  const storage = gatedStorage(() =>
    disk.isBroken ? Promise.reject(new Error('the disk is full')) : Promise.resolve(),
  );
  const options = { storage, locks: sharedLocks() };
  const edit = ({ controller }: Tab, id: number, title: string) => {
    const sent = controller.fetch(all.tasks.partialUpdate, { id }, { title });
    sent.catch(() => {});
    return sent;
  };
  const bodies = () => all.asked.map(({ body }) => body);
  return { ...all, disk, options, edit, bodies };
}

test('[P8] a mutation logged before the storage fails for a while is not replaced by one logged after', async () => {
  const { page, disk, options, edit, bodies } = await setUp();
  const tab = page(options);
  await tab.queue.ready;
  tab.page.offline = true;
  const all = [edit(tab, 5, 'b'), edit(tab, 6, 'c')];
  await until(() => tab.queue.pending.value.length === 2);
  disk.isBroken = true;
  await tab.queue.retry();
  // refused by the log, and sent directly
  all.push(edit(tab, 7, 'd'));
  await all[2];
  disk.isBroken = false;
  all.push(edit(tab, 5, 'e'));
  await until(() => tab.queue.pending.value.length === 3);
  tab.page.comeBack('reconnect');
  await Promise.all(all);
  expect(bodies()).toHaveLength(4);
  expect(bodies()).toEqual(
    expect.arrayContaining(['b', 'c', 'd', 'e'].map((title) => ({ title }))),
  );
});

test.each(['the queue goes on', 'offline() is called again'])(
  '[P8] a log out that the storage refuses empties the log as soon as the storage works: %s',
  async (way) => {
    const { page, tasks, name, disk, options, edit, bodies } = await setUp();
    const tab = page(options);
    await tab.queue.ready;
    tab.page.offline = true;
    const sent = edit(tab, 5, 'of the former user');
    await until(() => tab.queue.pending.value.length === 1);
    disk.isBroken = true;
    tab.controller.reset();
    expect(await refused(sent)).toMatchObject({ name: 'ResetError' });
    await turns(20);
    const queue =
      way === 'the queue goes on'
        ? tab.queue
        : offline(tab.controller, { names: { tasks }, name, ...options });
    await queue.ready;
    disk.isBroken = false;
    tab.page.comeBack('reconnect');
    await edit(tab, 6, 'of the next user');
    await queue.retry();
    queue.stop();
    const later = page(options);
    await later.queue.ready;
    await later.queue.retry();
    expect(bodies()).toEqual([{ title: 'of the next user' }]);
  },
);

test('[P8] a log out that the storage has refused removes nothing that another tab has logged since', async () => {
  const { page, disk, options, edit, bodies } = await setUp();
  const [one, other] = [page(options), page(options)];
  for (const { queue } of [one, other]) await queue.ready;
  for (const tab of [one, other]) tab.page.offline = true;
  edit(one, 5, 'of the former user').catch(() => {});
  await until(() => one.queue.pending.value.length === 1);
  disk.isBroken = true;
  one.controller.reset();
  await turns(20);
  disk.isBroken = false;
  const sent = edit(other, 6, 'of the next user');
  await until(() => other.queue.pending.value.length === 1);
  await one.queue.retry();
  other.page.comeBack('reconnect');
  await sent;
  await other.queue.retry();
  expect(bodies()).toEqual([{ title: 'of the next user' }]);
});

test('[P2] a mutation that the log refuses is sent after a creation before was merged with its deletion', async () => {
  const { page, tasks, disk, options, asked } = await setUp();
  const tab = page({ ...options, merge: true });
  await tab.queue.ready;
  tab.page.offline = true;
  const { controller } = tab;
  const list = await controller.fetch(tasks.getList);
  controller.fetch(tasks.getList.push, { title: 'b' }).catch(() => {});
  const rows = controller.getResponse(tasks.getList).data ?? [];
  const id = rows.find((row) => !list.includes(row))?.id as number;
  void controller.fetch(tasks.delete, { id });
  await until(() => tab.queue.pending.value.length === 2);
  disk.isBroken = true;
  const sent = controller.fetch(tasks.getList.push, { title: 'c' });
  await turns(50);
  disk.isBroken = false;
  tab.page.comeBack('reconnect');
  expect(await sent).toMatchObject({ title: 'c' });
  expect(asked.map(({ body }) => body)).toEqual([{ title: 'c' }]);
});

test('[P2] a queue that is stopped at any moment sends nothing later, and nothing without an idempotency key', async () => {
  const { page, edit, asked } = await setUp();
  const first = page();
  await first.queue.ready;
  first.page.offline = true;
  void edit(first, 5, 'b');
  await until(() => first.queue.pending.value.length === 1);
  first.queue.stop();
  for (let last = 1; last < 12; last++) {
    let calls = 0;
    let go = () => {};
    const held = new Promise<void>((resolve) => (go = resolve));
    // without locks of the platform: leases in the log
    const tab = page({ storage: gatedStorage(() => (++calls < last ? Promise.resolve() : held)) });
    await turns(60);
    const count = asked.length;
    tab.queue.stop();
    tab.controller.reset();
    go();
    await turns(60);
    expect(asked.slice(count)).toEqual([]);
  }
  expect(asked.filter(({ key }) => key === undefined)).toEqual([]);
});
