// One log and several pages: one after another (reloads, crashes), and at the same time (tabs).
import { All, NetworkError } from 'signalbox';
import { connectTabs } from 'signalbox/tabs';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { refused, settled, StoppedClock } from '../setup/world.ts';
import { bare, offlineServer, sharedLocks, Task, until } from './OfflineServer.ts';
import type { Tab } from './OfflineServer.ts';
import { isHead, keysOn, leaseOf, spoilLog } from '../sync/disks.ts';

async function setUp() {
  const all = await offlineServer();
  all.rows.set(5, { id: 5, title: 'a' });
  all.rows.set(6, { id: 6, title: 'a' });
  /** A page without a network. */
  const dark = (options: Parameters<typeof all.page>[0] = {}): Tab => {
    const tab = all.page(options);
    tab.page.offline = true;
    return tab;
  };
  return { ...all, dark };
}

/** The key under which a page shows a task that the server has not named. */
function temporaryKey({ controller }: Tab, title: string): number {
  return controller.get(new All(Task))?.find((task) => task.title === title)?.id ?? 0;
}

/** The titles of all tasks at each change. */
function titlesIn({ controller }: Tab): string[] {
  const shown: string[] = [];
  const { result } = controller.query(new All(Task));
  const note = ({ data = [] }: { data?: readonly Task[] | undefined }) =>
    shown.push(data.map(({ title }) => title).join());
  onTestFinished(result.subscribe((next) => void note(next)));
  return shown;
}

const waits = ({ queue }: Tab, count: number) =>
  until(() => queue.pending.value.length === count, `${count} waiting`);

