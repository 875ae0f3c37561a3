// Mutations without a network: shown, kept on the disk, sent when the network returns.
import { Endpoint, transaction } from 'signalbox';
import { describe, expect, test, vi } from 'vitest';
import { refused, settled, StoppedClock } from '../setup/world.ts';
import { bare, offlineServer, Task, turns, until } from './OfflineServer.ts';
import { leaseOf } from '../sync/disks.ts';

/** A clock whose wall time can be set while the timers go on. */
class SteppedClock extends StoppedClock {
  step = 0;
  constructor() {
    super(1e12);
  }
  override now(): number {
    return super.now() + this.step;
  }
}

/** A server with task 5, and a page that shows the task. */
async function setUp(options = {}) {
  const all = await offlineServer();
  const clock = new SteppedClock();
  all.rows.set(5, { id: 5, title: 'a' });
  all.rows.set(6, { id: 6, title: 'a' });
  const open = (more: Parameters<typeof all.page>[0] = {}) => all.page(more, { clock, ...options });
  const tab = open();
  await tab.controller.fetch(all.tasks.getList);
  const title = (id = 5) => tab.controller.get(Task, { id })?.title;
  const waits = (count: number) => until(() => tab.queue.pending.value.length === count);
  return { ...all, ...tab, clock, open, title, waits };
}

