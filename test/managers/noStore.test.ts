// What HTTP lets nobody keep: it stays in the page that asked, and goes neither to a disk nor to other tabs.
import { Controller, createResource, Entity, httpCache } from 'signalbox';
import { persist } from 'signalbox/persist';
import { connectTabs } from 'signalbox/tabs';
import { expect, onTestFinished, test } from 'vitest';
import { serve } from '../setup/server.ts';
import { settled } from '../setup/world.ts';
import { freshDisk, rowsOn } from './disks.ts';
import { Post } from './Post.ts';

class Account extends Entity {
  id = 0;
  balance = 0;
}

/** A server whose first account may be kept, and whose second may not. */
async function bank() {
  const { address } = await serve(({ url }) => {
    const id = Number(/\d+$/.exec(url)?.[0] ?? 0);
    const headers = { 'cache-control': id === 2 ? 'no-store' : 'max-age=60' };
    return { headers, body: { id, balance: id * 1_000 + 7 } };
  });
  return createResource({
    path: '/accounts/:id',
    urlPrefix: address,
    schema: Account,
    http: httpCache,
  });
}

test('[P1] what HTTP lets nobody keep does not reach the disk, and leaves it when it was there', async () => {
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
  expect(await onDisk()).toContain('1007');
  const before = await controller.fetch(accounts.get, { id: 2 });
  expect(before.balance).toBe(2_007);
  const after = await onDisk();
  expect(after).toContain('1007');
  expect(after).not.toContain('2007');
  expect(after).not.toContain('/accounts/2');
});

test('[P3] what HTTP lets nobody keep stays in the tab that asked', async () => {
  const accounts = await bank();
  const post = new Post();
  const [first, second] = [new Controller(), new Controller()];
  for (const tab of [first, second])
    onTestFinished(connectTabs(tab, { names: { accounts }, channel: post.channel() }));
  await first.fetch(accounts.get, { id: 1 });
  await first.fetch(accounts.get, { id: 2 });
  for (await settled(); post.waiting > 0; await settled()) post.deliver(0);
  expect(second.get(Account, { id: 1 })?.balance).toBe(1_007);
  expect(second.get(Account, { id: 2 })).toBeUndefined();
});
