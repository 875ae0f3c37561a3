// The disk work per mutation: records written and deleted, and their bytes, counted at the storage.
import { indexedDbStorage } from 'signalbox/persist';
import type { StorageFactory, StorageWrite } from 'signalbox/persist';
import { describe, expect, test } from 'vitest';
import { offlineServer, sharedLocks, until } from './OfflineServer.ts';
import type { Tab } from './OfflineServer.ts';

interface Costs {
  puts: number;
  deletions: number;
  bytes: number;
}

const sizeOf = (data: string | Uint8Array) =>
  typeof data === 'string' ? new TextEncoder().encode(data).length : data.length;

/** The default storage, with writes counted into `costs`. */
function countingStorage(costs: Costs): StorageFactory {
  const count = (write: StorageWrite | undefined) => {
    if (write === undefined) return write;
    const removed = [...(write.remove ?? [])];
    costs.puts += write.put.size;
    costs.deletions += removed.length;
    for (const [key, data] of write.put) costs.bytes += sizeOf(key) + sizeOf(data);
    for (const key of removed) costs.bytes += sizeOf(key);
    return write;
  };
  return (name, clock) => {
    const disk = indexedDbStorage(name, clock);
    return {
      ...disk,
      change: (keys, decide) => disk.change(keys, (found) => count(decide(found))),
    };
  };
}

const TITLE = 'a title of 20 bytes!';

async function setUp(rows: number, locked: boolean) {
  const all = await offlineServer();
  for (let id = 1; id <= rows; id++) all.rows.set(id, { id, title: '' });
  const costs: Costs = { puts: 0, deletions: 0, bytes: 0 };
  const storage = countingStorage(costs);
  const tab = all.page({ storage, ...(locked && { locks: sharedLocks() }) });
  await tab.queue.ready;
  const edit = (id: number) =>
    tab.controller.fetch(all.tasks.partialUpdate, { id }, { title: TITLE });
  return { ...all, ...tab, costs, edit };
}

const waiting = ({ queue }: Tab, count: number) =>
  until(() => queue.pending.value.length === count, `${count} waiting`);

/** Edits that wait for the network together, and are then sent. */
async function sendTogether(world: Awaited<ReturnType<typeof setUp>>, ids: readonly number[]) {
  const { page, edit, applied } = world;
  page.offline = true;
  for (const id of ids) edit(id).catch(() => {});
  await waiting(world, ids.length);
  page.comeBack('reconnect');
  await waiting(world, 0);
  expect(applied).toHaveLength(ids.length);
}

const idsTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1);

/** The average costs of `count` mutations. */
const perMutation = ({ puts, deletions, bytes }: Costs, count: number) => ({
  puts: puts / count,
  deletions: deletions / count,
  bytes: bytes / count - TITLE.length,
});

// the first mutation of a log writes the head, and the first waiting mutation is marked as sent
const ONCE = 2;

describe.each([
  ['Web Locks', true, 1],
  ['leases', false, 3],
])('with %s', (_, locked, factor) => {
  const kinds = {
    'that follow each other': async (count: number) => {
      const world = await setUp(count, locked);
      for (const id of idsTo(count)) await world.edit(id);
      await waiting(world, 0);
      return world.costs;
    },
    'of one row that follow each other': async (count: number) => {
      const world = await setUp(1, locked);
      for (let times = 0; times < count; times++) await world.edit(1);
      await waiting(world, 0);
      return world.costs;
    },
    'that are issued at once': async (count: number) => {
      const world = await setUp(count, locked);
      await Promise.all(idsTo(count).map(world.edit));
      await waiting(world, 0);
      return world.costs;
    },
    'that wait for the network': async (count: number) => {
      const world = await setUp(count, locked);
      await sendTogether(world, idsTo(count));
      return world.costs;
    },
    'of one row that wait for the network': async (count: number) => {
      const world = await setUp(1, locked);
      await sendTogether(
        world,
        idsTo(count).map(() => 1),
      );
      return world.costs;
    },
  };

  test.each(Object.entries(kinds))(
    '[P2] mutations %s cost at most two writes and 2 kB each, three times as much with leases',
    async (_kind, send) => {
      const count = 30;
      const { puts, deletions, bytes } = perMutation(await send(count), count);
      expect(puts).toBeLessThanOrEqual((2 + ONCE / count) * factor);
      expect(deletions).toBeLessThanOrEqual(factor);
      expect(bytes).toBeLessThanOrEqual(2_000 * factor);
    },
  );

  test('[P2] 200 waiting edits of one row cost at most ten times the writes of 20', async () => {
    const send = kinds['of one row that wait for the network'];
    const [few, many] = [await send(20), await send(200)];
    expect(many.puts).toBeLessThanOrEqual(10 * few.puts);
    // the list of the last changes is full after some
    expect(many.bytes).toBeLessThanOrEqual(20 * few.bytes);
  });
});

test('[P8] a storage that applies each change twice sends no mutation twice', async () => {
  const all = await offlineServer();
  for (const id of [1, 2, 3]) all.rows.set(id, { id, title: '' });
  const storage: StorageFactory = (name, clock) => {
    const disk = indexedDbStorage(name, clock);
    const change: typeof disk.change = async (keys, decide) => {
      await disk.change(keys, decide);
      await disk.change(keys, decide);
    };
    return { ...disk, change };
  };
  const locks = sharedLocks();
  const tabs = [all.page({ storage, locks }), all.page({ storage, locks })];
  const sent: Promise<unknown>[] = [];
  const titles = Array.from({ length: 12 }, (_, at) => `${at}`);
  for (const [at, title] of titles.entries()) {
    const { controller, page } = tabs[at % 2] as Tab;
    page.offline = at < 8;
    sent.push(controller.fetch(all.tasks.partialUpdate, { id: 1 + (at % 3) }, { title }));
  }
  for (const { page } of tabs) page.comeBack('reconnect');
  await Promise.all(sent);
  for (const tab of tabs) await waiting(tab, 0);
  const bodies = all.applied.map(({ body }) => (body as { title: string }).title);
  expect(bodies.sort()).toEqual([...titles].sort());
});