describe('a mutation', () => {
  test('[P2] a mutation is sent with one Idempotency-Key, and leaves the log after the response', async () => {
    const { controller, tasks, asked, waits } = await setUp();
    const task = await controller.fetch(tasks.partialUpdate, { id: 5 }, { title: 'b' });
    expect(task.title).toBe('b');
    expect(asked.map(({ key }) => key)).toEqual([expect.stringMatching(/^"[0-9a-f-]{36}"$/)]);
    await waits(0);
  });

  test('[P2] a mutation without a network is logged and shown, and sent when the network returns', async () => {
    const { controller, page, queue, tasks, asked, title, waits } = await setUp();
    page.offline = true;
    const sent = controller.fetch(tasks.partialUpdate, { id: 5 }, { title: 'b' });
    await waits(1);
    expect(queue.pending.value).toMatchObject([
      { id: 1, name: 'tasks.partialUpdate', args: [{ id: 5 }, { title: 'b' }], attempts: 0 },
    ]);
    expect([title(), asked]).toEqual(['b', []]);
    page.comeBack('reconnect');
    expect((await sent).title).toBe('b');
    expect(asked.map(bare)).toEqual([['PATCH', '/tasks/5', { title: 'b' }]]);
  });

  test('[P2] a mutation without a response is sent again after a pause, under the same key', async () => {
    const { controller, clock, queue, tasks, asked, applied, troubles, waits } = await setUp();
    troubles.push('lost before', 'lost after');
    const sent = controller.fetch(tasks.create, { title: 'new' });
    for (const attempts of [1, 2]) {
      await until(() => (clock.advance(1_000), asked.length === attempts));
      expect(queue.pending.value).toMatchObject([{ attempts }]);
    }
    await until(() => (clock.advance(1_000), asked.length === 3));
    expect((await sent).id).toBe(103);
    expect(new Set(asked.map(({ key }) => key)).size).toBe(1);
    expect([asked.length, applied.length]).toEqual([3, 1]);
    await waits(0);
  });

  test.each([500, 503, 408, 425, 429])(
    '[P2] a mutation stays pending after status %i, and is sent again by retry()',
    async (status) => {
      const { controller, queue, tasks, asked, troubles, title } = await setUp();
      troubles.push(status);
      const sent = controller.fetch(tasks.partialUpdate, { id: 5 }, { title: 'b' });
      await until(() => asked.length === 1);
      await settled();
      expect(title()).toBe('b');
      await until(() => (queue.retry(), asked.length === 2));
      expect((await sent).title).toBe('b');
    },
  );

  test('[P2] a rejected mutation is rolled back, and later mutations are sent', async () => {
    const { controller, tasks, asked, troubles, title, waits } = await setUp();
    troubles.push(422);
    const first = controller.fetch(tasks.partialUpdate, { id: 5 }, { title: 'b' });
    const second = controller.fetch(tasks.partialUpdate, { id: 5 }, { done: true });
    expect(await refused(first)).toMatchObject({ code: 'R7', status: 422 });
    expect(await second).toMatchObject({ title: 'a', done: true });
    expect([asked.length, title()]).toEqual([2, 'a']);
    await waits(0);
  });

  test('[P2] status 409 rejects a mutation, or repeats it if an earlier attempt may have arrived', async () => {
    const { controller, queue, tasks, asked, applied, troubles } = await setUp();
    troubles.push(409);
    const first = controller.fetch(tasks.partialUpdate, { id: 5 }, { title: 'b' });
    expect(await refused(first)).toMatchObject({ status: 409 });
    troubles.push('lost after', 409);
    const second = controller.fetch(tasks.partialUpdate, { id: 5 }, { title: 'c' });
    await until(() => (queue.retry(), asked.length === 4));
    expect((await second).title).toBe('c');
    expect(applied).toHaveLength(1);
  });

  test('[P2] the timeout of a mutation counts during an attempt, not while the page is offline', async () => {
    const { controller, page, clock, queue, tasks, asked, state, release } = await setUp({
      timeout: 5_000,
    });
    page.offline = true;
    const sent = controller.fetch(tasks.partialUpdate, { id: 5 }, { title: 'b' });
    await until(() => queue.pending.value.length === 1);
    clock.advance(60_000);
    state.holds = true;
    page.comeBack('reconnect');
    await until(() => asked.length === 1);
    clock.advance(5_000);
    await until(() => clock.waiting > 0 && asked.length === 1);
    await until(() => (queue.retry(), asked.length === 2));
    release();
    expect((await sent).title).toBe('b');
  });

  test('[P2] a mutation of an endpoint without a name is sent without the log', async () => {
    const { controller, tasks, asked, troubles, title } = await setUp();
    troubles.push('lost before');
    const own = tasks.partialUpdate.extend({ dataExpiryLength: 1 });
    const sent = controller.fetch(own, { id: 5 }, { title: 'b' });
    expect(await refused(sent)).toMatchObject({ code: 'R8' });
    expect([asked[0]?.key, title()]).toEqual([undefined, 'a']);
  });

  test('[P2] an endpoint function finds the idempotency key in `this`, the same at the second attempt', async () => {
    const keys: (string | undefined)[] = [];
    const send = new Endpoint(
      function (this: { idempotencyKey?: string }, { text }: { text: string }) {
        keys.push(this.idempotencyKey);
        return keys.length > 1 ? Promise.resolve(text) : Promise.reject(new TypeError('offline'));
      },
      { name: 'send', sideEffect: true },
    );
    const { open } = await setUp();
    const { controller, queue } = open({ names: { send }, name: 'functions' });
    const sent = controller.fetch(send, { text: 'hello' });
    await until(() => (queue.retry(), keys.length === 2));
    expect(await sent).toBe('hello');
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(keys[1]).toBe(keys[0]);
  });

  test('[P2] a rejected mutation leaves the log even if its error cannot be stored', async () => {
    const refusal = { status: 400, body: () => 'no data' };
    const send = new Endpoint(() => Promise.reject(refusal), {
      name: 'send',
      sideEffect: true,
    });
    const { open } = await setUp();
    const { controller } = open({ names: { send }, name: 'refusals' });
    expect(await refused(controller.fetch(send))).toMatchObject({ status: 400 });
    await settled();
    const { queue } = open({ names: { send }, name: 'refusals' });
    await queue.ready;
    expect(queue.pending.value).toEqual([]);
  });

  test('[P2] a mutation with arguments that cannot be stored is sent without the log, with a warning', async () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const { controller, tasks, asked } = await setUp();
    const body = { title: 'c', format: () => 'c' };
    expect((await controller.fetch(tasks.partialUpdate, { id: 5 }, body)).title).toBe('c');
    expect(asked.map(({ key }) => key)).toEqual([undefined]);
    expect(warned).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('[signalbox O2]'));
  });

  test('[P2] a mutation that cannot be stored is sent after the waiting mutations of its row, and before those of other rows', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    const { controller, tasks, asked, rows, troubles, title, clock, waits } = await setUp();
    const edit = (id: number, body: object) => {
      controller.fetch(tasks.partialUpdate, { id }, body).catch(() => {});
    };
    troubles.push(503);
    edit(5, { title: 'b' });
    await until(() => asked.length === 1);
    await turns(20);
    edit(5, { title: 'c', format: () => 'c' });
    edit(6, { title: 'd', format: () => 'd' });
    await until(() => asked.length === 2);
    await turns(50);
    expect([title(5), title(6)]).toEqual(['c', 'd']);
    await until(() => (clock.advance(1_000), asked.length === 4));
    await waits(0);
    expect(asked.map(({ body }) => body)).toEqual([
      { title: 'b' },
      { title: 'd' },
      { title: 'b' },
      { title: 'c' },
    ]);
    await until(() => title() === 'c');
    expect(rows.get(5)).toMatchObject({ title: 'c' });
  });

  test('[P2] a change that cannot be stored of a created row is sent after the waiting change of that row', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    const { controller, tasks, asked, page, waits } = await setUp();
    page.offline = true;
    controller.fetch(tasks.getList.push, { title: 'x' }).catch(() => {});
    await waits(1);
    const id = controller.getResponse(tasks.getList).data?.at(-1)?.id as number;
    controller.fetch(tasks.partialUpdate, { id }, { title: 'y' }).catch(() => {});
    await waits(2);
    const body = { title: 'z', format: () => 'z' };
    const last = controller.fetch(tasks.partialUpdate, { id }, body);
    await turns(20);
    page.comeBack('reconnect');
    await last;
    expect(asked.map(({ body: sent }) => sent)).toEqual(
      ['x', 'y', 'z'].map((title) => ({ title })),
    );
  });

  test('[P2] discard() removes a mutation, rolls back its optimistic value and rejects its caller', async () => {
    const { controller, page, queue, tasks, asked, title, waits, open } = await setUp();
    page.offline = true;
    const sent = refused(controller.fetch(tasks.partialUpdate, { id: 5 }, { title: 'b' }));
    await waits(1);
    await queue.discard(1);
    expect(await sent).toMatchObject({ code: 'O5', endpoint: 'PATCH /tasks/:id' });
    expect([title(), queue.pending.value]).toEqual(['a', []]);
    page.comeBack('reconnect');
    const other = open();
    await other.queue.ready;
    expect([other.queue.pending.value, asked]).toEqual([[], []]);
  });

  test('[P2] discard() removes and rolls back a mutation also after stop()', async () => {
    const { controller, page, queue, tasks, title, waits, open } = await setUp();
    page.offline = true;
    const sent = refused(controller.fetch(tasks.partialUpdate, { id: 5 }, { title: 'b' }));
    await waits(1);
    queue.stop();
    await queue.discard(1);
    expect(await sent).toMatchObject({ code: 'O5' });
    expect(title()).toBe('a');
    const other = open();
    await other.queue.ready;
    expect(other.queue.pending.value).toEqual([]);
  });

  test('[P2] a mutation of a transaction is not logged: a failed attempt rejects and rolls back', async () => {
    const { controller, queue, tasks, troubles, title } = await setUp();
    troubles.push('lost before');
    const work = transaction(controller, async ({ fetch }) => {
      await fetch(tasks.partialUpdate, { id: 5 }, { title: 'b' });
    });
    expect(await refused(work)).toMatchObject({ code: 'R8' });
    expect([title(), queue.pending.value]).toEqual(['a', []]);
  });

  test('[P2] reset() empties the log and rejects the callers of waiting mutations', async () => {
    const { controller, page, queue, tasks, asked, waits, open } = await setUp();
    page.offline = true;
    const sent = refused(controller.fetch(tasks.partialUpdate, { id: 5 }, { title: 'b' }));
    await waits(1);
    controller.reset();
    expect(await sent).toMatchObject({ name: 'ResetError' });
    expect(queue.pending.value).toEqual([]);
    page.offline = false;
    const next = controller.fetch(tasks.partialUpdate, { id: 6 }, { title: 'mine' });
    expect((await next).title).toBe('mine');
    const other = open();
    await other.queue.ready;
    expect(other.queue.pending.value).toEqual([]);
    expect(asked.map(bare)).toEqual([['PATCH', '/tasks/6', { title: 'mine' }]]);
  });
});

