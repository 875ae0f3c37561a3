// A new build finds mutations that an older build has logged.
import { All } from 'signalbox';
import { describe, expect, test, vi } from 'vitest';
import { StoppedClock } from '../setup/world.ts';
import type { LoggedMutation, OfflineOptions } from 'signalbox/offline';
import { bare, offlineServer, Task, turns, until } from './OfflineServer.ts';
import type { Tab } from './OfflineServer.ts';

type Migrate = NonNullable<OfflineOptions['migrate']>;

/** Three edits logged by an older build, and pages of the newer build, without a network. */
async function setUp() {
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  const all = await offlineServer();
  for (const id of [5, 6]) all.rows.set(id, { id, title: 'a' });
  const open = (options: Partial<OfflineOptions>): Tab => {
    const tab = all.page(options);
    tab.page.offline = true;
    return tab;
  };
  const before = open({ version: '1' });
  const { controller } = before;
  controller.fetch(all.tasks.partialUpdate, { id: 5 }, { title: 'b' }).catch(() => {});
  controller.fetch(all.tasks.partialUpdate, { id: 5 }, { title: 'c' }).catch(() => {});
  controller.fetch(all.tasks.update, { id: 6 }, { title: 'd' }).catch(() => {});
  await until(() => before.queue.pending.value.length === 3);
  const keys = before.queue.pending.value.map(({ idempotencyKey }) => `"${idempotencyKey}"`);
  before.queue.stop();
  /** A page of the newer build, and the warnings of that page. */
  const next = async (migrate?: Migrate, version = '2') => {
    const tab = open({ version, migrate });
    const said: unknown[] = [];
    for (const event of ['aside', 'drop'] as const)
      tab.queue.on(event, ({ mutation, reason }) => said.push([event, mutation?.id, reason]));
    await tab.queue.ready;
    return { ...tab, said };
  };
  return { ...all, keys, next };
}

/** An older build called the title `name`. */
const renamed: Migrate = ({ name, args: [params, body] }) => ({
  name,
  args: [params, { name: (body as { title: string }).title }],
});

