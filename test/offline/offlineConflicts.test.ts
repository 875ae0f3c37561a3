// Conflicts of waiting mutations with other users: If-Match, and the application's decision.
import { createResource, etagOf } from 'signalbox';
import type { OfflineOptions, Pending } from 'signalbox/offline';
import { describe, expect, test, vi } from 'vitest';
import { serve } from '../setup/server.ts';
import { refused, StoppedClock } from '../setup/world.ts';
import { offlineServer, pass, Task, turns, until } from './OfflineServer.ts';
import { versioned } from './versioned.ts';

type OnConflict = NonNullable<OfflineOptions['onConflict']>;

/** Task 5 in the first version, and a page that shows the task. */
async function setUp(options: Partial<OfflineOptions> = {}, server = {}) {
  const { page: make } = await offlineServer();
  const all = await versioned(server);
  const clock = new StoppedClock();
  all.put(5, { title: 'a', done: false });
  const open = (more: Partial<OfflineOptions> = {}) =>
    make({ names: { tasks: all.tasks }, ifMatch: true, ...options, ...more }, { clock });
  const tab = open();
  const { controller, queue } = tab;
  await queue.ready;
  await controller.fetch(all.tasks.get, { id: 5 });
  const edit = (body: object, id = 5) => controller.fetch(all.tasks.partialUpdate, { id }, body);
  const task = () => controller.get(Task, { id: 5 });
  const matches = () => all.writes.map(({ ifMatch, status }) => [ifMatch, status]);
  const waits = (count: number) => until(() => queue.pending.value.length === count);
  return { ...all, ...tab, clock, open, edit, task, matches, waits };
}

describe('etagOf', () => {
  test('[P7] etagOf returns the ETag of the stored response, and undefined after a push or a reset', async () => {
    const { controller, tasks, queue } = await setUp();
    queue.stop();
    expect(etagOf(controller, tasks.get, { id: 5 })).toBe('"v1"');
    expect(etagOf(controller, tasks.get, { id: 6 })).toBeUndefined();
    expect(etagOf(controller, tasks.get, null)).toBeUndefined();
    await controller.set(Task, { id: 5 }, { id: 5, title: 'pushed' });
    expect(etagOf(controller, tasks.get, { id: 5 })).toBeUndefined();
    await controller.fetch(tasks.get, { id: 5 });
    expect(etagOf(controller, tasks.get, { id: 5 })).toBe('"v1"');
    controller.reset();
    expect(etagOf(controller, tasks.get, { id: 5 })).toBeUndefined();
  });

  test('[P7] etagOf returns undefined without the option http', async () => {
    const { controller, tasks, queue } = await setUp();
    queue.stop();
    const plain = tasks.get.extend({ http: false, key: ({ id }: { id: number }) => `plain ${id}` });
    await controller.fetch(plain, { id: 5 });
    expect(etagOf(controller, plain, { id: 5 })).toBeUndefined();
  });
});

describe('If-Match', () => {
  test('[P7] If-Match has the ETag of the read, and after an edit the ETag of its response', async () => {
    const { edit, matches, waits } = await setUp();
    await edit({ title: 'b' });
    await edit({ title: 'c' });
    await waits(0);
    expect(matches()).toEqual([
      ['"v1"', 200],
      ['"v2"', 200],
    ]);
  });

  test('[P7] If-Match of each of several waiting edits has the ETag of the response before, also after a reload', async () => {
    const { page, edit, matches, open, waits, queue } = await setUp();
    page.offline = true;
    for (const title of ['b', 'c', 'd']) edit({ title }).catch(() => {});
    await waits(3);
    queue.stop();
    const next = open();
    await until(() => matches().length === 3);
    await until(() => next.queue.pending.value.length === 0);
    expect(matches()).toEqual([
      ['"v1"', 200],
      ['"v2"', 200],
      ['"v3"', 200],
    ]);
  });

  test('[P7] If-Match is omitted after a push, after a response without an ETag, and for a weak ETag', async () => {
    const pushed = await setUp();
    await pushed.controller.set(Task, { id: 5 }, { id: 5, title: 'pushed' });
    await pushed.edit({ title: 'b' });
    expect(pushed.matches()).toEqual([[undefined, 200]]);

    const silent = await setUp({}, { silent: true });
    await silent.edit({ title: 'b' });
    await silent.edit({ title: 'c' });
    expect(silent.matches()).toEqual([
      ['"v1"', 200],
      [undefined, 200],
    ]);

    const weak = await setUp({}, { weak: true });
    expect(etagOf(weak.controller, weak.tasks.get, { id: 5 })).toBe('W/"v1"');
    await weak.edit({ title: 'b' });
    expect(weak.matches()).toEqual([[undefined, 200]]);
  });

  test('[P7] If-Match is omitted without the option, and for a creation', async () => {
    const { edit, matches, controller, tasks, writes } = await setUp({ ifMatch: undefined });
    await edit({ title: 'b' });
    expect(matches()).toEqual([[undefined, 200]]);
    await controller.fetch(tasks.create, { title: 'new' }).catch(() => {});
    expect(writes.at(-1)).toMatchObject({ method: 'POST', ifMatch: undefined });
  });

  test('[P7] If-Match is sent with a deletion, which status 412 rejects', async () => {
    const { controller, tasks, matches, put, rows } = await setUp();
    put(5, { title: 'theirs' });
    expect(await refused(controller.fetch(tasks.delete, { id: 5 }))).toMatchObject({ status: 412 });
    expect([matches(), rows.size]).toEqual([[['"v1"', 412]], 1]);
  });
});

