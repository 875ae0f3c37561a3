// Log outs of connected tabs with an offline queue: the tab in which the log out begins decides about the log.
import { All } from 'signalbox';
import { offline } from 'signalbox/offline';
import type { OfflineOptions } from 'signalbox/offline';
import { connectTabs } from 'signalbox/tabs';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { refused } from '../setup/world.ts';
import { offlineServer, sharedLocks, Task, turns, until } from './OfflineServer.ts';
import type { Tab } from './OfflineServer.ts';
import { isHead, keysOn } from '../sync/disks.ts';

type Owner = Pick<OfflineOptions, 'owner' | 'transform'>;

/** A server with two tasks, and connected tabs of the same profile. */
async function setUp() {
  const all = await offlineServer();
  for (const id of [5, 6]) all.rows.set(id, { id, title: 'a' });
  const locks = sharedLocks();
  const queueOf = ({ owner, transform }: Owner = {}) => ({ locks, owner, transform });
  const open = async ({ offline = true, ...options }: Owner & { offline?: boolean } = {}) => {
    const { owner } = options;
    const tab = all.page(queueOf(options));
    tab.page.offline = offline;
    const names = { tasks: all.tasks };
    onTestFinished(connectTabs(tab.controller, { names, name: all.name, owner }));
    await tab.queue.ready;
    return tab;
  };
  /** A page of a later session, which is not connected. */
  const logIn = async (options: Owner = {}) => {
    const tab = all.page(queueOf(options));
    await tab.queue.ready;
    return tab;
  };
  const edit = ({ controller }: Tab, id: number, title: string) => {
    const sent = controller.fetch(all.tasks.partialUpdate, { id }, { title });
    sent.catch(() => {});
    return sent;
  };
  const waits = ({ queue }: Tab, count: number) =>
    until(() => queue.pending.value.length === count, `${count} waiting`);
  /** Waits until a queue has sent so many mutations in all, and no other waits. */
  const drains = async (tab: Tab, count: number) => {
    await until(() => all.asked.length === count, `${count} sent`);
    await waits(tab, 0);
    await turns(20);
  };
  const bodies = () => all.asked.map(({ body }) => body);
  const records = async () => (await keysOn(all.name)).filter((key) => !isHead(key));
  return { ...all, open, logIn, edit, waits, drains, bodies, records };
}

/** Logs out, and waits until the other tabs have followed. */
async function logOut({ controller }: Tab, others: readonly Tab[]): Promise<void> {
  const follows = others.map(
    (other) => new Promise<void>((resolve) => void other.controller.on('reset', () => resolve())),
  );
  controller.reset();
  await Promise.all(follows);
  await turns(50);
}

describe('a log out that keeps the unsent mutations', () => {
  test.each([1, 2])(
    '[P8] a log out after stop() keeps the mutations of %i other tabs, and the next session sends each once',
    async (count) => {
      const { open, logIn, edit, waits, drains, bodies, asked } = await setUp();
      const one = await open();
      const others: Tab[] = [];
      while (others.length < count) others.push(await open());
      const own = edit(one, 5, 'of the first tab');
      await waits(one, 1);
      const foreign = others.map((tab, at) => edit(tab, 6, `of tab ${at + 2}`));
      for (const tab of others) await waits(tab, 1);
      one.queue.stop();
      await logOut(one, others);
      for (const sent of [own, ...foreign])
        expect(await refused(sent)).toMatchObject({ name: 'ResetError' });
      // the queues of all tabs are stopped: without a user nothing is sent or shown
      for (const { page, queue, controller } of others) {
        page.comeBack('reconnect');
        await queue.retry();
        expect(queue.pending.value).toEqual([]);
        expect(controller.get(Task, { id: 5 })).toBeUndefined();
      }
      await turns(50);
      expect(asked).toEqual([]);
      const next = await logIn();
      await drains(next, count + 1);
      const titles = ['of the first tab', ...others.map((_, at) => `of tab ${at + 2}`)];
      expect(new Set(bodies().map((body) => (body as { title: string }).title))).toEqual(
        new Set(titles),
      );
      expect(new Set(asked.map(({ key }) => key)).size).toBe(count + 1);
    },
  );

  test('[P8] a log out in one tab keeps the mutations that another tab is sending', async () => {
    const { open, logIn, edit, waits, drains, state, release, asked, applied } = await setUp();
    const owner = await open({ offline: false });
    const one = await open();
    state.holds = true;
    void edit(owner, 5, 'b');
    await until(() => asked.length === 1);
    void edit(one, 5, 'c');
    await waits(one, 1);
    one.queue.stop();
    await logOut(one, [owner]);
    // the request in flight ends, and its result belongs to an ended session
    release();
    await turns(50);
    const next = await logIn();
    await drains(next, 3);
    expect(asked.map(({ body }) => body)).toEqual([{ title: 'b' }, { title: 'b' }, { title: 'c' }]);
    expect(applied.map(({ body }) => body)).toEqual([{ title: 'b' }, { title: 'c' }]);
  });

  test('[P8] after a log out another owner gets an empty queue, and the same owner sends the kept mutations', async () => {
    const { open, logIn, edit, waits, drains, bodies } = await setUp();
    const [one, other] = [await open({ owner: 'ada' }), await open({ owner: 'ada' })];
    void edit(one, 5, 'b');
    await waits(one, 1);
    one.queue.stop();
    await logOut(one, [other]);
    // another user never sees the edit
    const bob = await logIn({ owner: 'bob' });
    expect(bob.queue.pending.value).toEqual([]);
    void edit(bob, 6, 'of bob');
    await until(() => bodies().length === 1);
    bob.controller.reset();
    await turns(50);
    expect(bodies()).toEqual([{ title: 'of bob' }]);
    const again = await logIn({ owner: 'ada' });
    await drains(again, 2);
    expect(bodies()).toEqual([{ title: 'of bob' }, { title: 'b' }]);
  });

  test('[P8] a log out leaves the log of a tab with another owner', async () => {
    const { page, name, tasks, edit, waits, drains, logIn, bodies } = await setUp();
    const [ada, bob] = ['ada', 'bob'].map((owner) => {
      const tab = page({ owner, locks: sharedLocks() });
      tab.page.offline = true;
      onTestFinished(connectTabs(tab.controller, { names: { tasks }, name }));
      return tab;
    }) as [Tab, Tab];
    void edit(bob, 6, 'of bob');
    await waits(bob, 1);
    await logOut(ada, [bob]);
    const next = await logIn({ owner: 'bob' });
    await drains(next, 1);
    expect(bodies()).toEqual([{ title: 'of bob' }]);
  });
});