describe('a reload', () => {
  test('[P2] after a reload waiting mutations are shown, and sent once, in order', async () => {
    const { dark, tasks, asked, rows } = await setUp();
    const before = dark();
    for (const title of ['b', 'c'])
      void before.controller.fetch(tasks.partialUpdate, { id: 5 }, { title });
    await waits(before, 2);
    before.queue.stop();
    const after = dark();
    await after.queue.ready;
    // O14: a change is shown with the row, never alone
    expect(after.controller.get(Task, { id: 5 })).toBeUndefined();
    await after.controller.set(Task, { id: 5 }, { id: 5, title: 'a' });
    expect(after.controller.get(Task, { id: 5 })?.title).toBe('c');
    expect(after.queue.pending.value).toMatchObject([{ id: 1 }, { id: 2 }]);
    after.page.comeBack('reconnect');
    await waits(after, 0);
    expect(asked.map(({ body }) => body)).toEqual([{ title: 'b' }, { title: 'c' }]);
    expect(rows.get(5)).toMatchObject({ title: 'c' });
  });

  test('[P2] mutations issued before the log was read are shown above the logged mutations', async () => {
    const { dark, tasks, rows } = await setUp();
    const before = dark();
    void before.controller.fetch(tasks.partialUpdate, { id: 5 }, { title: 'old', done: true });
    await waits(before, 1);
    before.queue.stop();
    const { controller, page, queue } = dark();
    const sent = controller.fetch(tasks.partialUpdate, { id: 5 }, { title: 'new' });
    await queue.ready;
    await until(() => queue.pending.value.length === 2);
    expect(controller.get(Task, { id: 5 })).toBeUndefined();
    await controller.set(Task, { id: 5 }, { id: 5, title: 'a' });
    expect(controller.get(Task, { id: 5 })).toMatchObject({ title: 'new', done: true });
    page.comeBack('reconnect');
    await sent;
    expect(controller.get(Task, { id: 5 })).toMatchObject({ title: 'new', done: true });
    expect(rows.get(5)).toMatchObject({ title: 'new', done: true });
  });

  test('[P2] after a reload changes of a created row stay with the creation, under a new temporary key', async () => {
    const { dark, tasks, asked, rows } = await setUp();
    const before = dark();
    void before.controller.fetch(tasks.getList.push, { title: 'other' });
    void before.controller.fetch(tasks.getList.push, { title: 'x' });
    await before.queue.ready;
    await waits(before, 2);
    const id = temporaryKey(before, 'x');
    void before.controller.fetch(tasks.partialUpdate, { id }, { title: 'y' });
    await waits(before, 3);
    before.queue.stop();
    const after = dark();
    await after.queue.ready;
    void after.controller.fetch(tasks.partialUpdate, { id: 5 }, { title: 'z' });
    await waits(after, 4);
    after.page.comeBack('reconnect');
    await waits(after, 0);
    expect(asked.map(bare).filter(([, path]) => path !== '/tasks/5')).toEqual([
      ['POST', '/tasks', { title: 'other' }],
      ['POST', '/tasks', { title: 'x' }],
      ['PATCH', '/tasks/104', { title: 'y' }],
    ]);
    expect(rows.get(104)).toMatchObject({ title: 'y' });
    expect(after.controller.get(Task, { id: 104 })?.title).toBe('y');
  });

  test('[P2] after a reload changes of a confirmed creation are sent to the key of the server', async () => {
    const { dark, tasks, asked, troubles } = await setUp();
    const before = dark();
    const made = before.controller.fetch(tasks.create, { title: 'x' });
    await waits(before, 1);
    const id = temporaryKey(before, 'x');
    void before.controller.fetch(tasks.partialUpdate, { id }, { title: 'y' });
    await waits(before, 2);
    // the change was sent, so the log no longer has the change
    troubles.push('none', 'lost before');
    before.page.comeBack('reconnect');
    await made;
    await until(() => asked.length === 2);
    before.queue.stop();
    const after = dark();
    await after.queue.ready;
    after.page.comeBack('reconnect');
    await waits(after, 0);
    expect(asked.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /tasks',
      'PATCH /tasks/103',
      'PATCH /tasks/103',
    ]);
  });

  test('[P2] a reload during a request sends the mutation again under the same key', async () => {
    const { page, tasks, asked, applied, state, release } = await setUp();
    state.holds = true;
    const before = page();
    void before.controller.fetch(tasks.create, { title: 'x' });
    await until(() => asked.length === 1);
    before.queue.stop();
    state.holds = false;
    const clock = new StoppedClock(Date.now() + 60_000);
    const after = page({}, { clock });
    await until(() => after.queue.pending.value.length === 1);
    await until(() => (clock.advance(1_000), asked.length === 2));
    release();
    await waits(after, 0);
    expect(asked[1]?.key).toBe(asked[0]?.key);
    expect(applied).toHaveLength(1);
  });

  test('[P2] mutations of a log of the first format are sent once, and the log is continued', async () => {
    const { dark, tasks, asked, name } = await setUp();
    const rows = ['old', 'older'].map((title, at) => {
      const args = [{ id: 5 }, { title }];
      const row = ['', 'tasks.partialUpdate', args, `key ${at}`, 0, 0, [0, 0], []];
      return JSON.stringify([`entry:${at + 1}`, [...row, '', 0, [], at + 1, 'tasks.get.schema 5']]);
    });
    await spoilLog(name, rows);
    const locks = sharedLocks();
    const [one, other] = [dark({ locks }), dark({ locks })];
    await Promise.all([one.queue.ready, other.queue.ready]);
    for (const { controller } of [one, other])
      void controller.fetch(tasks.partialUpdate, { id: 6 }, { title: 'new' });
    await until(() => [one, other].every(({ queue }) => queue.pending.value.length === 3));
    expect(one.queue.pending.value.map(({ id }) => id).slice(0, 2)).toEqual([1, 2]);
    other.queue.stop();
    one.page.comeBack('reconnect');
    await waits(one, 0);
    await until(() => asked.length === 4);
    const sent = asked.map(({ path, body }) => `${path} ${(body as Task).title}`);
    expect(sent.filter((text) => text.startsWith('/tasks/5'))).toEqual([
      '/tasks/5 old',
      '/tasks/5 older',
    ]);
    expect(sent).toHaveLength(4);
  });

  test('[P2] after a reload a rejection is reported by an event and a warning', async () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const { dark, tasks, troubles } = await setUp();
    const before = dark();
    void before.controller.fetch(tasks.partialUpdate, { id: 5 }, { title: 'b' });
    await waits(before, 1);
    before.queue.stop();
    const after = dark();
    const errors: Error[] = [];
    after.controller.on('error', ({ error }) => errors.push(error));
    await after.queue.ready;
    troubles.push(422);
    after.page.comeBack('reconnect');
    await waits(after, 0);
    expect(errors).toMatchObject([{ code: 'R7', status: 422 }]);
    expect(after.controller.get(Task, { id: 5 })).toBeUndefined();
    expect(warned).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('[signalbox O4]'));
  });
});