describe('a raised version', () => {
  test('[P7] a raised version without migrate() keeps the waiting mutations in the log, with an event for each', async () => {
    const { next, asked } = await setUp();
    const { queue, page, said } = await next();
    expect(said).toEqual([
      ['aside', 1, 'version 1'],
      ['aside', 2, 'version 1'],
      ['aside', 3, 'version 1'],
    ]);
    page.comeBack('reconnect');
    expect([queue.pending.value, asked]).toEqual([[], []]);
    queue.stop();
    // the older build, after a return to that version
    const back = await next(undefined, '1');
    expect(back.queue.pending.value.map(({ id }) => id)).toEqual([1, 2, 3]);
    back.page.comeBack('reconnect');
    await until(() => back.queue.pending.value.length === 0);
    expect(asked).toHaveLength(3);
  });

  test('[P7] a raised version passes each mutation to migrate(), and sends the results in order under the old keys', async () => {
    const { next, asked, keys } = await setUp();
    const given: LoggedMutation[] = [];
    const { queue, page, said } = await next((mutation) => {
      given.push(mutation);
      return renamed(mutation);
    });
    expect(given).toMatchObject([
      { id: 1, name: 'tasks.partialUpdate', version: '1', args: [{ id: 5 }, { title: 'b' }] },
      { id: 2, name: 'tasks.partialUpdate', version: '1', args: [{ id: 5 }, { title: 'c' }] },
      { id: 3, name: 'tasks.update', version: '1', args: [{ id: 6 }, { title: 'd' }] },
    ]);
    expect(said).toEqual([]);
    expect(queue.pending.value.map(({ args }) => args[1])).toEqual([
      { name: 'b' },
      { name: 'c' },
      { name: 'd' },
    ]);
    page.comeBack('reconnect');
    await until(() => queue.pending.value.length === 0);
    const ofFive = asked.filter(({ path }) => path === '/tasks/5');
    expect(ofFive.map(bare)).toEqual([
      ['PATCH', '/tasks/5', { name: 'b' }],
      ['PATCH', '/tasks/5', { name: 'c' }],
    ]);
    expect(new Set(asked.map(({ key }) => key))).toEqual(new Set(keys));
  });

  test("[P7] mutations are dropped if migrate() returns 'drop', and kept if it throws or returns undefined", async () => {
    const { next, asked } = await setUp();
    const { queue, page, said } = await next((mutation) => {
      if (mutation.id === 1) return 'drop';
      if (mutation.id === 2) throw new Error('who knows');
      return undefined;
    });
    expect(said).toEqual([
      ['drop', 1, "migrate() returned 'drop'"],
      ['aside', 2, 'migrate: Error: who knows'],
      ['aside', 3, 'version 1'],
    ]);
    queue.stop();
    const later = await next(({ name, args }) => ({ name, args }));
    expect(later.queue.pending.value.map(({ id }) => id)).toEqual([2, 3]);
    later.page.comeBack('reconnect');
    await until(() => later.queue.pending.value.length === 0);
    expect(asked).toHaveLength(2);
    expect(page.offline).toBe(true);
  });

  test('[P7] no mutation is lost if migrate() returns an unknown name or arguments that cannot be stored', async () => {
    const { next } = await setUp();
    const wrong = await next(({ id, name, args }) => {
      return id === 1 ? { name: 'tasks.nothing', args } : { name, args: [() => {}] };
    });
    expect(wrong.queue.pending.value).toEqual([]);
    expect(wrong.said).toEqual([
      ['aside', 1, 'name tasks.nothing'],
      ['aside', 2, expect.stringContaining('migrate: ')],
      ['aside', 3, expect.stringContaining('migrate: ')],
    ]);
    wrong.queue.stop();
    const right = await next(({ args }) => ({ name: 'tasks.update', args }));
    expect(right.queue.pending.value.map(({ args }) => args[1])).toEqual([
      { title: 'b' },
      { title: 'c' },
      { title: 'd' },
    ]);
  });

  test('[P7] changes of an entity are dropped if migrate() drops the creation of the entity', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    const { page, tasks, asked } = await offlineServer();
    const before = page({ version: '1' });
    before.page.offline = true;
    await before.controller.fetch(tasks.getList);
    before.controller.fetch(tasks.getList.push, { title: 'new' }).catch(() => {});
    const id = before.controller.getResponse(tasks.getList).data?.at(-1)?.id as number;
    before.controller.fetch(tasks.partialUpdate, { id }, { title: 'newer' }).catch(() => {});
    await until(() => before.queue.pending.value.length === 2);
    before.queue.stop();
    const migrate: Migrate = ({ name, args }) =>
      name === 'tasks.getList.push' ? 'drop' : { name, args };
    const after = page({ version: '2', migrate });
    const dropped: unknown[] = [];
    after.queue.on('drop', ({ mutation, reason }) => dropped.push([mutation?.name, reason]));
    await after.queue.ready;
    expect(dropped).toEqual([
      ['tasks.getList.push', "migrate() returned 'drop'"],
      ['tasks.partialUpdate', 'the creation of its entity is not in the log'],
    ]);
    expect([after.queue.pending.value, asked]).toEqual([[], []]);
  });

  test('[P7] discard() removes a mutation that a raised version has set aside', async () => {
    const { next } = await setUp();
    const { queue } = await next();
    await queue.discard(1);
    queue.stop();
    const back = await next(undefined, '1');
    expect(back.queue.pending.value.map(({ id }) => id)).toEqual([2, 3]);
  });

  test('[P7] a page sends its mutations in order though a page of another version, opened later, has set them aside', async () => {
    const { page, tasks, rows, asked, next } = await setUp();
    const old = await next(undefined, '1');
    for (const { id } of old.queue.pending.value) await old.queue.discard(id);
    rows.set(7, { id: 7, title: 'a' });
    const edit = (title: string) => old.controller.fetch(tasks.partialUpdate, { id: 7 }, { title });
    const sent = [edit('b')];
    await until(() => old.queue.pending.value.length === 1);
    const other = page({ version: '2' });
    await other.queue.ready;
    sent.push(edit('c'));
    await until(() => old.queue.pending.value.length === 2);
    old.page.comeBack('reconnect');
    await Promise.all(sent);
    expect(asked.map(bare)).toEqual([
      ['PATCH', '/tasks/7', { title: 'b' }],
      ['PATCH', '/tasks/7', { title: 'c' }],
    ]);
    await other.queue.retry();
    expect(asked).toHaveLength(2);
  });

  test('[P7] the changes of an entity whose creation another version has sent are sent in order', async () => {
    const { page, tasks, state, release, asked } = await setUp();
    const names = (name: string) => ({ names: { [name]: tasks } });
    const old = page({ ...names('old'), name: 'renamed' });
    state.holds = true;
    const created = old.controller.fetch(tasks.getList.push, { title: 'a' });
    await until(() => asked.length === 1);
    const migrate: Migrate = ({ name, args }) => ({ name: name.replace('old', 'new'), args });
    const next = page({ ...names('new'), name: 'renamed', version: '2', migrate });
    await next.queue.ready;
    const [{ id } = { id: 0 }] = next.controller.get(new All(Task)) ?? [];
    const { controller, queue } = next;
    const changes = [
      controller.fetch(tasks.update, { id }, { title: 'b', done: true }),
      controller.fetch(tasks.partialUpdate, { id }, { title: 'c' }),
    ];
    await until(() => queue.pending.value.length === 3);
    release();
    state.holds = true;
    await created;
    const sent = () => asked.map(({ method }) => method).filter((method) => method !== 'POST');
    await until(() => sent().length > 0);
    await turns(50);
    // the second change waits for the response to the first
    expect(sent()).toEqual(['PUT']);
    release();
    await Promise.all(changes);
    expect(sent()).toEqual(['PUT', 'PATCH']);
  });

  test('[P7] a mutation that a page migrates while a page of the older version sends it is sent by the newer page', async () => {
    const { page, tasks, rows, asked, state } = await setUp();
    rows.set(7, { id: 7, title: 'a' });
    const clock = new StoppedClock();
    const old = page({ name: 'both' }, { clock });
    state.holds = true;
    old.controller.fetch(tasks.partialUpdate, { id: 7 }, { title: 'b' }).catch(() => {});
    await until(() => asked.length === 1);
    const migrate: Migrate = ({ name, args }) => ({ name, args });
    const next = page({ name: 'both', version: '2', migrate }, { clock: new StoppedClock(0) });
    next.page.offline = true;
    await next.queue.ready;
    // no response in time: the older page pauses
    clock.advance(60_000);
    await until(() => old.queue.pending.value[0]?.error !== undefined);
    await turns(50);
    old.queue.stop();
    await turns(50);
    state.holds = false;
    next.page.comeBack('reconnect');
    await next.queue.retry();
    expect([asked.length, next.queue.pending.value]).toEqual([2, []]);
  });
});