test.each([0, 1, 2])(
  '[P8] a log out that removes the unsent mutations empties the log, from tab %i of three',
  async (at) => {
    const { open, logIn, edit, waits, records, asked } = await setUp();
    const tabs = [await open(), await open(), await open()];
    const sent: Promise<unknown>[] = [];
    for (const [index, tab] of tabs.entries()) {
      sent.push(edit(tab, 5, `${index}`));
      await waits(tab, 1);
    }
    expect((await records()).length).toBeGreaterThan(2);
    const [one] = tabs.splice(at, 1) as [Tab];
    await logOut(one, tabs);
    for (const each of sent) expect(await refused(each)).toMatchObject({ name: 'ResetError' });
    await expect.poll(records).toEqual([]);
    const next = await logIn();
    await turns(50);
    expect([next.queue.pending.value, asked]).toEqual([[], []]);
  },
);

describe('a log out while another tab is writing mutations', () => {
  /** Two tabs; `hold` keeps the following writes of the second from their end, `write` lets these writes go on. */
  async function setUpWriting() {
    const all = await setUp();
    let [held, write] = [Promise.resolve(), () => {}];
    const transform = {
      encode: (plain: Uint8Array<ArrayBuffer>) => held.then(() => plain),
      decode: (bytes: Uint8Array<ArrayBuffer>) => Promise.resolve(bytes),
    };
    const hold = () => {
      held = new Promise((resolve) => (write = resolve));
    };
    const [one, other] = [await all.open({ transform }), await all.open({ transform })];
    return { ...all, one, other, hold, write: () => write(), transform };
  }
  type Writing = Awaited<ReturnType<typeof setUpWriting>>;

  const edits = ({ edit, other }: Writing) => [edit(other, 5, 'b')];
  const rows = ({ other, tasks }: Writing) => {
    const made = other.controller.fetch(tasks.create, { title: 'made' });
    const [row] = other.controller.get(new All(Task)) ?? [];
    const changed = other.controller.fetch(
      tasks.partialUpdate,
      { id: row?.id as number },
      { done: true },
    );
    return [made, changed];
  };
  const kinds = [
    ['an edit', edits, ['PATCH /tasks/5']],
    ['a creation, and a change of the created row', rows, ['POST /tasks', 'PATCH /tasks/103']],
  ] as const;

  test.each(kinds)('[P8] keeps %s where it keeps the unsent mutations', async (_, begin, sent) => {
    const it = await setUpWriting();
    it.hold();
    const promises = begin(it);
    for (const promise of promises) promise.catch(() => {});
    it.one.queue.stop();
    await logOut(it.one, [it.other]);
    it.write();
    await turns(50);
    const next = await it.logIn({ transform: it.transform });
    await it.drains(next, sent.length);
    expect(it.asked.map(({ method, path }) => `${method} ${path}`)).toEqual(sent);
    for (const each of promises) expect(await refused(each)).toMatchObject({ name: 'ResetError' });
  });

  test.each(kinds)(
    '[P8] keeps nothing of %s where it removes the unsent mutations',
    async (_, begin) => {
      const it = await setUpWriting();
      it.hold();
      for (const promise of begin(it)) promise.catch(() => {});
      await logOut(it.one, [it.other]);
      it.write();
      await turns(100);
      expect(await it.records()).toEqual([]);
      const next = await it.logIn({ transform: it.transform });
      await turns(50);
      expect([next.queue.pending.value, it.asked]).toEqual([[], []]);
    },
  );
});