describe('two tabs', () => {
  test('[P2] a tab waits for the lease of a closed tab until the lease ends, and then sends', async () => {
    const { page, tasks, asked, name } = await setUp();
    const clock = new StoppedClock();
    await leaseOf(name, 'tasks.get.schema 5', clock.now() + 10_000);
    const { controller } = page({}, { clock });
    const sent = controller.fetch(tasks.partialUpdate, { id: 5 }, { title: 'b' });
    for (let passed = 0; passed < 9_000; passed += 500) {
      clock.advance(500);
      await settled();
    }
    expect(asked).toEqual([]);
    await until(() => (clock.advance(500), asked.length === 1));
    expect((await sent).title).toBe('b');
  });

  test.each([
    ['locks', true],
    ['leases', false],
  ])('[P2] two tabs send each mutation once, by %s', async (_, locked) => {
    const { dark, tasks, asked, applied } = await setUp();
    const options = locked ? { locks: sharedLocks() } : {};
    const [one, other] = [dark(options), dark(options)];
    const sent = [one, other, one, other].map(({ controller }, at) =>
      controller.fetch(tasks.partialUpdate, { id: 5 + (at % 3 === 0 ? 1 : 0) }, { title: `${at}` }),
    );
    await until(() => [one, other].every(({ queue }) => queue.pending.value.length === 2));
    for (const { page } of [one, other]) page.comeBack('reconnect');
    await Promise.all(sent);
    await waits(one, 0);
    await waits(other, 0);
    expect([asked.length, applied.length]).toEqual([4, 4]);
  });

  test('[P2] a tab shows its last write, also if the other tab has written between', async () => {
    const { dark, tasks, asked } = await setUp();
    const options = { locks: sharedLocks() };
    const [one, other] = [dark(options), dark(options)];
    const write = ({ controller }: Tab, title: string) =>
      void controller.fetch(tasks.partialUpdate, { id: 5 }, { title });
    write(one, '1');
    await waits(one, 1);
    write(other, '2');
    await waits(other, 1);
    write(one, '3');
    await waits(one, 2);
    one.page.comeBack('reconnect');
    await waits(one, 0);
    expect(asked.map(({ body }) => body)).toEqual([{ title: '1' }, { title: '2' }, { title: '3' }]);
    expect(one.controller.get(Task, { id: 5 })?.title).toBe('3');
  });

  test('[P2] a tab settles the promises of mutations that the other tab has sent', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    const { dark, tasks, asked, troubles, state, release } = await setUp();
    const options = { locks: sharedLocks() };
    const [one, other] = [dark(options), dark(options)];
    const good = other.controller.fetch(tasks.partialUpdate, { id: 5 }, { title: 'b' });
    const bad = refused(other.controller.fetch(tasks.partialUpdate, { id: 5 }, { done: true }));
    await waits(other, 2);
    state.holds = true;
    troubles.push('none', 422);
    one.page.comeBack('reconnect');
    await until(() => asked.length === 1);
    other.page.comeBack('reconnect');
    await settled();
    release();
    expect((await good).title).toBe('b');
    expect(await bad).toMatchObject({ name: 'NetworkError', code: 'R7', status: 422 });
    expect(await bad).toBeInstanceOf(NetworkError);
    expect(asked).toHaveLength(2);
    expect(other.controller.get(Task, { id: 5 })).toMatchObject({ title: 'b', done: false });
  });

  test('[O16] a tab shows a created row once, and settles its promises at once, after a connected tab has sent the waiting creation', async () => {
    const { page, tasks, asked, troubles, name } = await setUp();
    // no timer of the first tab fires
    const clocks = [{ clock: new StoppedClock(Date.now()) }, {}];
    const locks = sharedLocks();
    const open = async (at: number) => {
      const tab = page({ locks }, clocks[at]);
      onTestFinished(connectTabs(tab.controller, { names: { tasks }, name }));
      await tab.queue.ready;
      return tab;
    };
    const one = await open(0);
    troubles.push(503);
    const made = one.controller.fetch(tasks.create, { title: 'tea' });
    await until(() => asked.length === 1);
    const key = temporaryKey(one, 'tea');
    const renamed = one.controller.fetch(tasks.partialUpdate, { id: key }, { title: 'green tea' });
    const edited = one.controller.fetch(tasks.partialUpdate, { id: 5 }, { title: 'b' });
    await waits(one, 3);
    const other = await open(1);
    await waits(other, 0);
    expect((await made).id).toBeGreaterThan(0);
    expect((await renamed).title).toBe('green tea');
    expect((await edited).title).toBe('b');
    await waits(one, 0);
    const titles = (tab: Tab) =>
      tab.controller
        .get(new All(Task))
        ?.map(({ title }) => title)
        .sort();
    expect(titles(one)).toEqual(['b', 'green tea']);
    expect(titles(other)).toEqual(['b', 'green tea']);
    expect(asked).toHaveLength(4);
  });

  test('[O16] a tab never shows a waiting creation beside the row that a connected tab has sent', async () => {
    const { dark, tasks, name } = await setUp();
    const options = { locks: sharedLocks() };
    const open = async () => {
      const tab = dark(options);
      onTestFinished(connectTabs(tab.controller, { names: { tasks }, name }));
      await tab.queue.ready;
      return tab;
    };
    const one = await open();
    const made = one.controller.fetch(tasks.create, { title: 'tea' });
    const shown = titlesIn(one);
    await waits(one, 1);
    const other = await open();
    other.page.comeBack('reconnect');
    await waits(other, 0);
    one.page.comeBack('reconnect');
    await made;
    expect(new Set(shown)).toEqual(new Set(['tea']));
    expect(titlesIn(other)).toEqual(['tea']);
  });

  test('[O16] a row that a stream pushes while the queue sends its creation is shown once', async () => {
    const { page, tasks, asked, applied, state, release, troubles } = await setUp();
    const locks = sharedLocks();
    const one = page({ locks });
    await one.queue.ready;
    state.holds = true;
    const made = one.controller.fetch(tasks.create, { title: 'tea' });
    const shown = titlesIn(one);
    await until(() => applied.length === 1);
    await one.controller.set(Task, { id: 103 }, { id: 103, title: 'tea', done: false });
    release();
    expect(await made).toMatchObject({ id: 103 });
    expect(new Set(shown)).toEqual(new Set(['tea']));
    // the response is lost, and the next page reads the row before the repetition is answered
    troubles.push('lost after');
    one.controller.fetch(tasks.create, { title: 'milk' }).catch(() => {});
    await until(() => applied.length === 2);
    one.queue.stop();
    const next = page({ locks });
    state.holds = true;
    await next.queue.ready;
    const shownNext = titlesIn(next);
    await until(() => asked.length === 3);
    await next.controller.set(Task, { id: 104 }, { id: 104, title: 'milk', done: false });
    release();
    await waits(next, 0);
    expect(new Set(shownNext)).toEqual(new Set(['milk']));
  });

  test('[P2] a tab sends the mutation of a closed tab', async () => {
    const { page, tasks, asked, applied, state, release } = await setUp();
    const clock = new StoppedClock();
    const [one, other] = [page({}, { clock }), page({}, { clock })];
    await Promise.all([one.queue.ready, other.queue.ready]);
    state.holds = true;
    void one.controller.fetch(tasks.partialUpdate, { id: 5 }, { title: 'b' });
    await until(() => asked.length === 1);
    one.queue.stop();
    state.holds = false;
    await until(() => (clock.advance(1_000), asked.length === 2));
    release();
    await until(() => other.controller.get(Task, { id: 5 })?.title === 'b');
    await waits(other, 0);
    expect(applied).toHaveLength(1);
  });

  test('[P2] a mutation is rejected with O5 when another tab logs out', async () => {
    const { dark, tasks, asked } = await setUp();
    const options = { locks: sharedLocks() };
    const one = dark(options);
    const sent = refused(one.controller.fetch(tasks.partialUpdate, { id: 5 }, { title: 'b' }));
    await waits(one, 1);
    const other = dark(options);
    await waits(other, 1);
    other.controller.reset();
    await settled();
    one.page.comeBack('reconnect');
    expect(await sent).toMatchObject({ code: 'O5' });
    expect([asked, one.queue.pending.value]).toEqual([[], []]);
  });
});

