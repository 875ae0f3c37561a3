// Waiting mutations of the same row are sent as a single request if the application enables merging.
import * as fc from 'fast-check';
import { All } from 'signalbox';
import type { OfflineOptions } from 'signalbox/offline';
import { describe, expect, test, vi } from 'vitest';
import { runs } from '../laws/runs.ts';
import { refused } from '../setup/world.ts';
import { bare, offlineServer, sharedLocks, Task, until } from './OfflineServer.ts';

/** Task 5, and a page without a network that merges. */
async function setUp(options: Partial<OfflineOptions> = {}) {
  const all = await offlineServer();
  all.rows.set(5, { id: 5, title: 'a', done: false });
  all.rows.set(6, { id: 6, title: 'a', done: false });
  const locks = sharedLocks();
  const open = (more: Partial<OfflineOptions> = {}) =>
    all.page({ merge: true, locks, ...options, ...more });
  const tab = open();
  const { controller, page, queue } = tab;
  await queue.ready;
  await controller.fetch(all.tasks.getList);
  page.offline = true;
  const waits = (count: number) => until(() => queue.pending.value.length === count, `${count}`);
  const patch = (body: object, id = 5) => controller.fetch(all.tasks.partialUpdate, { id }, body);
  const send = async () => {
    page.comeBack('reconnect');
    await waits(0);
  };
  const keyOf = (title: string) =>
    controller.get(new All(Task))?.find((task) => task.title === title)?.id as number;
  const ended: unknown[] = [];
  controller.on('error', ({ error }) => ended.push(error));
  controller.on('abort', ({ endpoint: { name } }) => ended.push(name));
  return { ...all, ...tab, open, waits, patch, send, keyOf, ended };
}

