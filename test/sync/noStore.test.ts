// Responses with no-store stay in the page that sent the request: on no disk, and in no other tab.
import { Controller, createResource, Entity, httpCache, RestEndpoint } from 'signalbox';
import { persist } from 'signalbox/persist';
import { connectTabs } from 'signalbox/tabs';
import { expect, onTestFinished, test } from 'vitest';
import { serve } from '../setup/server.ts';
import { settled } from '../setup/world.ts';
import { freshDisk, rowsOn } from './disks.ts';
import { MessageBus } from './MessageBus.ts';

class Account extends Entity {
  id = 0;
  balance = 0;
}

/**
 * A server: responses to reads of the first account may be stored, all others are no-store. Balances have a point, so
 * that no time on the disk contains a balance.
 */
async function bank() {
  const balances = new Map([1, 2, 3].map((id) => [id, id * 1_000 + 0.75]));
  const account = (id: number) => ({ id, balance: balances.get(id) });
  const { address } = await serve(({ method, url, text }) => {
    const id = Number(/\d+$/.exec(url)?.[0] ?? 0);
    if (method === 'GET') {
      const headers = { 'cache-control': id === 2 ? 'no-store' : 'max-age=60' };
      return { headers, body: id === 0 ? [...balances.keys()].map(account) : account(id) };
    }
    const headers = { 'cache-control': 'no-cache, No-Store, must-revalidate' };
    if (url.endsWith('/search')) return { headers, body: [...balances.keys()].map(account) };
    const made = id === 0 ? 4 : id;
    balances.set(made, made * 1_000 + 0.25);
    if (method === 'DELETE') return { headers, status: 204 };
    return { headers, body: { ...(JSON.parse(text) as object), ...account(made) } };
  });
  return createResource({
    path: '/accounts/:id',
    urlPrefix: address,
    schema: Account,
    http: httpCache,
  });
}

/** A controller with a disk; `onDisk` is everything stored there, as text. */
async function kept(accounts: Awaited<ReturnType<typeof bank>>, disk = freshDisk()) {
  const controller = new Controller();
  const disks = persist(controller, {
    names: { accounts, search: searchOf(accounts) },
    name: disk,
  });
  onTestFinished(() => disks.stop());
  await disks.ready;
  const onDisk = async () => {
    await disks.flush();
    return JSON.stringify([...(await rowsOn(disk))]);
  };
  return { controller, onDisk, disk };
}
const searchOf = ({ get: { urlPrefix } }: Awaited<ReturnType<typeof bank>>) =>
  new RestEndpoint({
    urlPrefix,
    path: '/accounts/search',
    method: 'POST',
    sideEffect: undefined,
    schema: [Account],
    http: httpCache,
  });

test.each(['update', 'partialUpdate'] as const)(
  '[P1] the data of a no-store response to %s do not reach the disk until the next read',
  async (verb) => {
    const accounts = await bank();
    const { controller, onDisk } = await kept(accounts);
    await controller.fetch(accounts.get, { id: 1 });
    await controller.fetch(accounts.getList);
    expect(await onDisk()).toContain('1000.75');
    const response = await controller.fetch(accounts[verb], { id: 1 }, { balance: 0 });
    expect(response.balance).toBe(1_000.25);
    const after = await onDisk();
    expect(after).not.toContain('1000.25');
    expect(after).not.toContain('1000.75');
    expect(after).toContain('3000.75');
    await controller.fetch(accounts.get, { id: 1 });
    expect(await onDisk()).toContain('1000.25');
  },
);

test('[P1] the data of a no-store response stay off the disk if a later read contains fewer fields', async () => {
  const accounts = await bank();
  const { controller, onDisk } = await kept(accounts);
  const { urlPrefix } = accounts.get;
  const process = ({ id }: { id: number }) => ({ id });
  const named = new RestEndpoint({ urlPrefix, path: '/names/:id', schema: Account, process });
  await controller.fetch(accounts.partialUpdate, { id: 1 }, {});
  await controller.fetch(named, { id: 1 });
  expect(controller.get(Account, { id: 1 })?.balance).toBe(1_000.25);
  expect(await onDisk()).not.toContain('1000.25');
});