describe('the disk', () => {
  test('[P2] a damaged record is dropped, with a warning and an event', async () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const { dark, name } = await setUp();
    const row = ['', 'tasks.create', [{}], 'key', 'when?', 0, [0, 0], [], '', 0, [], 8, 'x'];
    await spoilLog(name, ['nonsense', JSON.stringify(['entry:8', row])]);
    const { queue } = dark();
    const dropped: unknown[] = [];
    queue.on('drop', (detail) => dropped.push(detail));
    await queue.ready;
    expect(queue.pending.value).toEqual([]);
    const reason = 'the record is damaged';
    expect(dropped).toMatchObject([
      { mutation: undefined, reason, value: 'nonsense' },
      {
        mutation: undefined,
        reason,
        value: row,
      },
    ]);
    expect(warned).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('[signalbox O1]'));
    expect((await keysOn(name)).filter((key) => !isHead(key))).toEqual([]);
  });

  test('[P2] a mutation of an endpoint without a name is set aside until the endpoint has a name again', async () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const { dark, tasks, asked } = await setUp();
    const before = dark();
    void before.controller.fetch(tasks.partialUpdate, { id: 5 }, { title: 'b' });
    void before.controller.fetch(tasks.update, { id: 5 }, { title: 'c' });
    await waits(before, 2);
    before.queue.stop();
    const without = dark({ names: { tasks: { get: tasks.get, update: tasks.update } } });
    await waits(without, 1);
    expect(warned).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('tasks.partialUpdate'));
    without.page.comeBack('reconnect');
    await waits(without, 0);
    without.queue.stop();
    const again = dark();
    await waits(again, 1);
    again.page.comeBack('reconnect');
    await waits(again, 0);
    expect(asked.map(({ method }) => method)).toEqual(['PUT', 'PATCH']);
  });

  test('[P2] without a disk mutations are sent without the log, with a warning', async () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {});
    vi.stubGlobal('indexedDB', undefined);
    const { page, tasks, asked } = await setUp();
    const { controller, queue } = page();
    await queue.ready;
    const task = await controller.fetch(tasks.partialUpdate, { id: 5 }, { title: 'b' });
    vi.unstubAllGlobals();
    expect(task.title).toBe('b');
    expect(asked.map(({ key }) => key)).toEqual([undefined]);
    expect(warned.mock.calls.every(([text]) => String(text).includes('O2'))).toBe(true);
  });
});