describe('with merge', () => {
  test('[P7] with merge three waiting PATCH of a row are sent as one, and each caller gets the row', async () => {
    const { patch, send, waits, asked, ended, rows } = await setUp();
    const sent = [patch({ title: 'b' }), patch({ done: true }), patch({ title: 'c' })];
    await waits(3);
    await send();
    expect(asked.map(bare)).toEqual([['PATCH', '/tasks/5', { title: 'c', done: true }]]);
    const row = { id: 5, title: 'c', done: true };
    expect(await Promise.all(sent)).toMatchObject([row, row, row]);
    expect([rows.get(5), ended]).toEqual([row, []]);
  });

  test('[P7] PATCH of other rows, or with an object in the same field, are not merged', async () => {
    const { patch, send, waits, asked } = await setUp();
    const bodies = [{ meta: { a: 1 } }, { meta: { b: 2 } }, { meta: 3 }, { title: 'c' }];
    for (const body of bodies) patch(body).catch(() => {});
    patch({ title: 'x' }, 6).catch(() => {});
    await waits(5);
    await send();
    const ofFive = asked.map(bare).filter(([, path]) => path === '/tasks/5');
    expect(ofFive.map(([, , body]) => body)).toEqual([
      { meta: { a: 1 } },
      { meta: { b: 2 } },
      { meta: 3, title: 'c' },
    ]);
    expect(asked).toHaveLength(4);
  });

  test('[P7] a PUT with all fields of earlier mutations, or a DELETE, replaces these waiting mutations', async () => {
    const { controller, tasks, patch, send, waits, asked, ended } = await setUp();
    const sent = [
      patch({ title: 'b' }),
      controller.fetch(tasks.update, { id: 5 }, { title: 'c' }),
      patch({ title: 'x' }, 6),
      controller.fetch(tasks.delete, { id: 6 }),
    ];
    await waits(4);
    expect(controller.get(Task, { id: 6 })).toBeUndefined();
    await send();
    expect(asked.map(bare).sort(([, a], [, b]) => (a < b ? -1 : 1))).toEqual([
      ['PUT', '/tasks/5', { title: 'c' }],
      ['DELETE', '/tasks/6', undefined],
    ]);
    const settled = await Promise.allSettled(sent);
    expect(settled.map(({ status }) => status)).toEqual(Array(4).fill('fulfilled'));
    expect(controller.get(Task, { id: 5 })?.title).toBe('c');
    expect([controller.get(Task, { id: 6 }), ended]).toEqual([undefined, []]);
  });

  test('[P7] a PUT without a field of a waiting mutation does not replace that mutation', async () => {
    const { controller, tasks, patch, send, waits, asked } = await setUp();
    patch({ title: 'b', note: 'x' }).catch(() => {});
    controller.fetch(tasks.update, { id: 5 }, { title: 'c' }).catch(() => {});
    controller.fetch(tasks.update, { id: 5 }, { title: 'd', note: 'y' }).catch(() => {});
    await waits(3);
    await send();
    expect(asked.map(({ body }) => body)).toEqual([
      { title: 'b', note: 'x' },
      { title: 'd', note: 'y' },
    ]);
  });

  test('[P7] the creation, changes and deletion of a row that wait together are not sent', async () => {
    const { controller, tasks, send, waits, asked, keyOf, ended, open } = await setUp();
    const made = refused(controller.fetch(tasks.getList.push, { title: 'new' }));
    const id = keyOf('new');
    const changed = refused(controller.fetch(tasks.partialUpdate, { id }, { title: 'newer' }));
    const deleted = controller.fetch(tasks.delete, { id });
    await waits(3);
    const shown: number[] = [];
    controller.on('commit', () =>
      shown.push(controller.getResponse(tasks.getList).data?.length ?? 0),
    );
    await send();
    expect(asked).toEqual([]);
    expect(await made).toMatchObject({ name: 'AbortError' });
    expect(await changed).toMatchObject({ name: 'AbortError' });
    expect(await deleted).toBeUndefined();
    // the row never appears again, and no error is reported
    expect(new Set(shown)).toEqual(new Set([2]));
    expect(ended.filter((one) => one instanceof Error)).toEqual([]);
    expect(ended).toHaveLength(3);
    const next = open();
    await next.queue.ready;
    expect(next.queue.pending.value).toEqual([]);
  });

  test('[P7] a later change of a row that was created and deleted is rejected, without a warning', async () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const { controller, tasks, waits, patch, keyOf, page } = await setUp();
    const made = controller.fetch(tasks.create, { title: 'x' });
    await waits(1);
    const id = keyOf('x');
    const deleted = controller.fetch(tasks.delete, { id });
    await waits(2);
    page.comeBack('reconnect');
    await deleted;
    expect(await refused(made)).toMatchObject({ name: 'AbortError' });
    expect(await refused(patch({ title: 'y' }, id))).toMatchObject({ code: 'E6' });
    expect(warned).not.toHaveBeenCalled();
  });

  test('[P7] a row created beside a row that was created and deleted is sent and shown', async () => {
    const { controller, tasks, send, waits, asked, keyOf, rows } = await setUp();
    controller.fetch(tasks.getList.push, { title: 'gone' }).catch(() => {});
    const kept = controller.fetch(tasks.getList.push, { title: 'kept' });
    controller.fetch(tasks.delete, { id: keyOf('gone') }).catch(() => {});
    await waits(3);
    await send();
    expect(asked.map(bare)).toEqual([['POST', '/tasks', { title: 'kept' }]]);
    const { id } = await kept;
    expect([...rows.keys()]).toEqual([5, 6, id]);
    const shown = controller.get(new All(Task))?.map((task) => [task.id, task.title]);
    expect(shown).toEqual([
      [5, 'a'],
      [6, 'a'],
      [id, 'kept'],
    ]);
    expect(controller.getResponse(tasks.getList).data).toHaveLength(3);
  });

  test('[P7] another tab merges the waiting mutations, and the callers in the first tab are settled', async () => {
    const { controller, tasks, waits, asked, keyOf, open, page } = await setUp();
    const made = refused(controller.fetch(tasks.getList.push, { title: 'new' }));
    const deleted = controller.fetch(tasks.delete, { id: keyOf('new') });
    const one = controller.fetch(tasks.partialUpdate, { id: 5 }, { title: 'b' });
    const two = controller.fetch(tasks.partialUpdate, { id: 5 }, { done: true });
    await waits(4);
    const other = open();
    await other.queue.ready;
    await until(() => other.queue.pending.value.length === 0);
    expect(asked.map(bare)).toEqual([['PATCH', '/tasks/5', { title: 'b', done: true }]]);
    page.comeBack('reconnect');
    await waits(0);
    expect(await made).toMatchObject({ name: 'AbortError' });
    expect(await deleted).toBeUndefined();
    expect(await one).toMatchObject({ title: 'b', done: true });
    expect(await two).toMatchObject({ title: 'b', done: true });
  });

  test('[P7] a created and deleted row with a created child is not merged: all three mutations are sent', async () => {
    const { controller, tasks, send, waits, asked, keyOf } = await setUp();
    controller.fetch(tasks.getList.push, { title: 'parent' }).catch(() => {});
    const id = keyOf('parent');
    controller.fetch(tasks.getList.push, { title: 'child', parent: id } as object).catch(() => {});
    controller.fetch(tasks.delete, { id }).catch(() => {});
    await waits(3);
    await send();
    expect(asked.map(({ method }) => method).sort()).toEqual(['DELETE', 'POST', 'POST']);
  });

  test('[P7] a mutation that was already sent is not merged with later mutations', async () => {
    const { patch, page, queue, waits, asked, applied, troubles } = await setUp();
    troubles.push('lost after');
    const first = patch({ title: 'b' });
    await waits(1);
    page.comeBack('reconnect');
    await until(() => asked.length === 1);
    await until(() => queue.pending.value[0]?.error !== undefined);
    page.offline = true;
    const later = [patch({ title: 'c' }), patch({ done: true })];
    await waits(3);
    page.comeBack('reconnect');
    await until(() => (queue.retry(), queue.pending.value.length === 0));
    await Promise.all([first, ...later]);
    expect(asked.map(({ body }) => body)).toEqual([
      { title: 'b' },
      { title: 'b' },
      { title: 'c', done: true },
    ]);
    expect([asked[0]?.key === asked[1]?.key, applied.length]).toEqual([true, 2]);
  });

  test('[P7] an error of a merged request rejects and rolls back all merged mutations', async () => {
    const { controller, patch, send, waits, troubles } = await setUp();
    troubles.push(422);
    const sent = [patch({ title: 'b' }), patch({ done: true })].map((one) => refused(one));
    await waits(2);
    await send();
    expect(await Promise.all(sent)).toMatchObject([{ status: 422 }, { status: 422 }]);
    expect(controller.get(Task, { id: 5 })).toMatchObject({ title: 'a', done: false });
  });
});