describe('a queue that is stopped as soon as the caller has the result', () => {
  type World = Awaited<ReturnType<typeof setUp>>;
  const savings: [name: string, save: (world: World, tab: Tab) => Promise<unknown>][] = [
    ['a confirmed edit', ({ edit }, tab) => edit(tab, 5, 'b')],
    [
      'a rejected edit',
      ({ edit, troubles }, tab) => {
        troubles.push(400);
        return refused(edit(tab, 5, 'b'));
      },
    ],
    ['a creation', ({ tasks }, { controller }) => controller.fetch(tasks.create, { title: 'b' })],
  ];

  test.each(
    savings.flatMap(([name, save]) => [true, false].map((resets) => ({ name, save, resets }))),
  )(
    '[P2] does not send $name again at the next start, with a log out: $resets',
    async ({ save, resets }) => {
      const it = await setUp();
      const tab = await it.open({ offline: false });
      await save(it, tab);
      const later = it.edit(tab, 6, 'later');
      tab.queue.stop();
      if (resets) tab.controller.reset();
      await turns(50);
      const next = await it.logIn();
      await it.drains(next, 2);
      later.catch(() => {});
      expect(it.bodies()).toEqual([{ title: 'b' }, { title: 'later' }]);
    },
  );

  test('[P2] sends a mutation again whose response arrives after the stop, under the same key', async () => {
    const it = await setUp();
    const tab = await it.open({ offline: false });
    it.state.holds = true;
    void it.edit(tab, 5, 'b');
    await until(() => it.asked.length === 1);
    tab.queue.stop();
    it.release();
    await turns(50);
    const next = await it.logIn();
    await it.drains(next, 2);
    expect(new Set(it.asked.map(({ key }) => key)).size).toBe(1);
    expect(it.applied).toHaveLength(1);
  });
});

test('[P2] a queue that is stopped while reading the log sends no mutation of the log', async () => {
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const { open, logIn, edit, waits, drains, page, asked } = await setUp();
  const before = await open();
  void edit(before, 5, 'b');
  await waits(before, 1);
  before.queue.stop();
  const stopped = page({ locks: sharedLocks() });
  stopped.queue.stop();
  await stopped.queue.ready;
  await turns(50);
  expect([asked, warned.mock.calls]).toEqual([[], []]);
  const next = await logIn();
  await drains(next, 1);
  expect(asked.map(({ body }) => body)).toEqual([{ title: 'b' }]);
});

test.each([0, 1])(
  '[P8] after stop() and a log out %i further tabs list no pending mutation, and the next session has all',
  async (count) => {
    const { open, logIn, edit, waits } = await setUp();
    const tab = await open();
    const others: Tab[] = [];
    while (others.length < count) others.push(await open());
    const sent = refused(edit(tab, 5, 'b'));
    await waits(tab, 1);
    tab.queue.stop();
    expect(tab.queue.pending.value).toHaveLength(1);
    await logOut(tab, others);
    expect(await sent).toMatchObject({ name: 'ResetError' });
    expect(tab.queue.pending.value).toEqual([]);
    const next = await logIn();
    expect(next.queue.pending.value).toMatchObject([{ args: [{ id: 5 }, { title: 'b' }] }]);
  },
);

describe('offline() called again on a controller', () => {
  test('[P8] after a log out it replaces the queue: each mutation is sent once, and its caller gets the response', async () => {
    const { open, edit, drains, tasks, name, bodies } = await setUp();
    const tab = await open({ offline: false });
    tab.controller.reset();
    await turns(50);
    const queue = offline(tab.controller, { names: { tasks }, name });
    onTestFinished(() => queue.stop());
    await queue.ready;
    expect(await edit(tab, 5, 'b')).toMatchObject({ title: 'b' });
    await drains({ ...tab, queue }, 1);
    expect(bodies()).toEqual([{ title: 'b' }]);
  });

  test.each([true, false])(
    '[P8] without a log out it renders each waiting mutation once (stopped before: %s)',
    async (stops) => {
      const { open, edit, waits, drains, tasks, name } = await setUp();
      const tab = await open({ offline: false });
      await tab.controller.fetch(tasks.get, { id: 5 });
      tab.page.offline = true;
      const edited = edit(tab, 5, 'b');
      const created = tab.controller.fetch(tasks.getList.push, { title: 'new' });
      await waits(tab, 2);
      if (stops) tab.queue.stop();
      const queue = offline(tab.controller, { names: { tasks }, name });
      onTestFinished(() => queue.stop());
      expect(await refused(edited)).toMatchObject({ name: 'ResetError' });
      expect(await refused(created)).toMatchObject({ name: 'ResetError' });
      await queue.ready;
      const titles = () => (tab.controller.get(new All(Task)) ?? []).map(({ title }) => title);
      expect(titles().sort()).toEqual(['b', 'new']);
      tab.page.comeBack('reconnect');
      await drains({ ...tab, queue }, 2);
      expect(titles().sort()).toEqual(['b', 'new']);
    },
  );
});