describe('a conflict', () => {
  test('[P7] a conflict without onConflict rejects with status 412 and rolls back the edit', async () => {
    const { edit, put, task, matches, waits } = await setUp();
    put(5, { title: 'theirs' });
    expect(await refused(edit({ title: 'mine' }))).toMatchObject({ code: 'R7', status: 412 });
    await waits(0);
    expect([task()?.title, matches()]).toEqual(['a', [['"v1"', 412]]]);
  });

  test("[P7] an edit for which onConflict returns 'keep' is sent again over the data of the server, under another key", async () => {
    const asked: [Pending, unknown, unknown][] = [];
    const onConflict: OnConflict = (...args) => {
      asked.push(args);
      return 'keep';
    };
    const { edit, put, rows, writes, matches, waits } = await setUp({ onConflict });
    put(5, { title: 'theirs', done: true });
    expect(await edit({ title: 'mine' })).toMatchObject({ title: 'mine', done: true });
    await waits(0);
    expect(matches()).toEqual([
      ['"v1"', 412],
      ['"v2"', 200],
    ]);
    expect(asked).toMatchObject([
      [
        {
          name: 'tasks.partialUpdate',
          args: [{ id: 5 }, { title: 'mine' }],
          error: { status: 412 },
        },
        { status: 412 },
        { id: 5, title: 'theirs', done: true },
      ],
    ]);
    expect(new Set(writes.map(({ key }) => key)).size).toBe(2);
    expect(rows.get(5)?.fields).toMatchObject({ title: 'mine', done: true });
  });

  test("[P7] an edit for which onConflict returns 'drop' rejects, and readers get the data of the server", async () => {
    const { edit, put, task, matches, waits } = await setUp({ onConflict: () => 'drop' });
    put(5, { title: 'theirs' });
    expect(await refused(edit({ title: 'mine' }))).toMatchObject({ status: 412 });
    await waits(0);
    expect([task()?.title, matches().length]).toEqual(['theirs', 1]);
  });

  test('[P7] an edit for which onConflict returns other arguments is sent and shown with these arguments', async () => {
    let decide: (title: string) => void = () => {};
    const asking = new Promise<string>((resolve) => (decide = resolve));
    const onConflict: OnConflict = async ({ args: [params] }, _error, server) => {
      const { title } = server as Task;
      return { args: [params, { title: `${title}, ${await asking}` }] };
    };
    const { edit, put, task, matches, waits, queue, controller, tasks } = await setUp({
      onConflict,
    });
    put(5, { title: 'theirs' });
    put(6, { title: 'x' });
    const first = edit({ title: 'mine' });
    const second = edit({ done: true });
    await until(() => queue.pending.value.some(({ error }) => error !== undefined));
    // others go on meanwhile, mutations of the same entity wait
    await controller.fetch(tasks.partialUpdate, { id: 6 }, { title: 'y' });
    await turns(50);
    expect(queue.pending.value).toHaveLength(2);
    const shown: (string | undefined)[] = [];
    const stop = controller.on('commit', () => shown.push(task()?.title));
    decide('mine');
    expect((await first).title).toBe('theirs, mine');
    stop();
    // the first commit after the decision shows the new arguments
    expect(shown[0]).toBe('theirs, mine');
    expect(await second).toMatchObject({ title: 'theirs, mine', done: true });
    await waits(0);
    expect(matches().filter(([, status]) => status === 412)).toHaveLength(1);
    expect(matches().slice(-2)).toEqual([
      ['"v2"', 200],
      ['"v3"', 200],
    ]);
  });

  test('[P7] after a dropped conflict the next edit of the row is checked for a conflict, too', async () => {
    const resolutions = ['drop', 'keep'] as const;
    let at = 0;
    const onConflict: OnConflict = () => resolutions[at++] ?? 'drop';
    const { page, edit, put, waits, rows } = await setUp({ onConflict });
    page.offline = true;
    const first = refused(edit({ title: 'mine' }));
    const second = edit({ done: true });
    await waits(2);
    put(5, { title: 'theirs' });
    page.comeBack('reconnect');
    expect(await first).toMatchObject({ status: 412 });
    expect(await second).toMatchObject({ title: 'theirs', done: true });
    expect(at).toBe(2);
    expect(rows.get(5)?.fields).toMatchObject({ title: 'theirs', done: true });
  });

  test('[P7] a conflict of a closed page is passed to onConflict of the next page', async () => {
    const { edit, put, queue, open, rows } = await setUp({
      onConflict: () => new Promise(() => {}),
    });
    put(5, { title: 'theirs' });
    edit({ title: 'mine' }).catch(() => {});
    await until(() => queue.pending.value.some(({ error }) => error !== undefined));
    await turns(50);
    queue.stop();
    const next = open({ onConflict: () => 'keep' });
    await until(() => next.queue.pending.value.length === 1);
    await until(() => next.queue.pending.value.length === 0);
    expect(rows.get(5)?.fields['title']).toBe('mine');
  });

  test.each([
    ['throws', () => Promise.reject(new Error('no idea'))],
    ['returns nothing', () => undefined as never],
    ['returns arguments that cannot be stored', () => ({ args: [() => {}] })],
  ])(
    '[P7] if onConflict %s, the mutation stays queued with a warning, and onConflict is called again',
    async (_, fails) => {
      const warned = vi.spyOn(console, 'warn').mockImplementation(() => {});
      let asked = 0;
      const onConflict: OnConflict = () => (++asked === 1 ? fails() : 'keep');
      const { edit, put, clock, rows, queue } = await setUp({ onConflict });
      put(5, { title: 'theirs' });
      const sent = edit({ title: 'mine' });
      await until(() => asked === 1);
      await turns(50);
      expect(queue.pending.value).toHaveLength(1);
      await pass(clock, 5_000);
      expect((await sent).title).toBe('mine');
      expect([asked, rows.get(5)?.fields['title']]).toEqual([2, 'mine']);
      expect(warned.mock.calls.map(([text]) => String(text))).toEqual([
        expect.stringContaining('[signalbox O6]'),
      ]);
    },
  );

  test('[P7] onConflict gets undefined for an entity that the server no longer has, and discard() rejects the edit', async () => {
    const asked: unknown[] = [];
    const onConflict: OnConflict = (_mutation, _error, server) => {
      asked.push(server);
      return new Promise(() => {});
    };
    const server = await serve(({ method }) => ({ status: method === 'GET' ? 404 : 409 }));
    const gone = createResource({ path: '/gone/:id', urlPrefix: server.address, schema: Task });
    const { page } = await offlineServer();
    const { controller, queue } = page({ names: { gone }, onConflict });
    const sent = refused(controller.fetch(gone.partialUpdate, { id: 1 }, { title: 'b' }));
    await until(() => asked.length === 1);
    expect(asked).toEqual([undefined]);
    await queue.discard(1);
    expect(await sent).toMatchObject({ code: 'O5' });
    await turns(50);
    expect(queue.pending.value).toEqual([]);
  });

  test('[P7] a conflict that the server reports at each attempt is passed to onConflict with pauses between', async () => {
    let asked = 0;
    const onConflict: OnConflict = () => {
      asked++;
      return 'keep';
    };
    const server = await serve(() => ({ status: 409, body: {} }));
    const never = createResource({ path: '/never/:id', urlPrefix: server.address, schema: Task });
    const { page } = await offlineServer();
    const clock = new StoppedClock();
    const { controller, queue } = page({ names: { never }, onConflict }, { clock });
    await queue.ready;
    await turns(50);
    controller.fetch(never.partialUpdate, { id: 1 }, { title: 'b' }).catch(() => {});
    await until(() => asked === 2);
    await turns(200);
    expect(asked).toBe(2);
    await pass(clock, 20_000);
    expect(asked).toBeLessThan(12);
    expect(queue.pending.value).toHaveLength(1);
  });
});
