// The owners, transforms and storages of a log.
import { Endpoint, Entity } from 'signalbox';
import type { PersistStorage, StoredData, Transform } from 'signalbox/offline';
import { describe, expect, test, vi } from 'vitest';

import { cipher } from '../sync/cipher.ts';
import { bare, offlineServer, sharedLocks, Task, turns, until } from './OfflineServer.ts';
import type { Tab } from './OfflineServer.ts';
import { bytesOn, isHead, keysOn } from '../sync/disks.ts';

/** A server with task 5, and pages of the same profile without a network. */
async function setUp() {
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const all = await offlineServer();
  all.rows.set(5, { id: 5, title: 'a' });
  const dark = async (options: Parameters<typeof all.page>[0] = {}): Promise<Tab> => {
    const tab = all.page(options);
    tab.page.offline = true;
    await tab.queue.ready;
    return tab;
  };
  /** Edits the task 5 in a page that is closed then. */
  const leave = async (title: string, options?: Parameters<typeof all.page>[0]) => {
    const { controller, queue } = await dark(options);
    const before = queue.pending.value.length;
    controller.fetch(all.tasks.partialUpdate, { id: 5 }, { title }).catch(() => {});
    await until(() => queue.pending.value.length === before + 1);
    queue.stop();
  };
  /** Comes back to the network, until nothing waits. */
  const drain = async ({ page, queue }: Tab) => {
    page.comeBack('reconnect');
    await until(() => queue.pending.value.length === 0);
    await turns(20);
    queue.stop();
  };
  const codes = () => warned.mock.calls.map(([text]) => /signalbox (\w+)/.exec(String(text))?.[1]);
  return { ...all, dark, leave, drain, codes };
}

const titlesIn = ({ queue }: Tab) =>
  queue.pending.value.map(({ args }) => (args[1] as { title: string }).title);

describe('an owner', () => {
  test('[P6] mutations of an owner are not shown, sent or removed by other owners, and are sent by the owner later', async () => {
    const { leave, dark, drain, asked, rows, tasks } = await setUp();
    await leave('of ada', { owner: 'ada' });
    const others = ['bob', undefined, 'ada:head', 'ada of'];
    for (const owner of others) {
      const other = await dark({ owner });
      await other.controller.set(Task, { id: 5 }, { id: 5, title: 'a' });
      expect([titlesIn(other), other.controller.get(Task, { id: 5 })?.title]).toEqual([[], 'a']);
      other.page.comeBack('reconnect');
      await other.controller.fetch(tasks.partialUpdate, { id: 5 }, { title: `of ${owner}` });
      // a log out empties the log of that owner alone
      other.controller.reset();
      await turns(20);
      other.queue.stop();
    }
    expect(asked.map(({ body }) => body)).toEqual(
      others.map((owner) => ({ title: `of ${owner}` })),
    );
    const ada = await dark({ owner: 'ada' });
    expect(titlesIn(ada)).toEqual(['of ada']);
    await drain(ada);
    expect(rows.get(5)?.['title']).toBe('of ada');
    expect(asked).toHaveLength(others.length + 1);
  });

  test('[P6] a request of one owner does not delay a mutation of another owner, by locks or by leases', async () => {
    const { page, asked, tasks, state, release } = await setUp();
    for (const locks of [sharedLocks(), undefined]) {
      const [ada, bob] = ['ada', 'bob'].map((owner) => page({ owner, locks }));
      state.holds = true;
      const before = asked.length;
      const sent = [ada, bob].map((tab, at) =>
        (tab as Tab).controller.fetch(tasks.partialUpdate, { id: 5 }, { title: `${at}` }),
      );
      await until(() => asked.length === before + 2, 'both');
      expect(asked.slice(before).map(({ path }) => path)).toEqual(['/tasks/5', '/tasks/5']);
      release();
      await Promise.all(sent);
    }
  });
});