describe('order', () => {
  test('[P2] mutations of one entity are sent one after another, mutations of other entities in parallel', async () => {
    const { controller, queue, tasks, asked, state, release, rows } = await setUp();
    state.holds = true;
    const sent = [
      controller.fetch(tasks.partialUpdate, { id: 5 }, { title: 'b' }),
      controller.fetch(tasks.update, { id: 5 }, { title: 'c' }),
      controller.fetch(tasks.delete, { id: 6 }),
    ];
    await until(() => queue.pending.value.length === 3 && asked.length === 2);
    await settled();
    expect(
      asked
        .map(bare)
        .map(([method, path]) => `${method} ${path}`)
        .sort(),
    ).toEqual(['DELETE /tasks/6', 'PATCH /tasks/5']);
    release();
    await Promise.all(sent);
    expect(asked.map(({ method }) => method).at(-1)).toBe('PUT');
    expect(rows.get(5)).toMatchObject({ title: 'c' });
  });

  test('[P2] creations of one class are sent one after another', async () => {
    const { controller, page, tasks, asked, waits } = await setUp();
    page.offline = true;
    const sent = ['x', 'y', 'z'].map((title) => controller.fetch(tasks.create, { title }));
    await waits(3);
    page.comeBack('reconnect');
    await Promise.all(sent);
    expect(asked.map(({ body }) => body)).toEqual([{ title: 'x' }, { title: 'y' }, { title: 'z' }]);
  });

  test('[P2] a mutation of a created row is sent to the key that the server assigns', async () => {
    const { controller, page, tasks, asked, waits } = await setUp();
    page.offline = true;
    const made = controller.fetch(tasks.getList.push, { title: 'x' });
    const temporary = controller.getResponse(tasks.getList).data?.at(-1)?.id as number;
    const changed = controller.fetch(tasks.partialUpdate, { id: temporary }, { title: 'y' });
    await waits(2);
    page.comeBack('reconnect');
    const { id } = await made;
    expect(await changed).toMatchObject({ id, title: 'y' });
    expect(asked.map(bare)).toEqual([
      ['POST', '/tasks', { title: 'x' }],
      ['PATCH', `/tasks/${id}`, { title: 'y' }],
    ]);
    await waits(0);
  });

  test('[P2] mutations of a row are rejected with the creation of the row', async () => {
    const { controller, page, tasks, asked, troubles, waits, open } = await setUp();
    page.offline = true;
    const made = refused(controller.fetch(tasks.create, { title: 'x' }));
    const id = controller.getResponse(tasks.getList).data?.at(-1)?.id as number;
    const changed = refused(controller.fetch(tasks.partialUpdate, { id }, { title: 'y' }));
    await waits(2);
    troubles.push(422);
    page.comeBack('reconnect');
    expect(await made).toMatchObject({ status: 422 });
    expect(await changed).toMatchObject({ code: 'E6' });
    await waits(0);
    const other = open();
    await other.queue.ready;
    expect(other.queue.pending.value).toEqual([]);
    expect(asked).toHaveLength(1);
  });
});

