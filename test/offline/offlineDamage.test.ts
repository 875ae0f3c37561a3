// Damaged logs: readable records are not lost, new mutations do not wait, and dropped records are reported.
import { get, set, setMany } from 'idb-keyval';
import { describe, expect, test, vi } from 'vitest';
import { cipher } from '../sync/cipher.ts';
import { offlineServer, sharedLocks, turns, until } from './OfflineServer.ts';
import type { Tab } from './OfflineServer.ts';
import { keysOn, storeOf } from '../sync/disks.ts';

type Head = [
  format: number,
  log: string,
  revision: number,
  tag: string,
  last: number,
  steps: unknown[],
  ...more: unknown[],
];

/** A log with the edits 'b' and 'c' of task 5, and 'd' of task 6, which a page without a network has left. */
async function setUp(
  options: Parameters<Awaited<ReturnType<typeof offlineServer>>['page']>[0] = {},
) {
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const all = await offlineServer();
  for (const id of [5, 6, 7]) all.rows.set(id, { id, title: 'a' });
  const edit = ({ controller }: Tab, id: number, title: string) =>
    controller.fetch(all.tasks.partialUpdate, { id }, { title });
  const locks = sharedLocks();
  const open = (offline = true) => {
    const tab = all.page({ locks, ...options });
    tab.page.offline = offline;
    const events: unknown[] = [];
    for (const event of ['drop', 'aside', 'undecoded'] as const)
      tab.queue.on(event, (detail) => events.push([event, detail]));
    return { ...tab, events };
  };
  const before = open();
  await before.queue.ready;
  for (const [id, title] of [
    [5, 'b'],
    [5, 'c'],
    [6, 'd'],
  ] as const)
    edit(before, id, title).catch(() => {});
  await until(() => before.queue.pending.value.length === 3);
  before.queue.stop();
  const disk = storeOf(all.name);
  const head = async () => JSON.parse((await get<string>('log:head', disk)) ?? '') as Head;
  const bodies = () => all.asked.map(({ body }) => body);
  const codes = () => warned.mock.calls.map(([text]) => /signalbox (\w+)/.exec(String(text))?.[1]);
  return { ...all, open, edit, disk, head, bodies, codes, before };
}

type World = Awaited<ReturnType<typeof setUp>>;

/** True if a new page shows and sends the three edits and a new edit, each once. */
async function sendsAll({ open, edit, bodies, codes, asked, name }: World) {
  const tab = open();
  await tab.queue.ready;
  const titles = tab.queue.pending.value.map(({ args }) => (args[1] as { title: string }).title);
  expect(titles).toEqual(['b', 'c', 'd']);
  edit(tab, 7, 'new').catch(() => {});
  await until(() => tab.queue.pending.value.length === 4, 'the new edit');
  const ids = tab.queue.pending.value.map(({ id }) => id);
  expect(new Set(ids).size).toBe(4);
  tab.page.comeBack('reconnect');
  await until(() => tab.queue.pending.value.length === 0, 'the end');
  await turns(20);
  expect(bodies()).toHaveLength(4);
  const sent = asked.map(({ path, body }) => `${path} ${(body as { title: string }).title}`);
  expect(sent.filter((text) => text.startsWith('/tasks/5'))).toEqual(['/tasks/5 b', '/tasks/5 c']);
  expect(sent.sort()).toEqual(['/tasks/5 b', '/tasks/5 c', '/tasks/6 d', '/tasks/7 new']);
  expect([tab.events, codes()]).toEqual([[], []]);
  tab.queue.stop();
  // the next page finds a log in order
  const next = open(false);
  await next.queue.ready;
  await turns(20);
  expect([next.queue.pending.value, asked.length, next.events]).toEqual([[], 4, []]);
  return !(await keysOn(name)).some((key) => key.startsWith('log:1.'));
}

const text = (make: (head: Head) => unknown) => (head: Head) => JSON.stringify(make(head));