describe('a transform', () => {
  test('[P6] a transform encodes all records of the log, and a page after a reload decodes all', async () => {
    const { page, dark, drain, asked, rows, tasks, name, troubles } = await setUp();
    rows.set(6, { id: 6, title: 'a' });
    const transform = await cipher();
    // leases, which name rows, lie in the log as well
    const options = { transform, owner: 'ada' };
    const before = page(options);
    await before.queue.ready;
    troubles.push('lost after');
    before.controller.fetch(tasks.partialUpdate, { id: 5 }, { title: 'sent' }).catch(() => {});
    await until(() => asked.length === 1);
    before.page.offline = true;
    before.controller.fetch(tasks.partialUpdate, { id: 5 }, { title: 'waits' }).catch(() => {});
    before.controller
      .fetch(tasks.partialUpdate, { id: 6 }, { title: 'Häßlich 🙂' })
      .catch(() => {});
    await until(() => before.queue.pending.value.length === 3);
    expect((await keysOn(name)).length).toBeGreaterThan(2);
    expect(await bytesOn(name)).not.toMatch(/sent|glich|waits|tasks|title|lease|PATCH/);
    before.queue.stop();
    const after = await dark(options);
    expect(titlesIn(after)).toEqual(['sent', 'waits', 'Häßlich 🙂']);
    await drain(after);
    expect(asked.filter(({ key }) => key === asked[0]?.key)).toHaveLength(2);
    expect(rows.get(5)?.['title']).toBe('waits');
    expect(await bytesOn(name)).not.toMatch(/sent|glich|waits|tasks|title|lease|PATCH/);
  });

  test('[P6] two tabs with a transform send each mutation once, and settle all callers', async () => {
    const { dark, asked, applied, tasks } = await setUp();
    const options = { transform: await cipher(), locks: sharedLocks() };
    const tabs = [await dark(options), await dark(options)];
    const sent = [0, 1, 0, 1].map((at, number) =>
      (tabs[at] as Tab).controller.fetch(tasks.partialUpdate, { id: 5 }, { title: `${number}` }),
    );
    await until(() => tabs.every(({ queue }) => queue.pending.value.length === 2));
    for (const { page } of tabs) page.comeBack('reconnect');
    await Promise.all(sent);
    expect([asked.length, applied.length]).toEqual([4, 4]);
  });

  const others: [string, () => Promise<Transform> | undefined][] = [
    ['another key', cipher],
    ['no transform', () => undefined],
  ];
  test.each(others)(
    '[P6] a log that is read with %s is kept, with a warning and an event, and sent with the right transform',
    async (_, other) => {
      const { leave, page, dark, drain, asked, tasks, codes } = await setUp();
      const transform = await cipher();
      for (const title of ['b', 'c']) await leave(title, { transform });
      const wrong = page({ transform: await other() });
      const events: unknown[] = [];
      wrong.queue.on('undecoded', ({ count, reason }) => events.push([count, reason]));
      wrong.queue.on('drop', () => events.push('drop'));
      await wrong.queue.ready;
      expect(events).toEqual([[2, expect.any(Error)]]);
      expect(codes()).toEqual(['O7']);
      expect(wrong.queue.pending.value).toEqual([]);
      // later mutations are logged and sent
      expect((await wrong.controller.fetch(tasks.create, { title: 'new' })).title).toBe('new');
      await turns(20);
      wrong.queue.stop();
      expect(asked).toHaveLength(1);
      const right = await dark({ transform });
      expect(titlesIn(right)).toEqual(['b', 'c']);
      await drain(right);
      expect(asked.slice(1).map(({ body }) => body)).toEqual([{ title: 'b' }, { title: 'c' }]);
    },
  );

  test('[P6] a log out also removes records that cannot be decoded', async () => {
    const { leave, page, dark, name } = await setUp();
    const transform = await cipher();
    await leave('b', { transform });
    const wrong = page({ transform: await cipher() });
    await wrong.queue.ready;
    wrong.controller.reset();
    await until(() => wrong.queue.pending.value.length === 0);
    await turns(50);
    expect((await keysOn(name)).filter((key) => !isHead(key))).toEqual([]);
    expect(titlesIn(await dark({ transform }))).toEqual([]);
  });

  test('[P6] mutations logged without a transform are read after a transform was added', async () => {
    const { leave, dark, drain, rows, codes } = await setUp();
    await leave('b');
    const tab = await dark({ transform: await cipher() });
    expect(titlesIn(tab)).toEqual(['b']);
    await drain(tab);
    expect([rows.get(5)?.['title'], codes()]).toEqual(['b', []]);
  });

  test('[P6] a mutation that the transform fails to encode is sent without the log, which stays unchanged', async () => {
    const { leave, dark, asked, rows, tasks, codes, name } = await setUp();
    rows.set(6, { id: 6, title: 'a' });
    const transform = await cipher();
    await leave('b', { transform });
    const tab = await dark({ transform });
    const written = await bytesOn(name);
    const encode = vi.spyOn(transform, 'encode').mockRejectedValueOnce(new Error('no key'));
    const sent = await tab.controller.fetch(tasks.partialUpdate, { id: 6 }, { title: 'c' });
    expect([sent.title, asked[0]?.key, codes()]).toEqual(['c', undefined, ['O2']]);
    expect(await bytesOn(name)).toBe(written);
    // an attempt that cannot be recorded is made later
    encode.mockRejectedValueOnce(new Error('no key'));
    tab.page.comeBack('reconnect');
    await until(() => (tab.queue.retry(), tab.queue.pending.value.length === 0));
    expect(asked.map(({ body }) => body)).toEqual([{ title: 'c' }, { title: 'b' }]);
  });

  test('[P7] with an owner and a transform, migrate() of a raised version gets the waiting mutations and keeps their keys', async () => {
    const { leave, dark, drain, asked, codes } = await setUp();
    const options = { transform: await cipher(), owner: 'ada' };
    await leave('b', { ...options, version: '1' });
    const aside = await dark({ ...options, version: '2' });
    expect([titlesIn(aside), codes()]).toEqual([[], ['O3']]);
    aside.queue.stop();
    const next = await dark({
      ...options,
      version: '3',
      migrate: ({ name, args: [params, body] }) => ({
        name,
        args: [params, { ...(body as object), done: true }],
      }),
    });
    expect(next.queue.pending.value[0]?.args[1]).toEqual({ title: 'b', done: true });
    next.queue.stop();
    // the log has the migrated form: a page without migrate() sends that form
    const last = await dark({ ...options, version: '3' });
    const { idempotencyKey } = last.queue.pending.value[0] ?? {};
    await drain(last);
    expect(asked.map(bare)).toEqual([['PATCH', '/tasks/5', { title: 'b', done: true }]]);
    expect(asked[0]?.key).toBe(`"${idempotencyKey}"`);
  });
});