test('[P1] a row created with a no-store response is not on the disk until its list is refetched', async () => {
  const accounts = await bank();
  const first = await kept(accounts);
  await first.controller.fetch(accounts.getList);
  await first.controller.fetch(accounts.getList.push, { balance: 1 });
  expect(first.controller.getResponse(accounts.getList).data).toHaveLength(4);
  expect(await first.onDisk()).not.toContain('4000.25');
  const second = await kept(accounts, first.disk);
  expect(await second.controller.fetchIfStale(accounts.getList)).toHaveLength(4);
  expect(await second.onDisk()).toContain('4000.25');
});

test('[P1] the data of a no-store response to a search by POST do not reach the disk', async () => {
  const accounts = await bank();
  const { controller, onDisk } = await kept(accounts);
  const found = await controller.fetch(searchOf(accounts), { least: 0 });
  expect(found).toHaveLength(3);
  expect(await onDisk()).not.toContain('.75');
});

test('[P1] no-store data do not reach the disk, and stored data of the entity are removed', async () => {
  const accounts = await bank();
  const disk = freshDisk();
  const controller = new Controller();
  const kept = persist(controller, { names: { accounts }, name: disk });
  onTestFinished(() => kept.stop());
  await kept.ready;
  const onDisk = async () => {
    await kept.flush();
    return JSON.stringify([...(await rowsOn(disk))]);
  };

  await controller.set(Account, { id: 2 }, { id: 2, balance: 5 });
  await controller.fetch(accounts.get, { id: 1 });
  expect(await onDisk()).toContain('1000.75');
  const before = await controller.fetch(accounts.get, { id: 2 });
  expect(before.balance).toBe(2_000.75);
  const after = await onDisk();
  expect(after).toContain('1000.75');
  expect(after).not.toContain('2000.75');
  expect(after).not.toContain('/accounts/2');
});

test('[P3] no-store data stay in the tab that sent the request', async () => {
  const accounts = await bank();
  const bus = new MessageBus();
  const [first, second] = [new Controller(), new Controller()];
  for (const tab of [first, second])
    onTestFinished(connectTabs(tab, { names: { accounts }, channel: bus.channel() }));
  await first.fetch(accounts.get, { id: 1 });
  await first.fetch(accounts.get, { id: 2 });
  for (await settled(); bus.waiting > 0; await settled()) bus.deliver(0);
  expect(second.get(Account, { id: 1 })?.balance).toBe(1_000.75);
  expect(second.get(Account, { id: 2 })).toBeUndefined();
});

test('[P3] a no-store response to a mutation stays in its tab, and the data of other tabs become stale', async () => {
  const accounts = await bank();
  const bus = new MessageBus();
  const [first, second] = [new Controller(), new Controller()];
  for (const tab of [first, second])
    onTestFinished(connectTabs(tab, { names: { accounts }, channel: bus.channel() }));
  const delivered = async () => {
    for (await settled(); bus.waiting > 0; await settled()) bus.deliver(0);
  };
  await first.fetch(accounts.get, { id: 1 });
  await first.fetch(accounts.getList);
  await delivered();
  await first.fetch(accounts.partialUpdate, { id: 1 }, { balance: 0 });
  await first.fetch(accounts.getList.push, { balance: 1 });
  await delivered();
  expect(JSON.stringify(bus.posted)).not.toMatch(/[14]000\.25/);
  expect(second.get(Account, { id: 1 })?.balance).toBe(1_000.75);
  expect(second.get(Account, { id: 4 })).toBeUndefined();
  expect((await second.fetchIfStale(accounts.get, { id: 1 })).balance).toBe(1_000.25);
  expect(await second.fetchIfStale(accounts.getList)).toHaveLength(4);
});