const heads: readonly (readonly [string, (head: Head) => unknown])[] = [
  ['no JSON', () => 'nonsense'],
  ['an empty text', () => ''],
  ['a number', () => 7],
  ['the text of a number', () => '7'],
  ['null', () => null],
  ['the text of null', () => 'null'],
  ['a text in quotes', () => '"x"'],
  ['an object', () => ({ log: 1 })],
  ['the text of an object', () => '{"format":1}'],
  ['bytes', () => new Uint8Array([1, 2, 3])],
  ['an empty array', () => '[]'],
  ['a pair', () => '[1,2]'],
  ['the format alone', () => '[1]'],
  ['no steps', text(([a, b, c, d, e]) => [a, b, c, d, e])],
  ['a step that is a number', text(([a, b, c, d, e]) => [a, b, c, d, e, [5]])],
  ['a step that is null', text(([a, b, c, d, e]) => [a, b, c, d, e, [null]])],
  ['a step of one list', text(([a, b, c, d, e]) => [a, b, c, d, e, [[[]]]])],
  ['a step of texts', text(([a, b, c, d, e]) => [a, b, c, d, e, [['x', 'y']]])],
  ['a step of numbers', text(([a, b, c, d, e]) => [a, b, c, d, e, [[[1], [2]]]])],
  ['steps that are an object', text(([a, b, c, d, e]) => [a, b, c, d, e, {}])],
  ['a log that is a number', text(([a, , c, d, e, f]) => [a, 1, c, d, e, f])],
  ['a revision that is a text', text(([a, b, , d, e, f]) => [a, b, 'x', d, e, f])],
  ['a revision that is negative', text(([a, b, , d, e, f]) => [a, b, -1, d, e, f])],
  ['a last id that is null', text(([a, b, c, d, , ...f]) => [a, b, c, d, null, ...f])],
  ['a last id of an earlier time', text(([a, b, c, d, , ...f]) => [a, b, c, d, 0, ...f])],
  ['a revision of an earlier time', text(([a, b, , d, e, , ...f]) => [a, b, 0, d, e, [], ...f])],
  ['a revision that is too great', text(([a, b, c, ...d]) => [a, b, c + 1_000, ...d])],
  ['marks that are a number', text(([a, b, c, d, e, f]) => [a, b, c, d, e, f, 5, false])],
  ['marks of null', text(([a, b, c, d, e, f]) => [a, b, c, d, e, f, [[null], [], 0, 0], false])],
  [
    'records that do not exist',
    text(([a, b, c, d, e, , ...f]) => [a, b, c, d, e, [[['3.0.plain.x'], []]], ...f]),
  ],
  [
    'other records than there are',
    text(([a, b, c, d, e, , ...f]) => [
      a,
      b,
      c,
      d,
      e,
      Array.from({ length: c }, () => [['9.9.plain.x'], []]),
      ...f,
    ]),
  ],
];

describe('the head of a log', () => {
  test.each(heads)(
    '[P8] a head of the log that is %s loses no mutation, and new mutations are sent',
    async (_, spoil) => {
      const it = await setUp();
      await set('log:head', spoil(await it.head()), it.disk);
      expect(await sendsAll(it)).toBe(true);
    },
  );

  test('[P8] a missing head of the log loses no mutation, and new mutations are sent', async () => {
    const it = await setUp();
    await it.disk('readwrite', async (store) => void store.delete('log:head'));
    expect(await sendsAll(it)).toBe(true);
  });

  test('[P8] a head of the log that is damaged under an open page loses no mutation, also with a transform', async () => {
    const it = await setUp({ transform: await cipher() });
    const tab = it.open();
    await tab.queue.ready;
    for (const [at, head] of ['nonsense', '[1,"x",2,"y",3,[7]]', '{}'].entries()) {
      await set('log:head', head, it.disk);
      it.edit(tab, 7, `${at}`).catch(() => {});
      await until(() => tab.queue.pending.value.length === 4 + at, 'the new edit');
    }
    // a second page reads the log while the head is broken
    await set('log:head', '[]', it.disk);
    const other = it.open();
    await other.queue.ready;
    expect(other.queue.pending.value).toHaveLength(6);
    await set('log:head', 'null', it.disk);
    for (const { page } of [tab, other]) page.comeBack('reconnect');
    await until(() => [tab, other].every(({ queue }) => queue.pending.value.length === 0), 'it');
    await turns(50);
    expect(it.bodies()).toHaveLength(6);
    expect(new Set(it.asked.map(({ key }) => key)).size).toBe(6);
    expect([...tab.events, ...other.events, ...it.codes()]).toEqual([]);
  });

  test('[P8] a head of a later format is left unchanged, and new mutations are sent without the log, with a warning', async () => {
    const it = await setUp();
    const later = '[3,"a log of a later build",{}]';
    await set('log:head', later, it.disk);
    const tab = it.open(false);
    await tab.queue.ready;
    expect((await it.edit(tab, 7, 'new')).title).toBe('new');
    expect(new Set(it.codes())).toEqual(new Set(['O2']));
    expect(await get('log:head', it.disk)).toBe(later);
    expect(await keysOn(it.name)).toHaveLength(4);
  });
});