class Upload extends Entity {
  id = '';
}

test.each([
  ['without a transform', () => undefined],
  ['with a transform', cipher],
])(
  '[P2] files, bytes, dates and maps in arguments are the same after a reload, %s',
  async (_, make) => {
    const { dark } = await setUp();
    const transform = await make();
    const got: unknown[] = [];
    const send = new Endpoint(
      (body: object) => {
        got.push(body);
        return Promise.resolve({ id: 'a' });
      },
      { name: 'send', sideEffect: true, schema: Upload },
    );
    const body = {
      file: new File(['text of a file'], 'a.txt', { type: 'text/plain', lastModified: 5 }),
      blob: new Blob([new Uint8Array([0, 255])], { type: 'image/x' }),
      bytes: new Uint16Array([1, 65_535]).subarray(1),
      buffer: new Uint8Array([1, 2]).buffer,
      map: new Map<unknown, unknown>([[new Date(7), new Set([1n, undefined, NaN])]]),
    };
    const before = await dark({ names: { send }, transform });
    before.controller.fetch(send, body).catch(() => {});
    await until(() => before.queue.pending.value.length === 1);
    before.queue.stop();
    const after = await dark({ names: { send }, transform });
    after.page.comeBack('reconnect');
    await until(() => got.length === 1);
    const { file, blob, ...rest } = got[0] as typeof body;
    expect(rest).toEqual({ bytes: body.bytes, buffer: body.buffer, map: body.map });
    expect([file.name, file.type, file.lastModified, await file.text()]).toEqual([
      'a.txt',
      'text/plain',
      5,
      'text of a file',
    ]);
    expect(file).toBeInstanceOf(File);
    expect([blob.type, [...new Uint8Array(await blob.arrayBuffer())]]).toEqual([
      'image/x',
      [0, 255],
    ]);
  },
);

/** A storage without transactions, which may stop in the middle of a write, as a page that is closed. */
function files() {
  const records = new Map<string, StoredData>();
  const state = { stopsAfter: Infinity };
  const step = (change: () => unknown) => {
    if (state.stopsAfter-- <= 0) throw new Error('the page was closed');
    change();
  };
  const change: PersistStorage['change'] = async (keys, decide) => {
    const write = decide(keys.map((key) => records.get(key)));
    for (const [key, data] of write?.put ?? []) step(() => records.set(key, data));
    for (const key of write?.remove ?? []) step(() => records.delete(key));
  };
  const storage: PersistStorage = {
    read: async (prefix) => new Map([...records].filter(([key]) => key.startsWith(prefix))),
    change,
    replace: (write) => change([], () => write),
  };
  return { records, state, storage: () => storage };
}

test('[P6] in a storage without transactions an interrupted write neither loses nor repeats a mutation', async () => {
  for (let steps = 0; steps < 8; steps++) {
    const { leave, page, dark, drain, asked, applied, tasks } = await setUp();
    const { state, storage: open, records } = files();
    const storage = { storage: open, locks: sharedLocks() };
    await leave('b', storage);
    const dies = page(storage);
    await dies.queue.ready;
    state.stopsAfter = steps;
    dies.controller.fetch(tasks.partialUpdate, { id: 5 }, { title: 'c' }).catch(() => {});
    await turns(200);
    dies.queue.stop();
    state.stopsAfter = Infinity;
    const next = await dark(storage);
    await drain(next);
    const sent = new Map(asked.map(({ key, body }) => [key, body]));
    expect(applied).toHaveLength(sent.size);
    expect([...sent.values()]).toContainEqual({ title: 'b' });
    expect(asked.length).toBeLessThanOrEqual(sent.size + 1);
    const left = [...records.keys()].filter((key) => !isHead(key)).map((key) => records.get(key));
    expect(left.filter((data) => String(data).includes('"entry:'))).toEqual([]);
  }
});