describe('a clock that is set back by a day', () => {
  const DAY = 86_400_000;

  test('[P2] a clock that is set back does not delay the next attempt of a mutation', async () => {
    const { controller, clock, queue, tasks, asked, troubles } = await setUp();
    await queue.ready;
    await turns(100);
    troubles.push(503);
    const sent = controller.fetch(tasks.partialUpdate, { id: 5 }, { title: 'b' });
    await until(() => asked.length === 1);
    await turns(100);
    clock.step = -DAY;
    for (let passed = 0; passed < 20_000; passed += 1_000) {
      clock.advance(1_000);
      await turns(20);
    }
    expect(asked).toHaveLength(2);
    expect((await sent).title).toBe('b');
  });

  test('[P2] a page that opens after the clock was set back sends the waiting mutations', async () => {
    const { controller, clock, queue, tasks, asked, troubles, open } = await setUp();
    await queue.ready;
    await turns(100);
    troubles.push(503, 503);
    void controller.fetch(tasks.partialUpdate, { id: 5 }, { title: 'b' });
    await until(() => asked.length === 1);
    await turns(100);
    queue.stop();
    clock.step = -DAY;
    const next = open();
    await until(() => asked.length === 2);
    await until(() => (clock.advance(1_000), asked.length === 3));
    await until(() => next.queue.pending.value.length === 0);
    expect(new Set(asked.map(({ key }) => key)).size).toBe(1);
  });

  test('[P2] a clock that is set back does not prolong the lease of a closed tab', async () => {
    const { controller, clock, tasks, asked, name } = await setUp();
    clock.step = -DAY;
    await leaseOf(name, 'tasks.get.schema 5', 1e12 + 10_000);
    const sent = controller.fetch(tasks.partialUpdate, { id: 5 }, { title: 'b' });
    await until(() => clock.waiting > 0);
    for (let passed = 0; passed < 12_000; passed += 200) {
      clock.advance(200);
      await turns(5);
    }
    expect(asked).toHaveLength(1);
    expect((await sent).title).toBe('b');
  });
});