describe('a record between good ones', () => {
  const entry = (value: unknown, key = 'entry:2') => JSON.stringify([key, value]);
  const of = (change: (row: unknown[]) => void) => (row: unknown[]) => {
    const copy = structuredClone(row);
    change(copy);
    return entry(copy);
  };
  const records: readonly (readonly [string, (row: unknown[]) => unknown])[] = [
    ['no JSON', () => '{'],
    ['a number', () => 5],
    ['null', () => null],
    ['an object', () => ({ a: 1 })],
    ['bytes', () => new Uint8Array([0, 1, 2])],
    ['the text of null', () => 'null'],
    ['an entry without a value', () => '["entry:2"]'],
    ['an entry that is an object', () => entry({})],
    ['an entry of too few members', () => entry([1, 2])],
    ['an entry with numbers as temporary keys', of((row) => (row[7] = [5]))],
    ['an entry with null as a merged entry', of((row) => (row[10] = [null]))],
    ['an entry with an empty pause', of((row) => (row[6] = []))],
    ['an entry with the id of another entry', of((row) => (row[11] = 3))],
    ['an entry with null as its queue', of((row) => (row[12] = null))],
    ['a record of a strange kind', () => entry([], 'queue {:2')],
  ];
  test.each(records)(
    '[P8] a record of the log that is %s is dropped alone, with an event',
    async (_, spoil) => {
      const it = await setUp();
      for (const key of await keysOn(it.name)) {
        const data = await get<string>(key, it.disk);
        if (data?.startsWith('["entry:2"') !== true) continue;
        const [, row] = JSON.parse(data) as [string, unknown[]];
        await set(key, spoil(row), it.disk);
      }
      const tab = it.open();
      await tab.queue.ready;
      const titles = tab.queue.pending.value.map(
        ({ args }) => (args[1] as { title: string }).title,
      );
      expect(titles).toEqual(['b', 'd']);
      expect(tab.events).toMatchObject([['drop', { mutation: undefined }]]);
      it.edit(tab, 5, 'new').catch(() => {});
      await until(() => tab.queue.pending.value.length === 3, 'the new edit');
      tab.page.comeBack('reconnect');
      await until(() => tab.queue.pending.value.length === 0, 'the end');
      expect(it.bodies()).toHaveLength(3);
    },
  );

  test.each([[[]], [[null]], [['x', 5]], [[[], {}]], [[{}, {}]], [[{ id: { a: 1 } }, null]]])(
    '[P8] a mutation of the log with the arguments %j is sent or rejected, and delays no other mutation',
    async (args) => {
      const it = await setUp();
      for (const key of await keysOn(it.name)) {
        const data = await get<string>(key, it.disk);
        if (data?.startsWith('["entry:2"') !== true) continue;
        const [, row] = JSON.parse(data) as [string, unknown[]];
        await set(key, of((copy) => (copy[2] = args))(row), it.disk);
      }
      const tab = it.open();
      const errors: unknown[] = [];
      tab.controller.on('error', ({ args: failed }) => errors.push(failed));
      await tab.queue.ready;
      expect(tab.queue.pending.value).toHaveLength(3);
      tab.page.comeBack('reconnect');
      await until(() => tab.queue.pending.value.length === 0, 'the end');
      expect(it.bodies()).toEqual(expect.arrayContaining([{ title: 'b' }, { title: 'd' }]));
      expect(errors.length + it.bodies().length).toBe(3);
      expect(tab.events).toEqual([]);
    },
  );

  test('[P8] damaged leases and results in the log do not delay mutations', async () => {
    const it = await setUp({ locks: undefined });
    const [, log, , , last] = await it.head();
    // a head of the first format, after all records that the log has
    const revision = 100;
    const rows: [string, unknown][] = [
      [`lease:${it.name} tasks.get.schema 5`, 7],
      [`lease:${it.name} tasks.get.schema 6`, null],
      ['answer:1', 'x'],
      ['answer:2', [[], 5]],
    ];
    const ids = rows.map((_, at) => `${revision + 1}.${at}.plain.x`);
    const head = [1, log, revision + 1, 'x', last, [[ids, []]]];
    await setMany(
      rows.map((row, at): [string, string] => [`log:${ids[at]}`, JSON.stringify(row)]),
      it.disk,
    );
    await set('log:head', JSON.stringify(head), it.disk);
    const tab = it.open(false);
    await tab.queue.ready;
    await until(() => it.asked.length === 3, 'three');
    await expect.poll(() => tab.queue.pending.value).toEqual([]);
  });

  test('[P8] a mutation of a row with a damaged creation result is dropped with an event', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    const it = await offlineServer();
    const before = it.page();
    before.page.offline = true;
    await before.queue.ready;
    const { controller } = before;
    await controller.fetch(it.tasks.getList);
    controller.fetch(it.tasks.getList.push, { title: 'x' }).catch(() => {});
    await until(() => before.queue.pending.value.length === 1);
    const id = controller.getResponse(it.tasks.getList).data?.at(-1)?.id as number;
    controller.fetch(it.tasks.partialUpdate, { id }, { title: 'y' }).catch(() => {});
    await until(() => before.queue.pending.value.length === 2);
    before.queue.stop();
    const disk = storeOf(it.name);
    for (const key of await keysOn(it.name)) {
      const data = await get<string>(key, disk);
      if (data?.startsWith('["entry:1"')) await set(key, '["answer:1",5]', disk);
    }
    const tab = it.page();
    const dropped: unknown[] = [];
    tab.queue.on('drop', ({ mutation }) => dropped.push(mutation?.name));
    await tab.queue.ready;
    expect(dropped).toEqual(['tasks.partialUpdate']);
    expect((await tab.controller.fetch(it.tasks.create, { title: 'new' })).title).toBe('new');
  });
});