test('[P7] without merge each waiting mutation is sent', async () => {
  const { patch, send, waits, asked } = await setUp({ merge: undefined });
  for (const title of ['b', 'c', 'd']) patch({ title }).catch(() => {});
  await waits(3);
  await send();
  expect(asked).toHaveLength(3);
});

interface Step {
  readonly what: string;
  readonly id: number;
  readonly field: string;
  readonly value: number;
}

/** Issues the mutation of a step if the row exists. */
function issue({ controller, tasks }: Awaited<ReturnType<typeof setUp>>, step: Step) {
  const { what, id, field, value } = step;
  const body = { [field]: `${value}` };
  if (what === 'make') return controller.fetch(tasks.getList.push, body);
  const made = controller.get(new All(Task))?.find((task) => task.id < 0)?.id;
  const target = what === 'change' || what === 'drop' ? made : id;
  if (target === undefined || controller.get(Task, { id: target }) === undefined) return undefined;
  if (what === 'put') return controller.fetch(tasks.update, { id: target }, body);
  if (what === 'delete' || what === 'drop') return controller.fetch(tasks.delete, { id: target });
  return controller.fetch(tasks.partialUpdate, { id: target }, body);
}

const step = fc.record({
  what: fc.constantFrom('patch', 'put', 'make', 'change', 'drop', 'delete', 'send'),
  id: fc.constantFrom(5, 6),
  field: fc.constantFrom('title', 'note'),
  value: fc.integer({ min: 0, max: 9 }),
});

test('[P7] with and without merge the server ends with the same rows, and readers show these rows', async () => {
  const law = fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 14 }), async (steps) => {
    const ends = [];
    for (const merge of [false, true]) {
      const life = await setUp({ merge });
      const { controller, rows, send, page, queue, asked } = life;
      for (const one of steps) {
        if (one.what === 'send') {
          await send();
          page.offline = true;
          continue;
        }
        const before = queue.pending.value.length;
        const sent = issue(life, one);
        sent?.catch(() => {});
        if (sent !== undefined) await until(() => queue.pending.value.length === before + 1);
      }
      await send();
      const shown = (controller.get(new All(Task)) ?? []).map((task) => task.id);
      expect(shown.sort((a, b) => a - b)).toEqual([...rows.keys()].sort((a, b) => a - b));
      const fieldsOf = ({ title, note, done }: Record<string, unknown>) =>
        JSON.stringify([title, note, done]);
      const server = Array.from(rows.values(), fieldsOf);
      ends.push({ rows: server.sort(), requests: asked.length });
      queue.stop();
    }
    const [plain, merged] = ends;
    expect(merged?.rows).toEqual(plain?.rows);
    expect(merged?.requests).toBeLessThanOrEqual(plain?.requests ?? 0);
  });
  await fc.assert(law, runs(0.05));
});
