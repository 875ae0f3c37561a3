import { describe, expect, test } from 'vitest';
import { refused, settled, StoppedClock } from '../setup/world.ts';
import { depot, Task, until } from './Depot.ts';

const bare = (request: { method: string; path: string; body: unknown }) =>
  [request.method, request.path, request.body] as const;

describe('offline', () => {
  test('[P2] a mutation is sent with an Idempotency-Key, and leaves the log when it is answered', async () => {
    const { page, tasks, asked, rows } = await depot();
    rows.set(5, { id: 5, title: 'a' });
    const { controller, queue } = page();
    const task = await controller.fetch(tasks.partialUpdate, { id: 5 }, { title: 'b' });
    expect(task.title).toBe('b');
    expect(asked).toHaveLength(1);
    expect(asked[0]?.key).toMatch(/^"[0-9a-f-]{36}"$/);
    await until(() => queue.pending.value.length === 0);
  });

  test('[P2] without a network it is shown, waits in the log, and is sent when the network is back', async () => {
    const { page, tasks, asked, rows } = await depot();
    rows.set(5, { id: 5, title: 'a' });
    const tab = page();
    await tab.controller.fetch(tasks.get, { id: 5 });
    tab.page.offline = true;
    const sent = tab.controller.fetch(tasks.partialUpdate, { id: 5 }, { title: 'b' });
    await until(() => tab.queue.pending.value.length === 1);
    expect(tab.queue.pending.value).toMatchObject([
      { name: 'tasks.partialUpdate', args: [{ id: 5 }, { title: 'b' }], attempts: 0 },
    ]);
    expect(tab.controller.get(Task, { id: 5 })?.title).toBe('b');
    expect(asked).toEqual([]);
    tab.page.comeBack('reconnect');
    expect((await sent).title).toBe('b');
    expect(asked.map(bare)).toEqual([['PATCH', '/tasks/5', { title: 'b' }]]);
  });

  test('[P2] a page that is reloaded shows what waits, and sends it once', async () => {
    const { page, tasks, asked, rows } = await depot();
    rows.set(5, { id: 5, title: 'a' });
    const before = page();
    before.page.offline = true;
    void before.controller.fetch(tasks.partialUpdate, { id: 5 }, { title: 'b' });
    await until(() => before.queue.pending.value.length === 1);
    before.queue.stop();
    const after = page();
    after.page.offline = true;
    await after.queue.ready;
    expect(after.controller.get(Task, { id: 5 })?.title).toBe('b');
    after.page.comeBack('reconnect');
    await until(() => after.queue.pending.value.length === 0);
    expect(asked.map(bare)).toEqual([['PATCH', '/tasks/5', { title: 'b' }]]);
    expect(rows.get(5)).toMatchObject({ title: 'b' });
  });
});
